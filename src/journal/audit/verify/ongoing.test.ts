import { describe, expect, test } from 'vitest';
import { allOf, type Opened, openIn, recordSome } from '../../../../test/audit-records.ts';
import { stores } from '../../../../test/stores.ts';
import type { Store } from '../../database.ts';
import { digestOf } from '../hash-chain.ts';
import type { Break } from './chain.ts';

const day = 24 * 60 * 60_000;
const piece = 10;

/** Goes on until nothing is left: how many pieces that were, and what was told. */
async function verifyAll({ journal }: Pick<Opened, 'journal'>) {
  const told: (string | Break['says'])[] = [];
  for (let pieces = 1; ; pieces += 1) {
    const { isMore, news } = await journal.verifyNext(piece);
    if (news !== undefined) told.push(news === 'intact' ? news : news.says);
    if (!isMore) return { pieces, told };
    expect(pieces, 'comes to an end').toBeLessThan(50);
  }
}

const nothingLeft = { pieces: 1, told: [] };

/** As somebody would who can write to the database: a chain that is right in itself, with another word in one record. */
async function computeAnew({ quick }: Store, from: number): Promise<void> {
  const rows = await quick
    .selectFrom('audit')
    .selectAll()
    .where('seq', '>=', from - 1)
    .orderBy('seq')
    .execute();
  let previous = rows.shift()?.digest ?? '';
  for (const row of rows) {
    const forged = { ...row, record_json: row.record_json.replace('status', 'statue') };
    previous = digestOf(forged, previous);
    await quick
      .updateTable('audit')
      .set({ record_json: forged.record_json, digest: previous })
      .where('seq', '=', row.seq)
      .execute();
    await quick
      .updateTable('actions')
      .set({ line: row.record_json.includes('status') ? JSON.parse(forged.record_json).line : '' })
      .where('id', '=', row.action)
      .execute();
  }
}

describe.each(stores)('in $store, of records', (kind) => {
  const open = () => openIn(kind);

  test('all are verified in pieces, the newest after they came, and all of them again a day later', async () => {
    const opened = await open();
    expect(await verifyAll(opened)).toEqual(nothingLeft);
    await recordSome(opened, 45);
    expect((await verifyAll(opened)).pieces).toBeGreaterThanOrEqual(5);
    expect(await verifyAll(opened)).toEqual(nothingLeft);
    await recordSome(opened, 3);
    expect((await verifyAll(opened)).pieces).toBe(2);
    opened.clock.at += day;
    expect((await verifyAll(opened)).pieces).toBeGreaterThanOrEqual(5);
    expect(await verifyAll(opened)).toEqual(nothingLeft);
  });

  test('those that were verified are not by the next process, nor by another replica', async () => {
    const opened = await open();
    await recordSome(opened, 45);
    await verifyAll(opened);
    expect(await verifyAll({ journal: await opened.other() })).toEqual(nothingLeft);
  });

  test('of several replicas that verify at once, none does what another does', async () => {
    const opened = await open();
    await recordSome(opened, 45);
    const other = { journal: await opened.other() };
    const both = await Promise.all([verifyAll(opened), verifyAll(other)]);
    expect(both.flatMap(({ told }) => told)).toEqual([]);
    expect(await verifyAll(other)).toEqual(nothingLeft);
  });

  test.each<readonly [string, (store: Store) => Promise<unknown>, string]>([
    [
      'a word',
      ({ quick }) =>
        quick.updateTable('audit').set({ record_json: '{"version":1}' }).where('seq', '=', 7).execute(),
      'Record 7 ',
    ],
    [
      'that one is there',
      ({ quick }) => quick.deleteFrom('audit').where('seq', '=', 7).execute(),
      'Record 7 is missing before record 8',
    ],
    [
      'that the first ones are there',
      ({ quick }) => quick.deleteFrom('audit').where('seq', '<', 7).execute(),
      'Records 1 to 6 are missing before record 7',
    ],
    [
      'that nothing comes before the first',
      async ({ quick }) => {
        const { seq: _, ...row } = await quick
          .selectFrom('audit')
          .selectAll()
          .where('seq', '=', 7)
          .executeTakeFirstOrThrow();
        await quick
          .insertInto('audit')
          .values({ ...row, seq: -1 })
          .execute();
      },
      'Record -1 ',
    ],
    [
      'who asked for its action',
      ({ quick }) => quick.updateTable('actions').set({ person: 'U9' }).where('recorded', '=', 7).execute(),
      'Record 7 ',
    ],
    [
      'that its action is there',
      ({ quick }) => quick.deleteFrom('actions').where('recorded', '=', 7).execute(),
      'Record 7 belongs to action',
    ],
  ])('it is found within a day, and told once, when somebody changes %s', async (_, tamper, says) => {
    const opened = await open();
    await recordSome(opened, 20);
    await verifyAll(opened);
    await tamper(opened.store);
    expect((await opened.journal.figures()).isAuditIntact).toBe(true);
    opened.clock.at += day;
    expect((await verifyAll(opened)).told).toEqual([expect.stringContaining(says)]);
    expect((await opened.journal.figures()).isAuditIntact).toBe(false);
    opened.clock.at += day;
    expect(await verifyAll(opened)).toEqual(nothingLeft);
    await recordSome(opened, 3);
    expect((await verifyAll(opened)).told, 'records that came later are as they should be').toEqual([]);
    expect((await opened.journal.figures()).isAuditIntact).toBe(false);
  });

  test.each<readonly [string, (store: Store) => Promise<unknown>, string]>([
    [
      'the newest is changed',
      ({ quick }) =>
        quick.updateTable('audit').set({ record_json: '{"version":1}' }).where('seq', '=', 22).execute(),
      'Record 22 ',
    ],
    [
      'the end is cut off with its actions, as if it had never been',
      async ({ quick }) => {
        await quick.deleteFrom('actions').where('recorded', '>', 15).execute();
        await quick.deleteFrom('audit').where('seq', '>', 15).execute();
      },
      'Record 20 is missing, and was there before',
    ],
    [
      'the chain is computed anew from a record on, actions and all',
      (store) => computeAnew(store, 7),
      'Record 20 was replaced after it had been verified',
    ],
  ])('it is found as soon as new ones came that %s', async (_, tamper, says) => {
    const opened = await open();
    await recordSome(opened, 20);
    await verifyAll(opened);
    await recordSome(opened, 3);
    await tamper(opened.store);
    expect((await verifyAll(opened)).told).toEqual([expect.stringContaining(says)]);
    expect((await verifyAll(opened)).told).toEqual([]);
  });

  test('that all are as they were written again is told, when a day later nothing is found', async () => {
    const opened = await open();
    await recordSome(opened, 20);
    await verifyAll(opened);
    const { quick } = opened.store;
    const wrong = quick.updateTable('audit').where('seq', '=', 7);
    const seventh = (await allOf(opened.journal)).find(({ seq }) => seq === 7);
    await wrong.set({ digest: 'f00' }).execute();
    opened.clock.at += day;
    await verifyAll(opened);
    await wrong.set({ digest: seventh?.digest ?? '' }).execute();
    expect(await verifyAll(opened)).toEqual(nothingLeft);
    opened.clock.at += day;
    expect((await verifyAll(opened)).told).toEqual(['intact']);
    expect((await opened.journal.figures()).isAuditIntact).toBe(true);
  });

  test('those that are deleted because they are old are missed by nobody, also where that overtakes it', async () => {
    const opened = await open();
    const { journal, clock } = opened;
    const began = clock.at;
    await recordSome(opened, 45);
    await journal.verifyNext(piece);
    expect(await journal.prune(began + 30_000)).toBeGreaterThan(20);
    expect((await verifyAll(opened)).told).toEqual([]);
    clock.at += day;
    expect((await verifyAll(opened)).told).toEqual([]);
    await journal.prune(clock.at + 1);
    expect((await verifyAll(opened)).told).toEqual([]);
    clock.at += day;
    await recordSome(opened, 3);
    expect((await verifyAll(opened)).told).toEqual([]);
    expect((await journal.figures()).isAuditIntact).toBe(true);
  });

  test('those after a restore go on from where it says', async () => {
    const opened = await open();
    const { journal, clock } = opened;
    await recordSome(opened, 20);
    await verifyAll(opened);
    await journal.beginGeneration(20, { knownUntil: clock.at, saidUntil: clock.at + 1 });
    await recordSome(opened, 12);
    expect((await verifyAll(opened)).told).toEqual([]);
    clock.at += day;
    expect((await verifyAll(opened)).told).toEqual([]);
    expect((await journal.figures()).isAuditIntact).toBe(true);
  });
});
