import { type Insertable, type SqlBool, sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { stores } from '../../test/stores.ts';
import { newRow } from './actions/action-row.ts';
import { type ClaimedTable, claimed, claimsOn, freed, pauseAfter } from './claims.ts';
import { newId } from './id.ts';
import { openJournal } from './journal.ts';
import type { Tables } from './tables.ts';

const minute = 60_000;
const clock = { at: 1_000_000 };
const line = { team: 'T1', channel: 'C1', person: 'U1', line: 'rdp sessions' } as const;
const tried = { ...freed, tries: 0, next_try_at: 0 };

/** A row that nobody holds, of every table. */
const rows: { readonly [Table in ClaimedTable]: (at: number) => Insertable<Tables[Table]> } = {
  outbox: (at) => ({
    ...{ key: newId(), kind: 'said', ordering_key: 'o', content_json: '{}', created_at: at, background: 0 },
    ...{ ...tried, maybe_delivered: 0 },
  }),
  webhooks: (at) => ({
    ...{ ...tried, key: newId(), action: 'a', event: 'change.done', content_json: '{}', created_at: at },
  }),
  pending_applies: (at) => ({
    ...{ ...tried, appliance: 'hq', what: 'acl', action: 'a', since: at, last_problem: null },
  }),
  timed_changes: (at) => ({
    ...{ ...tried, state: 'over', action: 'a', appliance: 'hq', channel: 'C1', person: 'U1', reason: '' },
    subject: 'emergency disable',
    ...{
      started_at: at,
      ends_at: at,
      set_at: at,
      extensions_json: '[]',
      seen: 0,
      orders: 0,
      ordered_at: null,
      reported: 0,
    },
  }),
  watches: (at) => ({
    ...{ ...tried, kind: 'watch', team: 'T1', channel: 'C1', person: 'U1', subject: 'status' },
    ...{ appliances: 'hq', terms_json: '{}', state_json: '{}', created_at: at },
  }),
  workflow_steps: (at) => ({ ...tried, execution: newId(), action: null, created_at: at }),
  tokens: (at) => ({
    ...{ ...freed, token: newId(), kind: 'offer', content_json: '{}', channel: 'C1', until: at, searches: 0 },
  }),
  deliveries: (at) => ({ ...freed, key: newId(), at }),
  actions: (at) => newRow({ ...line, state: 'done' }, null, 'nobody', at),
};

const tables = Object.keys(claimed) as readonly ClaimedTable[];
const retried = ['outbox', 'webhooks', 'pending_applies', 'timed_changes'] as const;

/**
 * What every one of these tables is asked here, as though each were this one: what a sentence says of claims is so for all of
 * them, whatever else stands in their rows.
 */
type AnyTable = 'pending_applies';
type Claims = ReturnType<typeof claimsOn<AnyTable>>;

describe.each(stores)('in $store', ({ newPlace }) => {
  /** Two replicas that live, and so many rows of each table that nobody holds. */
  async function open(count: number) {
    const place = await newPlace();
    const [one, other] = [place(), place()];
    const journal = await openJournal(one, () => clock.at, 'one');
    onTestFinished(async () => {
      await journal.close();
      await other.close();
    });
    const lives = (id: string) =>
      one.quick.insertInto('replicas').values({ id, started_at: 0, beats: 0 }).execute();
    const dies = (id: string) => one.quick.deleteFrom('replicas').where('id', '=', id).execute();
    await lives('one');
    await lives('other');
    const held = new Map<ClaimedTable, readonly never[]>();
    for (const table of tables) {
      const { key, order } = claimed[table];
      const values = Array.from({ length: count }, (_, index) => rows[table](index));
      const written = await one.quick
        .insertInto(table as AnyTable)
        .values(values as Insertable<Tables[AnyTable]>[])
        .returningAll()
        .execute();
      const inOrder = written.toSorted((a, b) => Reflect.get(a, order) - Reflect.get(b, order));
      held.set(
        table,
        inOrder.map((row) => Reflect.get(row, key) as never),
      );
    }
    return { one, other, dies, held };
  }

  interface Given {
    readonly one: Claims;
    readonly other: Claims;
    /** What the rows are known by, the oldest first. */
    readonly keys: readonly never[];
    readonly keysOf: (found: readonly object[]) => readonly unknown[];
    readonly dies: (replica: string) => Promise<unknown>;
  }

  /** Tries it with each of these tables, one after the other. */
  async function ofEach(
    some: readonly ClaimedTable[],
    count: number,
    does: (given: Given) => Promise<void>,
  ): Promise<void> {
    const { one, other, dies, held } = await open(count);
    const claimsOf = (store: typeof one, table: ClaimedTable, name: string) =>
      claimsOn(table as AnyTable, store, name, () => clock.at);
    const left: string[] = [];
    for (const table of some) {
      const { key } = claimed[table];
      await does({
        ...{ one: claimsOf(one, table, 'one'), other: claimsOf(other, table, 'other'), dies },
        keys: held.get(table) ?? [],
        keysOf: (found) => found.map((row) => Reflect.get(row, key)),
      }).catch((error: unknown) => {
        throw new Error(`a row of ${table}`, { cause: error });
      });
      left.push(table);
      await one.quick
        .insertInto('replicas')
        .values({ id: 'one', started_at: 0, beats: 0 })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
    expect(left).toEqual(some);
  }

  const everything = () => sql<SqlBool>`true`;
  const free = (claims: Claims) => claims.claim(() => claims.isFree());
  const forgotten = (claims: Claims) => claims.claim(() => claims.isForgotten());

  describe('a row of every table', () => {
    test('is claimed once, by one of two that look at the same moment, the oldest first', () =>
      ofEach(tables, 20, async ({ one, other, keys, keysOf }) => {
        const found = await Promise.all([one, other, one, other].map(free));
        expect(keysOf(found.flat()).toSorted()).toEqual(keys.toSorted());
        for (const some of found) {
          const own = keysOf(some);
          expect(own).toEqual(keys.filter((key) => own.includes(key)));
          expect(new Set(some.map(({ held_by }) => held_by)).size).toBeLessThan(2);
        }
        expect([...(await free(one)), ...(await free(other))]).toEqual([]);
      }));

    test('goes to one with all others of its group, or nothing of the group does', () =>
      ofEach(tables, 20, async ({ one, other, keys, keysOf }) => {
        const together = (claims: Claims) => claims.claimGroup(everything, claims.isFree);
        // One that somebody else holds keeps all of them back.
        await free(one);
        await one.free(keys.slice(1));
        expect(await together(other)).toEqual([]);
        await one.free(keys);
        const found = await Promise.all([one, other, one, other].map(together));
        expect(found.map((some) => some.length).toSorted()).toEqual([0, 0, 0, 20]);
        expect(keysOf(found.flat())).toEqual(keys);
      }));

    test('stays with its holder while that one lives, and is given back by nobody else', () =>
      ofEach(tables, 3, async ({ one, other, keys }) => {
        expect(await free(one)).toMatchObject(keys.map(() => ({ held_by: 'one', held_since: clock.at })));
        clock.at += 4 * minute;
        await other.free(keys);
        expect(await other.freeOrphans()).toEqual([]);
        expect(await other.adoptOrphans()).toEqual([]);
        expect(await free(other)).toEqual([]);
      }));

    test('that is given back is free for all at once, and the others are not', () =>
      ofEach(tables, 3, async ({ one, other, keys, keysOf }) => {
        await free(one);
        await one.free([]);
        await one.free(keys.slice(0, 1));
        expect(keysOf(await free(other))).toEqual(keys.slice(0, 1));
        await one.free(keys, { only: () => one.isForgotten() });
        expect(await free(other)).toEqual([]);
      }));

    test('may be forgotten by its holder after a minute, who claims it anew, and by nobody else', () =>
      ofEach(tables, 3, async ({ one, other, keys, keysOf }) => {
        await free(one);
        clock.at += minute - 1;
        expect(await forgotten(one)).toEqual([]);
        clock.at += 1;
        expect(await forgotten(other)).toEqual([]);
        expect(keysOf(await forgotten(one))).toEqual(keys);
        expect(await forgotten(one)).toEqual([]);
      }));

    test('of a replica that is gone is free, or another one’s, for one of those that look at the same moment', () =>
      ofEach(tables, 6, async ({ one, other, keys, keysOf, dies }) => {
        await free(one);
        await dies('one');
        const [first, ...rest] = await Promise.all([other.freeOrphans(), other.freeOrphans()]);
        expect(keysOf([...(first ?? []), ...rest.flat()]).toSorted()).toEqual(keys.toSorted());
        expect(keysOf(await free(one))).toEqual(keys);
        const found = await Promise.all([other.adoptOrphans(), other.adoptOrphans()]);
        expect(keysOf(found.flat()).toSorted()).toEqual(keys.toSorted());
        for (const row of found.flat()) expect(row).toMatchObject({ held_by: 'other', held_since: clock.at });
        expect(await other.adoptOrphans()).toEqual([]);
      }));

    test('is finished together with any number of others', () =>
      ofEach(tables, 300, async ({ one, other, keys, keysOf }) => {
        await free(one);
        await one.finish([]);
        await one.finish(keys.slice(1));
        await one.free(keys);
        expect(keysOf(await free(other))).toEqual(keys.slice(0, 1));
      }));
  });

  test('what did not work is tried when it is due, by whoever looks then, and it is counted how often', () =>
    ofEach(retried, 1, async ({ one, other, keys }) => {
      const due = (claims: Claims) => claims.claim(({ and }) => and([claims.isFree(), claims.isDue()]));
      await due(one);
      // Nobody else says so of what this one holds.
      await other.retryLater(keys, clock.at);
      await one.retryLater(keys, clock.at + minute);
      expect([...(await due(one)), ...(await due(other))]).toEqual([]);
      clock.at += minute;
      expect(await due(other)).toMatchObject([{ tries: 1, held_by: 'other' }]);
      await one.retryLater(keys, clock.at);
      expect(await due(one)).toEqual([]);
    }));

  test('what must come to its end is free after five minutes, although its holder lives', () =>
    ofEach(['timed_changes'], 1, async ({ one, other }) => {
      await free(one);
      clock.at += 5 * minute - 1;
      expect(await free(other)).toEqual([]);
      clock.at += 1;
      expect(await free(other)).toMatchObject([{ held_by: 'other' }]);
    }));
});

test('a group of which somebody changes a row this moment is left alone, and waits for nobody', async () => {
  const place = await stores[1]?.newPlace();
  const [one, other] = [place?.(), place?.()];
  if (one === undefined || other === undefined) throw new Error('No PostgreSQL');
  onTestFinished(async () => {
    await one.close();
    await other.close();
  });
  const keys = [rows.outbox(1), rows.outbox(2), rows.outbox(3)];
  await one.quick.insertInto('outbox').values(keys).execute();
  const claims = claimsOn('outbox', other, 'other', () => clock.at);
  const group = () => claims.claimGroup(({ eb }) => eb('ordering_key', '=', 'o'), claims.isFree);
  const transaction = await one.quick.startTransaction().execute();
  await transaction
    .updateTable('outbox')
    .set({ tries: 1 })
    .where('key', '=', keys[1]?.key ?? '')
    .execute();
  expect(await group()).toEqual([]);
  await transaction.commit().execute();
  expect((await group()).map(({ key, tries }) => ({ key, tries }))).toEqual(
    keys.map(({ key }, index) => ({ key, tries: index === 1 ? 1 : 0 })),
  );
});

test('what goes on failing waits twice as long each time, up to the longest pause of its table', () => {
  const pauses = (table: (typeof retried)[number], unit: number) =>
    [1, 2, 3, 4, 5, 6, 7, 8].map((failures) => pauseAfter(failures, table) / unit);
  expect(pauses('outbox', 1_000)).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
  expect(pauses('pending_applies', minute)).toEqual([1, 2, 4, 8, 15, 15, 15, 15]);
  expect(pauses('timed_changes', minute)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  expect(pauseAfter(10_000, 'outbox')).toBe(minute);
});
