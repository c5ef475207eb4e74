import { createHash } from 'node:crypto';
import { marked } from '../../marks.ts';

/** Shared by all pages; there is no script and no picture. */
const style = `
:root { color-scheme: light dark; --text: #1d1c1d; --soft: #55545a; --back: #ffffff; --line: #86858c; --accent: #0b5a9c;
  --on-accent: #ffffff; --wrong: #a8071a; --good: #0a6b3d; }
@media (prefers-color-scheme: dark) { :root { --text: #ececee; --soft: #b6b5bb; --back: #1a1d21; --line: #8a898f;
  --accent: #8cc4ff; --on-accent: #10243a; --wrong: #ff9c9c; --good: #7fdca9; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 1.05rem/1.5 system-ui, sans-serif; }
main { max-width: 36rem; margin: 0 auto; padding: 2rem 1.25rem 3rem; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 0.75rem; }
h2 { font-size: 1.1rem; margin: 0 0 0.25rem; }
p { margin: 0 0 1rem; }
label { display: block; font-weight: 600; margin-top: 1.25rem; }
.hint, .small { color: var(--soft); font-size: 0.92rem; }
.hint { margin: 0; }
.small { margin: 1.5rem 0 0; }
input, textarea, select, button { font: inherit; width: 100%; padding: 0.6rem 0.7rem; border-radius: 0.4rem; margin-top: 0.3rem; }
input, textarea, select { border: 1px solid var(--line); background: var(--back); color: var(--text); }
button { border: 0; background: var(--accent); color: var(--on-accent); font-weight: 600; margin-top: 1.75rem; cursor: pointer; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
a { color: var(--accent); }
.wrong { color: var(--wrong); margin: 0.2rem 0 0; }
.problems { border: 2px solid var(--wrong); border-radius: 0.4rem; padding: 0.9rem 1rem; margin-bottom: 1rem; }
.problems ul { margin: 0; padding-left: 1.2rem; }
[aria-invalid="true"] { border: 2px solid var(--wrong); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.3rem 1.25rem; margin: 1.5rem 0; }
dt { color: var(--soft); }
dd { margin: 0; }
.good { color: var(--good); }
.bad { color: var(--wrong); }
`;

/** The content security policy allows the style by its hash. */
const styleHash = createHash('sha256').update(style).digest('base64');

/** Sent with every answer: forbids loading, framing, caching and referring. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  // `no-referrer` would also remove the origin of a form, which is checked.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** Markup, as opposed to text. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

type Content = string | number | Html | readonly Html[] | undefined;

/** Markup with values. All text is escaped, also in attributes, which use double quotes. */
export function html(pieces: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(pieces.map((piece, index) => piece + markupOf(values[index])).join(''));
}

function markupOf(value: Content): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.markup;
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value));
  return value.map(({ markup }) => markup).join('');
}

/** Makes invisible and direction-changing characters visible, as in Slack. A line end is intended. */
function escaped(text: string): string {
  return text
    .split('\n')
    .map(marked)
    .join('\n')
    .replace(/[&<>"'`]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

export interface Answer {
  readonly status: number;
  readonly page?: Page;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the request had a valid token. */
  readonly isKnown: boolean;
}

export interface Page {
  readonly title: string;
  readonly content: Html;
}

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

export const notice = (headline: string, ...sentences: readonly string[]): Page => ({
  title: headline,
  content: html`<h1>${headline}</h1>
${sentences.map((sentence) => html`<p>${sentence}</p>`)}`,
});
