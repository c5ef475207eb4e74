/** A longer cell exceeds its column. Otherwise one cell of a megabyte would pad every row to that size. */
const widest = 200;

/** Two spaces between columns. */
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
