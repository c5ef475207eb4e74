import { readDomain } from '../language/domain.ts';

/**
 * Removes marks around a pasted entry: bullets, numbers, checkboxes, quotation marks, and a comma or semicolon
 * after it. A mark needs a space behind it, so that `*.example.com` and `1.example` stay.
 */
export const withoutMarks = (line: string): string =>
  line
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replace(before, '')
    .replace(/(?<![\s,;])[\s,;]+$/, '');

const before =
  /^(?:\s|\p{Cf}|>|(?:[-+*–—•‣⁃◦∙·●○■□▪▫☐☑☒✓✔✅➔➜→]|\[[ xX]?\]|\(?\d{1,5}[.)]|\(?[a-z]\))(?=[\s\p{Cf}]))+/u;
const hasMark = /^\s*(?:[-+*–—•>]|\d{1,5}[.)])\s/;

/** The entries of a list without their marks. Values of any text keep them unless every line has one. */
export function entriesOf(lines: readonly string[], mayBeAnything: boolean): readonly string[] {
  const isMarked = lines.length > 1 && lines.every((line) => hasMark.test(line));
  return mayBeAnything && !isMarked ? lines : lines.map(withoutMarks);
}

/** Pasted lines for several values, without comments and empty lines. */
export function pastedIn(text: string, mayBeAnything = false): readonly string[] {
  const lines = text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .filter((line) => line.trim() !== '' && !isFence(line) && (mayBeAnything || !isNoEntry(line)));
  const entries = entriesOf(lines, mayBeAnything);
  return mayBeAnything ? entries : entries.map((entry) => withoutRemark(entry, isSite));
}

const isSite = (text: string): boolean => readDomain(text) !== undefined;

/**
 * Removes a remark behind a value: "a.example # reported", "a.example - reported", "a.example (reported)". Behind
 * marks that may also join values it stays if another value is in it.
 */
export function withoutRemark(entry: string, isOne: (word: string) => boolean): string {
  const [, value = '', mark, remark = ''] =
    /^(\S+)\s+(#|\/\/|\(|(?:--?|[–—;|])(?=\s))(.*)$/u.exec(entry) ?? [];
  if (mark === undefined || !isOne(value)) return entry;
  return mark === '#' || !remark.split(/[\s,;()]+/).some(isOne) ? value : entry;
}

const isNoEntry = (line: string): boolean => isDecoration(line) || /^\s*(?:#|\/\/)\s/.test(line);

/** A line without content: a code fence, or a rule. */
export const isDecoration = (line: string): boolean => isFence(line) || /^[-=_*|:+\s]{3,}$/.test(line);

/** Three backticks or tildes, perhaps with a language. */
export const isFence = (line: string): boolean =>
  /^(?:`{3,}|~{3,}) ?(?:te?xt|plain(?:text)?|none|sh|bash|shell|console|csv|conf|ini|yaml|yml|json|md)?$/i.test(
    line.trim(),
  );
