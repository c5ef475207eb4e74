/**
 * What stands around an entry of a list where people copy it from: bullets, numbers, boxes to tick, the mark of a quotation, and
 * the comma or semicolon behind it. A mark is followed by space, so that `*.example.com` and `1.example` stay what they are.
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

/**
 * The entries of a list without their marks. What may be any text may begin like that, and is left as it is unless every line
 * does.
 */
export function entriesOf(lines: readonly string[], mayBeAnything: boolean): readonly string[] {
  const isMarked = lines.length > 1 && lines.every((line) => hasMark.test(line));
  return mayBeAnything && !isMarked ? lines : lines.map(withoutMarks);
}

/** Lines that were pasted where several values are wanted: without comments, and without lines in which nothing stands. */
export const pastedIn = (text: string, mayBeAnything = false): readonly string[] =>
  entriesOf(
    text
      .split(/\r\n|[\n\r\u2028\u2029]/)
      .filter((line) => line.trim() !== '' && !isFence(line) && (mayBeAnything || !isNoEntry(line))),
    mayBeAnything,
  );

const isNoEntry = (line: string): boolean => isDecoration(line) || /^\s*(?:#|\/\/)\s/.test(line);

/** A line that holds nothing: where a code block begins or ends, or a rule between others. */
export const isDecoration = (line: string): boolean => isFence(line) || /^[-=_*|:+\s]{3,}$/.test(line);

/** Three backticks or tildes, perhaps with what the code block is written in. */
export const isFence = (line: string): boolean =>
  /^(?:`{3,}|~{3,}) ?(?:te?xt|plain(?:text)?|none|sh|bash|shell|console|csv|conf|ini|yaml|yml|json|md)?$/i.test(
    line.trim(),
  );
