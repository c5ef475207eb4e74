import { marked } from '../../marks.ts';

/** Markup, as opposed to text. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

type Content = string | number | Html | readonly Html[] | undefined;

/** Markup with values in it. All text is escaped, in attributes too, which stand in double quotes. */
export function html(pieces: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(pieces.map((piece, index) => piece + markupOf(values[index])).join(''));
}

function markupOf(value: Content): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.markup;
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value));
  return value.map(({ markup }) => markup).join('');
}

/** What cannot be seen, or turns letters round, is made visible, as in Slack. A line end in a text is meant. */
function escaped(text: string): string {
  return text
    .split('\n')
    .map(marked)
    .join('\n')
    .replace(/[&<>"'`]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
