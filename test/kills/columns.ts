/** A table as Markdown, the head first: its first column is words, the others are numbers. */
export function columns(rows: readonly (readonly string[])[]): string {
  const [heads = [], ...others] = rows;
  const widths = heads.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => ` ${'-'.repeat(width)}${column === 0 ? ' ' : ':'}`).join('|')}|`;
  return [line(heads), rule, ...others.map(line)].join('\n');
}
