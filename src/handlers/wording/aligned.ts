/** What is longer sticks out of its column: else one cell of a megabyte would make megabytes of every row. */
const widest = 200;

/** Columns below each other, two spaces apart. */
export function aligned(lines: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = [];
  for (const line of lines) {
    line.forEach((cell, index) => {
      if (cell.length <= widest) widths[index] = Math.max(widths[index] ?? 0, cell.length);
    });
  }
  return lines.map((line) =>
    line
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
