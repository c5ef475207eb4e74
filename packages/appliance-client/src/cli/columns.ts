/** Text in columns, also with double-width letters. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    rows.reduce((most, row) => Math.max(most, widthOf(row[column] ?? '')), 0),
  );
  return rows.map((row) =>
    row
      .map((one, column) => `${one}${' '.repeat((widths[column] ?? 0) - widthOf(one))}`)
      .join('  ')
      .trimEnd(),
  );
}

const letters = new Intl.Segmenter();
const wide =
  /^(?:[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation})/u;

/** The width of a text in terminal columns. */
export function widthOf(text: string): number {
  if (/^[\u0020-\u024f]*$/.test(text)) return text.length;
  return [...letters.segment(text)].reduce((sum, { segment }) => sum + (wide.test(segment) ? 2 : 1), 0);
}
