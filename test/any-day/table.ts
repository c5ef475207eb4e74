import type { Circumstance } from './circumstances.ts';
import type { Outcome } from './run.ts';

/** The result of a circumstance. */
export interface Row extends Pick<Circumstance, 'name' | 'faked'> {
  readonly seconds: number;
  /** Its tests, or why there are none. */
  readonly outcome: Outcome | string;
}

/** As Markdown. */
export function tableOf(rows: readonly Row[]): string {
  const lines = [
    ['circumstance', 'what is faked, and how', 'files', 'passed', 'failed', 'seconds'],
    ...rows.map(({ name, faked, outcome, seconds }) => [
      name,
      ...(typeof outcome === 'string'
        ? [`not run: ${outcome}`, '-', '-', '-']
        : [faked, ...[outcome.files, outcome.passed, outcome.failed].map(String)]),
      seconds.toFixed(),
    ]),
  ];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const aligned = lines.map((line) =>
    line.map((cell, column) => cell[column < 2 ? 'padEnd' : 'padStart'](widths?.[column] ?? 0)),
  );
  const rule = aligned[0]?.map((cell, column) =>
    column < 2 ? '-'.repeat(cell.length) : `${'-'.repeat(cell.length - 1)}:`,
  );
  return [...aligned.slice(0, 1), rule ?? [], ...aligned.slice(1)]
    .map((line) => `| ${line.join(' | ')} |`)
    .join('\n');
}
