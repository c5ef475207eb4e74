/** Text behind a closing quote belongs to nothing, and a quote that is not closed goes on to the end. */
const anyCell = /(?:"((?:[^"]|"")*)(?:"(?:[^",\r\n][^,\r\n]*)?|$)|([^,\r\n]*))(,|\r\n?|\n|$)/gy;

/** The first rows of comma-separated values, for a small preview: quotes and commas inside of them are understood. */
export function csvRows(text: string, most = 6): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  for (const [, quoted, bare, end] of text.matchAll(anyCell)) {
    const last = rows.at(-1);
    last?.push(quoted?.replaceAll('""', '"') ?? bare ?? '');
    if (end === ',') continue;
    if (end === '' || rows.length === most) break;
    rows.push([]);
  }
  return rows.filter((row) => row.length > 1 || row[0] !== '');
}
