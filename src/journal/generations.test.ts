import { describe, expect, onTestFinished, test } from 'vitest';
import { startOne } from '../../test/start-one.ts';
import { type Kind, stores } from '../../test/stores.ts';
import { heldOf } from './audit/hash-chain.ts';
import { verifyRecords } from './audit/verify/verify.ts';
import type { Store } from './database.ts';
import type { Journal, Recorder } from './journal.ts';

const recorder: Recorder = {
  commandOf: ({ phrase }) => phrase,
  isDenied: () => false,
  previewOf: () => ({ question: '', fields: [] }),
  isWithheld: () => false,
  announce: () => [],
};

interface Opened {
  readonly store: Store;
  readonly journal: Journal;
  readonly clock: { at: number };
}

const noon = Date.UTC(2027, 0, 1, 12);
const lost = { knownUntil: noon + 3_000, saidUntil: noon + 60_000 };

async function openIn({ newPlace, open }: Kind): Promise<Opened> {
  const clock = { at: noon };
  const place = await newPlace();
  const journal = await open(place, clock, 'first');
  const store = place();
  onTestFinished(() => store.close());
  return { store, journal, clock };
}

/** So many lookups that are over and recorded, one a second. */
async function recordSome({ journal, clock }: Opened, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    clock.at += 1_000;
    await journal.write({ state: 'done', team: 'T1', channel: 'C1', person: 'U1', line: `status ${number}` });
  }
  while ((await journal.record(recorder)) > 0);
}

const seqsIn = async ({ journal }: Opened) =>
  (await journal.findRecords({}, 100)).records.map(({ seq }) => seq).toReversed();

const verified = ({ store, clock }: Opened, ...held: readonly string[]) =>
  verifyRecords(store, {
    held: held.map((one) => {
      const [seq, digest = ''] = one.split(/[:@]/);
      return { seq: Number(seq), digest, at: undefined };
    }),
    keep: () => undefined,
    now: clock.at,
  });

describe.each(stores)('in $store', (kind) => {
  test('a journal names itself when it is made, and bears that name for as long as nothing is lost', async () => {
    const place = await kind.newPlace();
    const journal = await kind.open(place, { at: noon });
    const [made, ...more] = await journal.generations();
    expect(made).toMatchObject({ number: 1, beganAt: noon, follows: 0, first: 1 });
    expect(more).toEqual([]);
    await journal.close();
    const again = await kind.open(place, { at: noon + 5 });
    expect(await again.generations()).toEqual([made]);
    const other = await kind.open();
    expect((await other.generations())[0]?.id).not.toBe(made?.id);
  });

  test('after a restore the records go on with numbers that were never given, from a digest that names what is lost', async () => {
    const opened = await openIn(kind);
    await recordSome(opened, 3);
    const announced = { seq: 5, held: '5:9f3ab0c4d5119f3ab0c4d511@2027-01-01T12:00:05Z' };
    const next = await opened.journal.beginGeneration(1, { ...lost, record: announced });
    expect(next).toMatchObject({ number: 2, follows: 3, first: 10_001, knownUntil: noon + 3_000 });
    expect((await verified(opened)).broken).toBeUndefined();
    await recordSome(opened, 2);
    expect(await seqsIn(opened)).toEqual([1, 2, 3, 10_001, 10_002]);
    const { broken, rows, restores } = await verified(opened);
    expect({ broken, rows }).toEqual({ broken: undefined, rows: 5 });
    expect(restores).toMatchObject([{ number: 2, saidUntil: lost.saidUntil, lostRecord: announced.held }]);
    expect((await verified(opened, announced.held)).broken?.says).toMatch(
      /^Record 5 is missing: at .* the journal was restored from a backup that ends with record 3\. New records start with number 10001: use --holds with one of those\.$/,
    );
  });

  test('the numbers go on behind those that were announced, and behind another restore', async () => {
    const opened = await openIn(kind);
    await recordSome(opened, 1);
    await opened.journal.beginGeneration(1, { ...lost, record: { seq: 25_017, held: '25017:0@' } });
    await opened.journal.beginGeneration(2, lost);
    await recordSome(opened, 1);
    expect(await seqsIn(opened)).toEqual([1, 40_001]);
    const { broken, restores } = await verified(opened);
    expect(broken).toBeUndefined();
    expect(restores.map(({ first }) => first)).toEqual([30_001, 40_001]);
  });

  test('what a restore says of itself cannot be changed unnoticed', async () => {
    const opened = await openIn(kind);
    const { durable } = opened.store;
    await recordSome(opened, 3);
    await opened.journal.beginGeneration(1, { ...lost, record: { seq: 4, held: '4:00@' } });
    await recordSome(opened, 2);
    const own = durable.selectFrom('generations').selectAll().where('number', '=', 2);
    const { number, ...asWritten } = await own.executeTakeFirstOrThrow();
    const set = (values: Partial<typeof asWritten>) =>
      durable.updateTable('generations').set(values).where('number', '=', number).execute();
    for (const change of [
      ...[{ said_until: 1 }, { lost_record: null }, { known_until: 1 }, { began_at: 1 }, { id: 'another' }],
      ...[{ start: 'f00' }, { follows_seq: 2 }, { first_seq: 10_000 }],
    ]) {
      await set(change);
      const { broken } = await verified(opened);
      expect({ change, says: broken?.says }).toEqual({
        change,
        says: expect.stringMatching(/The entry for the restore after record 3 was changed|missing/),
      });
      await set(asWritten);
    }
    expect((await verified(opened)).broken).toBeUndefined();
  });

  test('records of before a restore are pruned like others, also where nothing but the restore is left of them', async () => {
    const opened = await openIn(kind);
    await recordSome(opened, 3);
    await opened.journal.beginGeneration(1, lost);
    await recordSome(opened, 3);
    expect(await opened.journal.prune(noon + 4_000)).toBe(3);
    expect(await verified(opened)).toMatchObject({ broken: undefined, rows: 3, prunedUpTo: 3 });
    expect(await opened.journal.prune(noon + 5_000)).toBe(1);
    expect(await verified(opened)).toMatchObject({ broken: undefined, rows: 2, prunedUpTo: 10_001 });
    await recordSome(opened, 1);
    expect(await seqsIn(opened)).toEqual([10_002, 10_003, 10_004]);
  });

  test('of two replicas that find the same, one begins the next generation', async () => {
    const { journal, store } = await openIn(kind);
    const both = [journal.beginGeneration(1, lost), journal.beginGeneration(1, lost)];
    expect((await Promise.all(both)).filter((one) => one !== undefined)).toHaveLength(1);
    expect(await store.quick.selectFrom('generations').select('number').execute()).toHaveLength(2);
  });

  test('what waited to be said is looked for before it is said, and what cannot be looked for is dropped', async () => {
    const { journal } = await openIn(kind);
    const message = { kind: 'tell', orderingKey: 'action a', content: {} };
    await journal.post([
      { ...message, key: 'k1' },
      { ...message, key: 'k2', kind: 'whisper' },
    ]);
    await journal.beginGeneration(1, lost);
    expect(await journal.unsent()).toMatchObject([{ key: 'k1', isMaybeDelivered: true }]);
  });

  test('knows the newest moment of all that cards show', async () => {
    const { journal, clock } = await openIn(kind);
    expect(await journal.newestMoment()).toBe(0);
    await journal.write({ state: 'done', team: 'T1', channel: 'C1', person: 'U1', line: 'status' });
    expect(await journal.newestMoment()).toBe(noon);
    while ((await journal.record(recorder)) > 0);
    expect(await journal.newestMoment()).toBe(noon);
    clock.at += 1_000;
    const from = { action: 'a1', appliance: 'hq', channel: 'C1', person: 'U1', reason: '' };
    const on = { ...from, subject: 'emergency disable', endsAt: noon };
    const { id = 0 } = (await startOne(journal, on)) ?? {};
    expect(await journal.newestMoment()).toBe(noon + 1_000);
    clock.at += 1_000;
    await journal.endTimedChange(id, { how: 'found', says: '' });
    expect(await journal.newestMoment()).toBe(noon + 2_000);
  });

  test('knows which of its records somebody was told of', async () => {
    const opened = await openIn(kind);
    const { journal } = opened;
    await recordSome(opened, 3);
    const { records } = await journal.findRecords({}, 10);
    for (const one of records) {
      const [, digest = ''] = heldOf({ ...one }).split(/[:@]/);
      expect(await journal.hasRecord(one.seq, digest)).toBe(true);
      expect(await journal.hasRecord(one.seq, 'f00')).toBe(false);
    }
    expect(await journal.hasRecord(4, 'f00')).toBe(false);
    await journal.prune(noon + 3_000);
    expect(await journal.hasRecord(1, 'f00')).toBe(true);
  });
});
