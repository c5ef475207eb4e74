import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startSimulatedAppliance } from '../sandbox/appliance/index.ts';
import { createHistory } from '../src/action/history/history.ts';
import type { History, HistoryFilter } from '../src/handlers/audit/history.ts';
import { nameOf } from '../src/handlers/command-name.ts';
import { commandByPhrase, commands } from '../src/handlers/registry.ts';
import { digestOf, type Link } from '../src/journal/audit/hash-chain.ts';
import { verifyChain } from '../src/journal/audit/verify/chain.ts';
import { type Journal, openJournal } from '../src/journal/journal.ts';
import { openSqlite } from '../src/journal/storage/sqlite.ts';
import { policyOf } from '../test/policy.ts';
import { seeded } from '../test/seeded.ts';
import { startContestant } from './contestant.ts';
import { alternate } from './duel.ts';
import { median, percentile } from './figures.ts';
import { first, grow, interval, recorder } from './grown/journal.ts';
import { any, asked, house } from './grown/lives.ts';
import { type Measurement, type Row, row } from './measurement.ts';

export interface AuditPlan {
  readonly actions: number;
  readonly questions: number;
  /** The number of questions that are also put the other way, which takes its time. */
  readonly sample: number;
  readonly verifications: number;
  readonly starts: number;
}

const plan: AuditPlan = { actions: 1_000_000, questions: 400, sample: 24, verifications: 3, starts: 9 };

/** Whether a journal that has grown for years answers and starts as on its first day. */
export const audit: Measurement = {
  name: 'audit',
  method: `a journal of ${plan.actions} actions, recorded as the bot does it: \`audit\` with ${plan.questions} combinations of filters; the chain verified ${plan.verifications} times; ${plan.starts} starts beside those of an empty journal`,
  measure: () => measureAudit(plan),
};

export async function measureAudit(given: AuditPlan): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'appliance-bot-bench-audit-'));
  const [full, empty] = [join(folder, 'full'), join(folder, 'empty')];
  for (const data of [full, empty]) mkdirSync(data);
  const file = join(full, 'journal.sqlite');
  try {
    await grow(file, { actions: given.actions });
    return [await finding(file, given), await verifying(file, given), await starting(full, empty, given)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `audit` puts its question to the records; to the other way, SQL goes through the actions. */
async function finding(file: string, { actions, questions, sample }: AuditPlan): Promise<Row> {
  const store = openSqlite(file);
  const journal = await openJournal(store, Date.now);
  const raw = new DatabaseSync(file);
  try {
    const ask = askRecords(journal);
    const all = questionsOf(questions, actions);
    const ours: number[] = [];
    const theirs: number[] = [];
    // Warm, as a bot that has run for a while.
    for (const question of all.slice(0, 10)) await ask(question);
    for (const [index, question] of all.entries()) {
      let found = 0;
      ours.push(
        await timed(async () => {
          found = await ask(question);
        }),
      );
      if (index % Math.ceil(questions / sample) !== 0) continue;
      let counted = 0;
      theirs.push(
        await timed(async () => {
          counted = askActions(raw, question);
        }),
      );
      if (found !== counted) {
        throw new Error(`${JSON.stringify(question)}: ${found} were found, and there are ${counted}.`);
      }
    }
    return row(
      'Audit with filters, 95 of 100 within',
      'ms',
      percentile(ours, 95),
      { whom: 'SQL that goes through the actions', value: percentile(theirs, 95) },
      { most: 30 },
    );
  } finally {
    raw.close();
    await journal.close();
  }
}

interface Question extends HistoryFilter {
  readonly channel: string | undefined;
}

/** Rare with rare, common with common, what never comes together, lately and long ago. */
function questionsOf(count: number, actions: number): readonly Question[] {
  const chance = seeded(2);
  const maybe = <Value>(share: number, value: () => Value): Value | undefined =>
    chance() < share ? value() : undefined;
  const words = asked.map((command) => nameOf(command));
  return Array.from({ length: count }, () => {
    const word = words[Math.floor(chance() * words.length)] ?? '';
    return {
      channel: maybe(0.5, () => any(house.channels, chance)),
      by: maybe(0.5, () => any(house.people, chance)),
      on: maybe(0.3, () => any(house.appliances, chance)),
      command: maybe(0.5, () => (chance() < 0.5 ? word : (word.split(' ')[0] ?? ''))),
      denied: maybe(0.2, () => true),
      since: maybe(0.5, () => first + chance() * actions * interval),
    };
  });
}

function askRecords(journal: Journal): (question: Question) => Promise<number> {
  const historyOf = createHistory({
    journal,
    authority: { policy: () => policyOf({}) },
    commandByPhrase,
    recorder,
    fleet: new Map(house.appliances.map((name) => [name, { tags: [] }])),
    now: Date.now,
  });
  return async ({ channel, ...wanted }) => {
    const history: History = historyOf(channel ?? '', () => true);
    const { count } = await (channel === undefined
      ? history.everywhere(wanted, 500)
      : history.here(wanted, 500));
    return count;
  };
}

/** Puts the same question to the table in plain SQL: the number of matches, and the newest of them. */
function askActions(raw: DatabaseSync, { channel, by, on, command, denied, since }: Question): number {
  const phrases = commands.filter((one) => `${nameOf(one)} `.startsWith(`${command} `));
  const where = [
    '1 = 1',
    ...(channel === undefined ? [] : [`channel = '${channel}'`]),
    ...(by === undefined ? [] : [`person = '${by}'`]),
    ...(on === undefined ? [] : [`appliance = '${on}'`]),
    ...(command === undefined ? [] : [`phrase in (${phrases.map(({ phrase }) => `'${phrase}'`).join()})`]),
    ...(denied === undefined ? [] : [`state = 'refused'`]),
    ...(since === undefined ? [] : [`changed_at >= ${since}`]),
  ].join(' and ');
  raw.prepare(`select * from actions where ${where} order by changed_at desc limit 500`).all();
  return Number(raw.prepare(`select count(*) as count from actions where ${where}`).get()?.count);
}

/** The whole chain: against the digests alone, computed by hand. */
async function verifying(file: string, { actions, verifications }: AuditPlan): Promise<Row> {
  const store = openSqlite(file);
  const raw = new DatabaseSync(file);
  const rate = async (check: () => Promise<number> | number) => {
    let rows = 0;
    const took = await timed(async () => {
      rows = await check();
    });
    if (rows !== actions) throw new Error(`${rows} rows were verified, and there are ${actions}.`);
    return (rows / took) * 1_000;
  };
  try {
    const { one, other } = await alternate(
      verifications,
      () =>
        rate(async () => {
          const { rows, broken } = await verifyChain(store.quick);
          if (broken !== undefined) throw new Error(broken.says);
          return rows;
        }),
      () => rate(() => digestAll(raw)),
    );
    const against = { whom: 'the digests alone, by hand', value: median(other) };
    return row('Verifying, rows', '/s', median(one), against, { least: 100_000 });
  } finally {
    raw.close();
    await store.close();
  }
}

function digestAll(raw: DatabaseSync): number {
  let digest = '';
  let rows = 0;
  for (const link of raw.prepare('select * from audit order by seq').iterate()) {
    // The columns are those of `Link`.
    digest = digestOf(link as unknown as Link, digest);
    if (digest !== link.digest) throw new Error(`Row ${link.seq} is broken.`);
    rows += 1;
  }
  return rows;
}

/** How long a restart leaves a team without the bot. */
async function starting(full: string, empty: string, { starts }: AuditPlan): Promise<Row> {
  const appliance = await startSimulatedAppliance();
  const start = async (data: string): Promise<number> => {
    const contestant = await startContestant({
      kind: 'bot',
      applianceUrl: appliance.url,
      channels: 20,
      data,
    });
    await contestant.stop();
    return contestant.connectedAfter;
  };
  try {
    await alternate(
      1,
      () => start(full),
      () => start(empty),
    );
    const { one, other } = await alternate(
      starts,
      () => start(full),
      () => start(empty),
    );
    const against = { whom: 'an empty journal', value: median(other) };
    return row('Start until connected, full journal', 'ms', median(one), against, { ratio: 1.2 });
  } finally {
    await appliance.close();
  }
}

async function timed(task: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await task();
  return performance.now() - began;
}
