import type { Row, Target } from './measurement.ts';

/** The rows as a table for people, in fixed-width letters. */
export function table(rows: readonly Row[]): string {
  const lines = [
    ['', 'bot', 'against', '', 'ratio', 'target', ''],
    ...rows.map(({ what, unit, bot, against, ratio, target, met }) => [
      what,
      `${figure(bot)} ${unit}`,
      `${figure(against.value)} ${unit}`,
      against.whom,
      ratio.toFixed(2),
      targetInWords(target, unit),
      met ? 'met' : 'MISSED',
    ]),
  ];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => aligned(cell, column, widths?.[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function targetInWords(target: Target, unit: Row['unit']): string {
  if ('ratio' in target) return `≤ ${target.ratio.toFixed(2)}`;
  if ('atLeast' in target) return `≥ ${target.atLeast.toFixed(2)}`;
  if ('least' in target) return `≥ ${target.least} ${unit}`;
  return 'more' in target ? `≤ +${target.more} ${unit}` : `≤ ${target.most} ${unit}`;
}

/** Figures stand under each other at their right end. */
const aligned = (cell: string, column: number, width: number): string =>
  [1, 2, 4].includes(column) ? cell.padStart(width) : cell.padEnd(width);

const figure = (value: number): string => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
