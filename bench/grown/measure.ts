import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { moveJournal } from '../../cli/journal/move-journal.ts';
import { startSimulatedAppliance } from '../../sandbox/appliance/index.ts';
import { startPostgres } from '../../test/postgres.ts';
import { type Measurement, type Row, row } from '../measurement.ts';
import { grow } from './journal.ts';
import { type Asked, ask, type Place } from './place.ts';
import { type Upkeep, upkeep } from './upkeep.ts';

export interface GrownPlan {
  readonly actions: number;
  /** How much later each is than the one before, in milliseconds. */
  readonly every: number;
  /** Actions of the journal that it is compared with. */
  readonly few: number;
  readonly rounds: number;
  /** An hour's worth of questions, before memory is read. */
  readonly more: number;
  /** Days of records that are deleted. */
  readonly pruned: number;
  /** Milliseconds without upkeep, to compare with. */
  readonly calmFor: number;
}

const perDay = 5_000;
const every = (24 * 60 * 60_000) / perDay;
const plan: GrownPlan = {
  actions: 2_000_000,
  every,
  few: 20_000,
  rounds: 5,
  more: 600,
  pruned: 20,
  calmFor: 20_000,
};

/** A year and more, on both journals, beside four days of it. */
export const grown: Measurement = {
  name: 'grown',
  isLong: true,
  method: `journals of ${plan.actions} and ${plan.few} actions, ${perDay} a day, in a file and in PostgreSQL: ${plan.rounds} starts, each question ${plan.rounds} times, ${plan.more} more before memory is read; then a line every 200 ms while it is backed up, verified, exported, and while ${plan.pruned} days of records are deleted`,
  measure: () => measureGrown(plan),
};

export async function measureGrown(given: GrownPlan): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'appliance-bot-bench-grown-'));
  const appliance = await startSimulatedAppliance();
  const postgres = await startPostgres(['fsync=on']);
  try {
    const rows: Row[] = [];
    const sizes = [given.few, given.actions].map((actions) => ({
      actions,
      data: join(folder, String(actions)),
    }));
    for (const { actions, data } of sizes) {
      mkdirSync(data, { mode: 0o700 });
      const from = Date.now() - (actions + 1) * given.every;
      await grow(join(data, 'journal.sqlite'), { actions, every: given.every, from });
    }
    const tables: Place[] = [];
    for (const { actions, data } of sizes) {
      const url = postgres.urlOf(`grown_${actions}`);
      await create(postgres.urlOf('postgres'), `grown_${actions}`);
      await moveJournal({ folder: data, file: join(data, 'journal.sqlite') }, url, () => undefined);
      tables.push({ store: 'PostgreSQL', data: join(data, 'shared'), url });
    }
    const files: Place[] = sizes.map(({ data }) => ({ store: 'SQLite', data }));
    for (const [few, many] of [files, tables]) {
      if (few === undefined || many === undefined) continue;
      const [small, large] = [await ask(few, appliance.url, given), await ask(many, appliance.url, given)];
      rows.push(...compared(many.store, large, small, given));
      rows.push(...kept(many.store, await upkeep(many, appliance.url, given)));
    }
    return rows;
  } finally {
    await postgres.remove();
    await appliance.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function create(server: string, name: string): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  await client.query(`create database ${name}`).finally(() => client.end());
}

/** The same questions to a journal with few actions. */
function compared(store: string, many: Asked, few: Asked, { few: actions }: GrownPlan): readonly Row[] {
  const whom = `itself with ${actions.toLocaleString('en')} actions`;
  const ms = (what: string, value: number, before: number, more: number) =>
    row(`${store}: ${what}`, 'ms', value, { whom, value: before }, { more });
  return [
    ms('start until connected', many.start, few.start, 100),
    ms('first answer', many.firstAnswer, few.firstAnswer, 100),
    ...[...many.answers].map(([line, took]) => ms(line, took, few.answers.get(line) ?? Number.NaN, 100)),
    row(`${store}: /metrics`, 'ms', many.scrape, { whom, value: few.scrape }, { most: 50 }),
    row(
      `${store}: resident memory, at a start`,
      'MB',
      many.atStart,
      { whom, value: few.atStart },
      { more: 20 },
    ),
    row(`${store}: the same, after an hour`, 'MB', many.after, { whom, value: few.after }, { more: 20 }),
  ];
}

/** How soon a line is acknowledged while somebody looks after the journal. */
const kept = (store: string, { calm, tasks }: Upkeep): readonly Row[] =>
  [...tasks].map(([name, { acknowledged }]) =>
    row(
      `${store}: acknowledgement, p99, ${name}`,
      'ms',
      acknowledged.p99,
      { whom: 'the same in peace', value: calm.acknowledged.p99 },
      { more: 200 },
    ),
  );
