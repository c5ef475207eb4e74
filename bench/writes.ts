import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { newId } from '../src/journal/id.ts';
import { type NewAction, openJournal } from '../src/journal/journal.ts';
import { openSqlite } from '../src/journal/storage/sqlite.ts';
import { pragmas, synchronous } from '../src/journal/storage/sqlite-connection.ts';
import { alternate } from './duel.ts';
import { median } from './figures.ts';
import { type Measurement, type Row, row } from './measurement.ts';

export interface WritesPlan {
  readonly rounds: number;
  /** In each round. */
  readonly rows: number;
  readonly warmUp: number;
}

const plan: WritesPlan = { rounds: 25, rows: 300, warmUp: 500 };

/** Measures the cost of the journal beside the disk that it waits for. */
export const writes: Measurement = {
  name: 'writes',
  method: `changes written down one after the other, each on the disk before the next; ${plan.rounds} rounds of ${plan.rows}; against a prepared insert of the same row by bare node:sqlite with the same pragmas`,
  measure: () => measureWrites(plan),
};

export async function measureWrites({ rounds, rows, warmUp }: WritesPlan): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'appliance-bot-bench-writes-'));
  try {
    const file = (name: string) => join(folder, name);
    const journal = await openJournal(openSqlite(file('journal.sqlite')), Date.now);
    // Its tables and indexes are the journal's.
    await (await openJournal(openSqlite(file('bare.sqlite')), Date.now)).close();
    const bare = openBare(file('bare.sqlite'));
    const perSecond = async (count: number, write: () => unknown): Promise<number> => {
      const began = performance.now();
      for (let index = 0; index < count; index += 1) await write();
      return (count / (performance.now() - began)) * 1_000;
    };
    const ours = (count: number) => () => perSecond(count, () => journal.write(change));
    const theirs = (count: number) => () => perSecond(count, () => bare.write());
    try {
      await alternate(1, ours(warmUp), theirs(warmUp));
      const { one, other } = await alternate(rounds, ours(rows), theirs(rows));
      const against = { whom: 'bare node:sqlite', value: median(other) };
      return [row('Durable inserts', '/s', median(one), against, { atLeast: 0.5 })];
    } finally {
      bare.close();
      await journal.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const change: NewAction = {
  state: 'asked',
  team: 'T0BENCH',
  channel: 'C0BENCH0001',
  person: 'U0BENCH0001',
  line: 'rdp disconnect 12',
  phrase: 'rdp disconnect <session>',
  effect: 'destructive',
  appliance: 'hq',
  args: { session: 12 },
};

/** The same row, by nothing but a prepared statement. */
function openBare(file: string) {
  const sqlite = new DatabaseSync(file);
  sqlite.exec(`${pragmas} pragma synchronous = ${synchronous.power_cut};`);
  const columns = [
    ...['id', 'state', 'created_at', 'changed_at', 'team', 'channel', 'person', 'line', 'phrase', 'effect'],
    ...['appliance', 'args_json', 'replica', 'held_by'],
  ];
  const insert = sqlite.prepare(
    `insert into actions (${columns.join()}) values (${columns.map(() => '?').join()})`,
  );
  const { state, team, channel, person, line, phrase = '', effect = '', appliance = '', args } = change;
  return {
    write: () => {
      const at = Date.now();
      const same = [state, at, at, team, channel, person, line, phrase, effect, appliance];
      insert.run(newId(), ...same, JSON.stringify(args), 'bench', 'bench');
    },
    close: () => sqlite.close(),
  };
}
