/**
 * A typed line, cleaned: phones and Slack change what people type, and people paste what they find.
 * slack-facts.md §1: with `should_escape` URLs arrive as `<https://…|label>`; typographic quotes and dashes arrive as typed.
 */
export function cleanLine(typed: string): string {
  return unwrap(
    typed
      .normalize('NFC')
      // Zero-width, bidi and other format marks are invisible to the person who pasted them.
      .replace(/\p{Cf}/gu, '')
      .replace(/<((?:https?|ftp):\/\/[^|<>]+|mailto:[^|<>]+)(?:\|([^<>]*))?>/gi, unwrapLink)
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>')
      .replace(/&amp;/g, '&')
      .replace(/[“”„‟«»]/g, '"')
      .replace(/[‘’‚‛]/g, "'")
      // "--on" becomes an em or en dash on phones; elsewhere a long dash is a hyphen.
      .replace(/(^|\s)[–—](?=[a-z])/gi, '$1--')
      .replace(/[‐‑‒–—―−]/g, '-')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is removed
      .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ')
      .trim(),
  );
}

/** People paste a line as they copied it: with `/appliance` before it, in back-ticks, in quotes, or all of that. */
function unwrap(line: string): string {
  const inner = line
    .replace(/^(`{1,3}|["'])((?:(?!\1).)*)\1$/, '$2')
    .replace(/^\s*\/appliance(?=\s|$)/i, '')
    .trim();
  return inner === line ? line : unwrap(inner);
}

/** Slack links what looks like an address and keeps what was typed as the label; any other label is only decoration. */
function unwrapLink(_: string, address: string, label = ''): string {
  const bare = address.replace(/^(?:https?:\/\/|ftp:\/\/|mailto:)/i, '').replace(/\/$/, '');
  return label === bare ? label : address.replace(/^mailto:/i, '');
}

/** Splits a cleaned line into words; "quoted words" stay together, `copied code` too, and a lone quote is an ordinary character. */
export function splitWords(line: string): readonly string[] {
  return Array.from(line.matchAll(anyWord), (found) => quotedIn(found) ?? String(found[4]));
}

/** Those of the words that stood in quotes: a comma in one of them separates nothing. */
export function quotedWords(line: string): ReadonlySet<string> {
  if (!/["'`]/.test(line)) return none;
  return new Set(Array.from(line.matchAll(anyWord), quotedIn).filter((word) => word !== undefined));
}

/** People separate several values with spaces, commas or semicolons. */
export function splitList(word: string): readonly string[] {
  // Inside a URL they are part of it, unless another one follows.
  const separator = word.includes('://') ? /(?<![,;])[,;]+(?=\w+:\/\/|$)/ : /[,;]/;
  return word.split(separator).filter((part) => part !== '');
}

/** The values in a line that holds nothing else: separated by spaces, commas or semicolons, but for those in quotes. */
export function splitValues(line: string): readonly string[] {
  const quoted = quotedWords(line);
  return splitWords(line).flatMap((word) => (quoted.has(word) ? [word] : splitList(word)));
}

/** Behind a quoted word may stand the comma of a list. */
const anyWord = /"([^"]*)"(?=[\s,;]|$)|'([^']*)'(?=[\s,;]|$)|`([^`]*)`(?=[\s,;]|$)|(\S+)/g;
const quotedIn = (found: RegExpExecArray): string | undefined => found[1] ?? found[2] ?? found[3];
const none: ReadonlySet<string> = new Set();
