import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished } from 'vitest';
import { auditTool } from '../../cli/audit.ts';
import { digestOf } from '../../src/journal/audit/hash-chain.ts';
import { mark } from '../../src/journal/audit/search-index.ts';
import { termsOf } from '../../src/journal/audit/search-terms.ts';
import type { Store } from '../../src/journal/database.ts';
import { type Journal, openJournal, type Recorder } from '../../src/journal/journal.ts';
import { openPostgres } from '../../src/journal/storage/postgres.ts';
import { openSqlite } from '../../src/journal/storage/sqlite.ts';
import type { AuditTable } from '../../src/journal/tables.ts';
import { needing, under } from '../approving.ts';
import { type Conversation, converse } from '../conversation.ts';
import { newPostgres } from '../stores.ts';
import { type Attack, attacks } from './rows.ts';

/** An attacker writes to the database; people who hold a digest find it. */

const noon = Date.UTC(2027, 0, 1, 12);
const [hour, day] = [3_600_000, 24 * 3_600_000];
/** The journal has one record an hour, the last one at noon. */
const count = 12;

const recorder: Recorder = {
  commandOf: ({ phrase }) => phrase,
  isDenied: ({ state }) => state === 'refused',
  previewOf: () => ({ question: '', fields: [] }),
  isWithheld: () => false,
  announce: () => [],
};

/** A bot's journal, and the hands of whoever has got into its database. */
interface Scene {
  readonly journal: Journal;
  readonly store: Store;
  readonly clock: { at: number };
  /** A digest noted earlier, in the form that `--holds` takes. */
  readonly hold: (seq: number) => Promise<string>;
  /** Its records, in their order. */
  readonly chain: () => Promise<readonly AuditTable[]>;
  /** The policy file, which says how long records are kept. */
  readonly policy: string;
  readonly verify: (...holds: readonly string[]) => Promise<{ readonly code: number; readonly said: string }>;
  /** A chain computed anew from a record on, terms and all. */
  readonly reseal: (from: number, forge?: (row: AuditTable) => Partial<AuditTable>) => Promise<void>;
}

const homes = {
  SQLite: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'attacked-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const environment = { APPLIANCE_BOT_DATA: folder };
    return { environment, open: () => openSqlite(join(folder, 'journal.sqlite')) };
  },
  PostgreSQL: async () => {
    const url = await newPostgres();
    return { environment: { DATABASE_URL: url }, open: () => openPostgres(url) };
  },
};

const policyWith = (audit: string) =>
  `appliances: { hq: { url: "http://10.20.0.2:9503" } }\naudit: ${audit}\n`;

/** `audit`: what the policy says of it. */
async function sceneIn(home: keyof typeof homes, audit = '{ keep: 30d }'): Promise<Scene> {
  const { environment, open } = await homes[home]();
  const clock = { at: noon - count * hour };
  const store = open();
  const journal = await openJournal(store, () => clock.at);
  onTestFinished(() => journal.close());
  const folder = mkdtempSync(join(tmpdir(), 'policy-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const policy = join(folder, 'bot.yml');
  writeFileSync(policy, policyWith(audit));

  const run = async (words: readonly string[]) => {
    let said = '';
    const code = await auditTool(words, {
      environment: { ...environment, APPLIANCE_BOT_CONFIG: policy },
      write: async (text) => {
        said += text;
      },
      complain: (text) => {
        said += text;
      },
      now: () => clock.at,
    });
    return { code, said };
  };
  const chain = () => store.quick.selectFrom('audit').selectAll().orderBy('seq').execute();
  const scene: Scene = {
    ...{ journal, store, clock, chain, policy },
    hold: async (seq) => {
      const { digest, at } = (await chain()).find((row) => row.seq === seq) ?? { digest: '', at: 0 };
      return `${seq}:${digest.slice(0, 24)}@${new Date(at).toISOString()}`;
    },
    verify: (...holds) => run(['verify', ...holds.flatMap((held) => ['--holds', held])]),
    reseal: async (from, forge = () => ({})) => {
      const rows = await chain();
      let digest = rows.findLast(({ seq }) => seq < from)?.digest ?? '';
      for (const row of rows.filter(({ seq }) => seq >= from)) {
        const forged = { ...row, ...forge(row) };
        digest = digestOf(forged, digest);
        await store.quick
          .updateTable('audit')
          .set({ ...forged, digest })
          .where('seq', '=', row.seq)
          .execute();
      }
    },
  };
  await ask(scene, count);
  return scene;
}

/** So many are asked, an hour each, and recorded: every third by U0, every second one refused. */
async function ask({ journal, clock }: Scene, many: number): Promise<void> {
  for (let number = 1; number <= many; number += 1) {
    clock.at += hour;
    await journal.write({
      state: number % 2 === 0 ? 'refused' : 'done',
      ...{ team: 'T1', channel: 'C1', person: `U${number % 3}`, line: `rdp sessions ${number}` },
      ...{ phrase: 'rdp sessions', effect: 'read', appliance: 'hq', policy: 'abc', allowedBy: ['viewer'] },
      outcome: { code: 'answered', says: 'So it is.' },
    });
  }
  while ((await journal.record(recorder)) > 0);
}

/** An attacker makes deleted records look pruned. */
async function fakePrune({ store: { quick }, chain, clock }: Scene, upto: number): Promise<void> {
  const last = (await chain()).find(({ seq }) => seq === upto);
  await quick
    .insertInto('audit_pruned')
    .values({ upto, digest: last?.digest ?? '', at: clock.at })
    .execute();
  await quick.deleteFrom('actions').where('recorded', '<=', upto).execute();
  await quick.deleteFrom('audit').where('seq', '<=', upto).execute();
}

const broken = (says: string | RegExp) => (found: { readonly code: number; readonly said: string }) => {
  expect(found.said).toMatch(new RegExp(says));
  expect(found.said).toContain('BROKEN');
  expect(found.code).toBe(1);
};

/** Whatever is tried, the chain was in order before, with everything that was held. */
async function inOrder({ verify, hold }: Scene): Promise<readonly string[]> {
  const held = await Promise.all([1, 3, 7, count].map(hold));
  expect(await verify(...held)).toMatchObject({ code: 0 });
  return held;
}

function rows(home: keyof typeof homes): readonly Attack[] {
  const tamper = (
    attack: string,
    must: string,
    how: (scene: Scene) => Promise<unknown>,
    says: string | RegExp,
    { held = false } = {},
  ): Attack => ({
    attack,
    must,
    tryIt: async () => {
      const scene = await sceneIn(home);
      const holds = await inOrder(scene);
      await how(scene);
      broken(says)(await scene.verify(...(held ? holds : [])));
    },
  });
  const anchored = { held: true };

  return [
    tamper(
      'the first records are deleted',
      'they are missing',
      ({ store: { quick } }) => quick.deleteFrom('audit').where('seq', '<', 4).execute(),
      'Records 1 to 3 are missing before record 4',
    ),
    tamper(
      'a record in the middle is deleted',
      'it is missing',
      ({ store: { quick } }) => quick.deleteFrom('audit').where('seq', '=', 7).execute(),
      'Record 7 is missing before record 8',
    ),
    tamper(
      'the newest records are deleted, and nothing else',
      'they are missing, because their actions are still there',
      ({ store: { quick } }) => quick.deleteFrom('audit').where('seq', '>', 8).execute(),
      'Records 9 to 12 are missing at the end',
    ),
    tamper(
      'the newest records are deleted with their actions',
      'whoever holds one of them finds out',
      async ({ store: { quick } }) => {
        await quick.deleteFrom('audit').where('seq', '>', 8).execute();
        await quick.deleteFrom('actions').where('recorded', '>', 8).execute();
      },
      'Record 12 is missing: the newest is record 8',
      anchored,
    ),
    tamper(
      'the newest records are deleted with their actions, and others take their numbers',
      'whoever holds one of them finds out',
      async (scene) => {
        await scene.store.quick.deleteFrom('audit').where('seq', '>', 8).execute();
        await scene.store.quick.deleteFrom('actions').where('recorded', '>', 8).execute();
        await ask(scene, 20);
      },
      /Record 12 has the digest [0-9a-f]{64}, but [0-9a-f]+ was expected/,
      anchored,
    ),
    tamper(
      'records are deleted and a prune is faked that cuts just there',
      'a held one was not old enough',
      (scene) => fakePrune(scene, 5),
      /Record 1 was pruned, although it is dated .* and the policy keeps records for 30 days/,
      anchored,
    ),
    {
      attack: 'a prune is faked, and whoever holds a record did not write down when it was',
      must: 'the tool does not take it for old enough, and says what it needs',
      tryIt: async () => {
        const scene = await sceneIn(home);
        const [first = ''] = (await scene.hold(1)).split('@');
        expect(await scene.verify(first)).toMatchObject({ code: 0 });
        await fakePrune(scene, 5);
        broken(/Record 1 was pruned, and nothing shows that it was old enough.*1:[0-9a-f]+@/)(
          await scene.verify(first),
        );
      },
    },
    tamper(
      'a prune is faked with another digest',
      'the rest does not follow it',
      async (scene) => {
        await fakePrune(scene, 5);
        await scene.store.quick
          .updateTable('audit_pruned')
          .set({ digest: 'f'.repeat(64) })
          .execute();
      },
      'Record 6 .* does not follow the pruned records',
    ),
    tamper(
      'everything is deleted, and a prune is faked that reaches far beyond',
      'a held one was not old enough',
      async (scene) => {
        await fakePrune(scene, count);
        await scene.store.quick.updateTable('audit_pruned').set({ upto: 1_000_000 }).execute();
      },
      'Record 1 was pruned, although',
      anchored,
    ),
    {
      attack: 'a prune is faked with a digest of its own, and nothing is left that would have to follow it',
      must: 'whoever holds the record at which it cuts finds out',
      tryIt: async () => {
        const scene = await sceneIn(home);
        await inOrder(scene);
        const last = await scene.hold(count);
        scene.clock.at += 40 * day;
        await fakePrune(scene, count);
        await scene.store.quick
          .updateTable('audit_pruned')
          .set({ digest: 'f'.repeat(64) })
          .execute();
        broken('Record 12, the last pruned record, had the digest f{64}, but [0-9a-f]+ was expected')(
          await scene.verify(last),
        );
      },
    },
    {
      attack: 'records are pruned as the policy says',
      must: 'nobody is alarmed, with the time of a record or without',
      tryIt: async () => {
        const scene = await sceneIn(home);
        const held = await inOrder(scene);
        scene.clock.at += 31 * day;
        expect(await scene.journal.prune(scene.clock.at - 30 * day)).toBe(count);
        await ask(scene, 3);
        const bare = held.map((one) => one.split('@')[0] ?? '');
        expect(await scene.verify(...held)).toMatchObject({ code: 0 });
        // No remaining record is old enough to explain the missing ones.
        broken('nothing shows that it was old enough')(await scene.verify(...bare));
        scene.clock.at += 31 * day;
        expect(await scene.verify(...bare)).toMatchObject({ code: 0 });
      },
    },
    {
      attack: 'a prune is faked where the policy keeps records for ever',
      must: 'whatever is held and gone was deleted by somebody else',
      tryIt: async () => {
        const scene = await sceneIn(home, '{}');
        const held = await inOrder(scene);
        scene.clock.at += 4_000 * day;
        await fakePrune(scene, 5);
        broken('Record 1 was pruned, but the policy keeps records forever')(await scene.verify(...held));
      },
    },
    tamper(
      'records are made older than they are, so that the bot itself prunes them',
      'the bot does not prune what is not as it was written',
      async ({ store: { quick }, journal, clock }) => {
        await quick.updateTable('audit').set({ at: 1 }).where('seq', '<', 9).execute();
        expect(await journal.prune(clock.at - 30 * day)).toBe(0);
      },
      'Record 1 .* was changed',
    ),
    tamper(
      'the time of a record is changed',
      'its digest differs',
      ({ store: { quick } }) => quick.updateTable('audit').set({ at: noon }).where('seq', '=', 7).execute(),
      'Record 7 .* was changed',
    ),
    tamper(
      'one word of a record is changed',
      'its digest differs',
      ({ store: { quick } }) =>
        quick
          .updateTable('audit')
          .set({ record_json: sql<string>`replace(record_json, 'U1', 'U2')` })
          .where('seq', '=', 7)
          .execute(),
      'Record 7 .* was changed',
    ),
    tamper(
      'a record is written otherwise, so that it says the same to whoever reads it as JSON',
      'its digest differs',
      ({ store: { quick } }) =>
        quick
          .updateTable('audit')
          .set({ record_json: sql<string>`replace(record_json, '{"version":1', '{ "version":1')` })
          .where('seq', '=', 7)
          .execute(),
      'Record 7 .* was changed',
    ),
    tamper(
      'a name stands twice in a record, so that the first reader sees one and the next reader another',
      'its digest differs',
      ({ store: { quick } }) =>
        quick
          .updateTable('audit')
          .set({
            record_json: sql<string>`replace(record_json, '{"version":1', '{"person":"U2","version":1')`,
          })
          .where('seq', '=', 7)
          .execute(),
      'Record 7 .* was changed',
    ),
    tamper(
      'a record is given to another action',
      'its digest differs',
      ({ store: { quick } }) =>
        quick.updateTable('audit').set({ action: 'another' }).where('seq', '=', 7).execute(),
      'Record 7 .* was changed',
    ),
    tamper(
      'two records change places',
      'the first of them is named',
      async ({ store: { quick } }) => {
        for (const [from, to] of [
          [7, -7],
          [8, 7],
          [-7, 8],
        ] as const) {
          await quick.updateTable('audit').set({ seq: to }).where('seq', '=', from).execute();
        }
      },
      'Record 7 .* was changed',
    ),
    ...(
      [
        ['is no JSON', () => '{'],
        ['says nothing', () => 'null'],
        ['is a list', () => '[]'],
        ['has no state that there is', (json: string) => json.replace('"state":"', '"state":"not ')],
        ['has something else for a list', (json: string) => json.replace('"requests":[]', '"requests":7')],
      ] as const
    ).map(([what, forged]) =>
      tamper(
        `a record that was recorded again ${what}, and the chain is computed anew`,
        'the tool names its number, and does not break',
        async ({ reseal, journal, store: { quick }, chain }) => {
          const { action = '' } = (await chain())[6] ?? {};
          await quick.updateTable('actions').set({ recorded: null }).where('id', '=', action).execute();
          await journal.record(recorder);
          await reseal(7, ({ seq, record_json }) => (seq === 7 ? { record_json: forged(record_json) } : {}));
        },
        'Record 7 \\(action .*\\) cannot be read\\.',
      ),
    ),
    tamper(
      'the whole chain is computed anew without one deed',
      'whoever holds any later record finds out',
      async ({ reseal, store: { quick } }) => {
        await reseal(4, ({ seq, record_json }) =>
          seq === 4 ? { record_json: record_json.replace('rdp sessions 4', 'rdp sessions 9') } : {},
        );
        await quick
          .updateTable('actions')
          .set({ line: 'rdp sessions 9' })
          .where('recorded', '=', 4)
          .execute();
      },
      'Record 7 has the digest',
      anchored,
    ),
    {
      attack: 'a chain is computed anew until its first digits are those that somebody holds',
      must: 'fewer than twelve digits are no proof, and are not taken for one',
      tryIt: async () => {
        const { verify, chain } = await sceneIn(home);
        const digest = (await chain())[6]?.digest ?? '';
        const { code, said } = await verify(`7:${digest.slice(0, 11)}`);
        expect(code).toBe(2);
        expect(said).toContain('at least 12 digits');
      },
    },
    {
      attack: 'the terms by which records are found are emptied',
      must: 'the first record that is not found any more is named',
      tryIt: async () => {
        const scene = await sceneIn(home);
        await inOrder(scene);
        await scene.store.quick
          .updateTable('audit_index')
          .set({ bits: '' })
          .where('term', '=', 'by:U0')
          .execute();
        expect((await scene.journal.findRecords({ by: 'U0' }, 10)).count).toBe(0);
        broken('Record 3 .* is not indexed under by:U0')(await scene.verify());
      },
    },
    tamper(
      'all terms are deleted',
      'the first record that is not found any more is named',
      ({ store: { quick } }) => quick.deleteFrom('audit_index').execute(),
      'Record 1 .* is not indexed under ',
    ),
    tamper(
      'one record is taken out of a term',
      'it is named',
      async ({ store: { quick } }) =>
        quick
          .transaction()
          .execute((transaction) => mark(transaction, [{ seq: 6, terms: ['denied'], found: false }])),
      'Record 6 .* is not indexed under denied',
    ),
    tamper(
      'somebody is blamed by a term for what another one did',
      'the record is named',
      async ({ store: { quick } }) =>
        quick
          .transaction()
          .execute((transaction) => mark(transaction, [{ seq: 5, terms: ['by:U9'], found: true }])),
      'Record 5 .* is indexed under by:U9',
    ),
    tamper(
      'the row of an action is changed behind its record',
      'it does not say the same any more',
      ({ store: { quick } }) =>
        quick.updateTable('actions').set({ person: 'U9' }).where('recorded', '=', 7).execute(),
      'Record 7 .* differs from its action: person',
    ),
    tamper(
      'how an action ended is changed behind its record',
      'it does not say the same any more',
      ({ store: { quick } }) =>
        quick
          .updateTable('actions')
          .set({ outcome_json: '{"code":"answered","says":"Nothing."}' })
          .where('recorded', '=', 7)
          .execute(),
      'Record 7 .* differs from its action: outcome',
    ),
    tamper(
      'the row of an action is changed, and the bot is made to record it again',
      'the two records contradict each other',
      async ({ store: { quick }, journal }) => {
        await quick
          .updateTable('actions')
          .set({ person: 'U9', recorded: null })
          .where('recorded', '=', 7)
          .execute();
        await journal.record(recorder);
      },
      'Record 13 .* contradicts record 7 of the same action: person',
    ),
    tamper(
      'what was sent for an action is deleted, and the bot is made to record it again',
      'the later record has lost what the earlier one had',
      async ({ store: { quick }, journal, chain }) => {
        const { action = '' } = (await chain())[6] ?? {};
        const content = {
          ...{ appliance: 'hq', operation: 'rdp.restart', effect: 'destructive', method: 'GET' },
          ...{ path: '/restart', attempt: 1, durationMs: 5 },
        };
        await journal.note(action, { kind: 'request', content });
        await journal.record(recorder);
        await quick.deleteFrom('events').execute();
        await quick.updateTable('actions').set({ recorded: null }).where('id', '=', action).execute();
        await journal.record(recorder);
      },
      'Record 14 .* contradicts record 13 of the same action: requests',
    ),
    tamper(
      'an action is deleted behind its record',
      'the record is about nothing',
      ({ store: { quick } }) => quick.deleteFrom('actions').where('recorded', '=', 7).execute(),
      'Record 7 belongs to action .*, which is not in the journal',
    ),
    tamper(
      'a record of something that never happened is added at the end, well sealed',
      'it is about nothing',
      async ({ store: { quick }, chain }) => {
        const last = (await chain()).at(-1);
        if (last === undefined) throw new Error('There are records');
        const record = { ...JSON.parse(last.record_json), action: 'made-up', person: 'U9' };
        const link = {
          ...{ seq: last.seq + 1, action: 'made-up', at: last.at },
          record_json: JSON.stringify(record),
        };
        await quick
          .insertInto('audit')
          .values({ ...link, digest: digestOf(link, last.digest) })
          .execute();
        await quick
          .transaction()
          .execute((transaction) =>
            mark(transaction, [{ seq: link.seq, terms: termsOf(record), found: true }]),
          );
      },
      'Record 13 belongs to action made-up, which is not in the journal',
    ),
    tamper(
      'an action that is over is said to be recorded already, so that it never is',
      'it has no record',
      async ({ store: { quick }, journal }) => {
        const { id } = await journal.write({
          ...{ state: 'done', team: 'T1', channel: 'C1', person: 'U1', line: 'status' },
        });
        await quick.updateTable('actions').set({ recorded: 4 }).where('id', '=', id).execute();
      },
      /Action .* refers to record 4, which belongs to another action/,
    ),
    tamper(
      'a record is added before the first, where the chain is not looked at but people are shown it',
      'there are more records than the chain has links',
      async ({ store: { quick }, chain }) => {
        const [first] = await chain();
        if (first === undefined) throw new Error('There are records');
        await quick
          .insertInto('audit')
          .values({ ...first, seq: -5 })
          .execute();
      },
      'Record -5 .* comes before the first record',
    ),
    {
      attack: 'a record is written twice under one number',
      must: 'the database refuses it; where its rule is taken away first, the number is named',
      tryIt: async () => {
        const scene = await sceneIn(home);
        await inOrder(scene);
        const { quick } = scene.store;
        const twice = sql`insert into audit select seq, action, at, record_json, digest from audit where seq = 7`;
        await expect(twice.execute(quick)).rejects.toThrow();
        await sql`alter table audit rename to kept_away`.execute(quick);
        await sql`create table audit as select * from kept_away`.execute(quick);
        try {
          await twice.execute(quick);
          broken('Record 7 .* exists twice')(await scene.verify());
        } finally {
          await sql`drop table audit`.execute(quick);
          await sql`alter table kept_away rename to audit`.execute(quick);
        }
      },
    },
    {
      attack: 'the tool is run while the bot records, again and again',
      must: 'it sees one moment, and nobody is alarmed',
      tryIt: async () => {
        const scene = await sceneIn(home);
        const held = await scene.hold(7);
        let isOver = false;
        const recording = ask(scene, 60).finally(() => {
          isOver = true;
        });
        do expect(await scene.verify(held)).toMatchObject({ code: 0 });
        while (!isOver);
        await recording;
      },
    },
    {
      attack: 'the policy file is put out of the way',
      must: 'what is held and was pruned does not pass, and nobody takes that for a broken chain',
      tryIt: async () => {
        const scene = await sceneIn(home);
        const held = await scene.hold(1);
        scene.clock.at += 31 * day;
        await scene.journal.prune(scene.clock.at - 30 * day);
        expect(await scene.verify(held)).toMatchObject({ code: 0 });
        rmSync(scene.policy);
        const { code, said } = await scene.verify(held);
        expect(code).toBe(2);
        expect(said).toContain('the retention period cannot be read');
        expect(await scene.verify()).toMatchObject({ code: 0 });
      },
    },
    {
      attack: 'keep is made shorter in the policy file, so that a faked prune passes',
      must: 'what is younger than the least that a policy takes never does',
      tryIt: async () => {
        const scene = await sceneIn(home);
        const held = await scene.hold(1);
        await fakePrune(scene, 5);
        writeFileSync(scene.policy, policyWith('{ keep: 1h }'));
        const { code, said } = await scene.verify(held);
        expect(code).toBe(2);
        expect(said).toContain('appliance-bot policy check');
      },
    },
  ];
}

/** Columns of an action that its record does not repeat: buttons with their questions, holder and place. */
const untold = new Set(
  [
    ...['token', 'expires_at', 'preview_json', 'card', 'consent_json'],
    ...['replica', 'held_by', 'held_since', 'dedupe_key', 'delivery'],
    ...['thread', 'direct', 'reference'],
    // The parent and the due time decide when an action runs; its line tells them, too.
    ...['plan', 'step', 'left_json', 'request_json', 'undoes', 'run_at'],
    // Which of them came first. The records have an order of their own, and say when each was asked.
    ...['asked_seq', 'ran_seq'],
  ].map((column) => `actions.${column}`),
);

/** Something else; of the bits at the end of a block nobody is found, so these are emptied. */
function other(column: string, value: unknown): unknown {
  if (typeof value === 'number') return value + 7;
  if (value === null) return '"x"';
  if (column === 'bits') return '';
  return value === 'done' ? 'failed' : `${String(value)}x`;
}

/** For one store is enough: they take the same way. */
const once: readonly Attack[] = [
  {
    attack: 'any one field of any table that a record comes from or is found by is changed',
    must: 'it is found, but for those that no record tells of',
    tryIt: async () => {
      const scene = await sceneIn('SQLite');
      await scene.journal.write({
        ...{
          state: 'done',
          team: 'T1',
          channel: 'C1',
          person: 'U1',
          line: 'acl objects',
          phrase: 'acl objects',
        },
        interaction: { kind: 'export', format: 'csv', rows: 3, filter: null, of: null },
      });
      await scene.journal.record(recorder);
      await inOrder(scene);
      const { quick } = scene.store;
      const unnoticed: string[] = [];
      for (const table of ['audit', 'audit_index', 'actions'] as const) {
        const all = await quick.selectFrom(table).selectAll().execute();
        for (const column of Object.keys(all[0] ?? {})) {
          await quick.deleteFrom(table).execute();
          // The last one, which is an interaction.
          const changed = all.map((row, index) =>
            index === all.length - 1 ? { ...row, [column]: other(column, Reflect.get(row, column)) } : row,
          );
          await quick.insertInto(table).values(changed).execute();
          if ((await scene.verify()).code !== 1) unnoticed.push(`${table}.${column}`);
          await quick.deleteFrom(table).execute();
          await quick.insertInto(table).values(all).execute();
        }
      }
      expect(await scene.verify()).toMatchObject({ code: 0 });
      expect(new Set(unnoticed)).toEqual(untold);
    },
  },
  {
    attack: 'a record is written twice just where the tool begins to read anew',
    must: 'the number is named',
    tryIt: async () => {
      const scene = await sceneIn('SQLite');
      await ask(scene, 1_001 - count);
      const { quick } = scene.store;
      expect(await scene.verify()).toMatchObject({ code: 0 });
      await sql`alter table audit rename to kept_away`.execute(quick);
      await sql`create table audit as select * from kept_away`.execute(quick);
      await sql`insert into audit select * from audit where seq = 1000`.execute(quick);
      broken('Record 1000 .* exists twice')(await scene.verify());
    },
  },
];

attacks('the chain of records in an SQLite file', [...rows('SQLite'), ...once]);
attacks('the chain of records in a PostgreSQL', rows('PostgreSQL'));

/** The person and the outcome of each record without a typed line. */
async function witnessed({ bot, pass }: Conversation): Promise<readonly string[]> {
  await pass(2_000);
  const { records } = await bot.journal.findRecords({}, 100);
  return records.flatMap(({ record: { interaction, person, line, outcome, searches } }) =>
    interaction === null
      ? []
      : [[person, line, outcome?.code, ...searches.map(({ count: times }) => times)].join(' ')],
  );
}

attacks('what is done without a line', [
  {
    attack: 'the rows of somebody else’s answer are taken away, filtered and whole',
    must: 'each file is recorded with whoever took it',
    tryIt: async () => {
      const conversation = await converse();
      await conversation.type('/appliance acl objects');
      await conversation.press('JSON', 'vic');
      await conversation.press('CSV', 'bob');
      expect(await witnessed(conversation)).toEqual([
        'U0BOB00001 acl objects exported',
        'U0VIC00001 acl objects exported',
      ]);
    },
  },
  {
    attack: 'somebody without rights presses every button of an answer',
    must: 'each click is recorded as denied',
    tryIt: async () => {
      const conversation = await converse();
      const { type, press } = conversation;
      await type('/appliance acl objects');
      for (const button of ['Next ▶', 'CSV', 'JSON', 'Filter…']) await press(button, 'gus');
      expect(await witnessed(conversation)).toEqual(Array(4).fill('U0GUS00001 acl objects guest'));
      expect((await conversation.bot.journal.findRecords({ denied: true, by: 'U0GUS00001' }, 9)).count).toBe(
        4,
      );
    },
  },
  {
    attack: 'somebody without the role presses every button of other people’s cards',
    must: 'an auditor finds each click by who pressed, as denied, and in the record of the change as well',
    tryIt: async () => {
      const conversation = await needing();
      const { type, press, bot } = conversation;
      const vic = 'U0VIC00001';
      await type('/appliance rdp disconnect 12');
      for (const button of ['Approve', 'Deny…', 'Withdraw']) await press(button, 'vic');
      await press('Approve', 'alice');
      await press('Approve', 'carol');
      await type('/appliance acl object delete 3', 'dana');
      for (const button of ['Delete', 'Cancel']) await press(button, 'vic');
      await press('Cancel', 'dana');
      expect((await witnessed(conversation)).toSorted()).toEqual([
        'U0ALICE001 rdp disconnect 12 own_request',
        'U0VIC00001 acl object delete 3 not_yours',
        'U0VIC00001 acl object delete 3 not_yours',
        'U0VIC00001 rdp disconnect 12 not_an_approver',
        'U0VIC00001 rdp disconnect 12 not_an_approver',
        'U0VIC00001 rdp disconnect 12 not_yours_to_withdraw',
      ]);
      const { records } = await bot.journal.findRecords({ denied: true, by: vic }, 9);
      expect(records).toHaveLength(5);
      expect(records.at(-1)?.record).toMatchObject({
        ...{ person: vic, command: 'rdp disconnect', appliances: ['hq'], preview: null },
        interaction: { kind: 'refused_click', button: 'approve', of: expect.any(String) },
        decision: { allowed: false, code: 'not_an_approver' },
      });
      const changes = await bot.journal.findRecords({ changes: true }, 9);
      expect(changes.records.map(({ record }) => record.refusedClicks.length)).toEqual([2, 4]);
      expect(await type('/appliance audit --by @vic --denied', 'dana')).toContain('5 actions');
    },
  },
  {
    attack: 'the form that asks why something is denied is sent by somebody who has lost the role meanwhile',
    must: 'nothing is denied, and it is recorded as a click that was refused, with whoever sent it',
    tryIt: async () => {
      const conversation = await under(
        { approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: 'approver' }] },
        { roles: { operator: ['U0BOB00001', 'U0VIC00001'], approver: ['S0APPROVER', 'U0DANA0001'] } },
      );
      const { type, press, person, workspace, bot } = conversation;
      await type('/appliance rdp disconnect 12', 'bob');
      await press('Deny…', 'carol');
      await person('carol').fill({ Reason: 'not now' });
      await workspace.changeUserGroup('S0APPROVER', { users: [] });
      await person('carol').submit();
      await bot.idle();
      expect(conversation.read('carol')).toContain('This requires the approver role');
      expect(conversation.read('bob')).toContain('[Approve]');
      expect((await witnessed(conversation)).toSorted()).toEqual([
        'U0CAROL001 rdp disconnect 12 form_opened',
        'U0CAROL001 rdp disconnect 12 not_an_approver',
      ]);
      await press('Withdraw', 'bob');
      await conversation.pass(2_000);
      const { records } = await bot.journal.findRecords({ changes: true }, 9);
      expect(records[0]?.record.refusedClicks).toMatchObject([
        { person: 'U0CAROL001', button: 'deny', code: 'not_an_approver' },
      ]);
    },
  },
  {
    attack: 'a form is opened to read the lists of an appliance in it, and never sent',
    must: 'it is recorded, and how often was searched when its time is over',
    tryIt: async () => {
      const conversation = await converse();
      const { type, person, pass } = conversation;
      await type('/appliance acl object disable', 'dana');
      for (const words of ['a', 'b', 'c']) await person('dana').search('ACL object', words);
      await person('dana').dismiss();
      expect(await witnessed(conversation)).toEqual(['U0DANA0001 acl object disable form_opened']);
      await pass(61 * 60_000);
      expect(await witnessed(conversation)).toEqual(['U0DANA0001 acl object disable form_opened 3']);
    },
  },
]);
