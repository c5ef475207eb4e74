import { Html, html } from './html.ts';
import { style } from './style.ts';

/** What a request is answered with. */
export interface Answer {
  readonly status: number;
  readonly page?: Page;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it came with a token of ours. */
  readonly isKnown: boolean;
}

/** One page: what its tab is called, and what stands on it. */
export interface Page {
  readonly title: string;
  readonly content: Html;
}

/** As it is sent. */
export const documentOf = ({ title, content }: Page): string =>
  `<!doctype html>\n${
    html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Html(style)}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>`.markup
  }\n`;

/** Something short: a headline, and what to do. */
export const notice = (headline: string, ...sentences: readonly string[]): Page => ({
  title: headline,
  content: html`<h1>${headline}</h1>
${sentences.map((sentence) => html`<p>${sentence}</p>`)}`,
});
