import type { State } from '../../src/journal/actions/states.ts';
import { columns } from './columns.ts';

/** The results of the kills of one kind of command. */
export interface Row {
  killed: number;
  /** Number of lines whose author was told to ask again, or heard nothing and did. */
  again: number;
  /** How the last action ended. */
  readonly ended: Partial<Record<State | 'nothing', number>>;
  executedTwice: number;
  withoutEnd: number;
  toldTwice: number;
  untold: number;
  wrong: number;
}

const heads = [
  'kind of command',
  'killed',
  'done',
  'failed',
  'unknown',
  'cancelled',
  'expired',
  'refused',
  'asked again',
  'executed twice',
  'without an end',
  'told twice',
  'not told',
  'otherwise wrong',
] as const;

/** As Markdown. */
export function tableOf(rows: readonly (readonly [string, Row | undefined])[]): string {
  const cells = rows.flatMap(([name, row]) => (row === undefined ? [] : [cellsOf(name, row)]));
  const sums = heads.map((_, column) =>
    column === 0 ? 'all' : String(cells.reduce((sum, row) => sum + Number(row[column]), 0)),
  );
  return columns([heads, ...cells, sums]);
}

function cellsOf(name: string, row: Row): readonly string[] {
  const { killed, again, ended, executedTwice, withoutEnd, toldTwice, untold, wrong } = row;
  const states = (['done', 'failed', 'unknown', 'cancelled', 'expired', 'refused'] as const).map(
    (state) => ended[state] ?? 0,
  );
  return [
    name,
    ...[killed, ...states, again, executedTwice, withoutEnd, toldTwice, untold, wrong].map(String),
  ];
}
