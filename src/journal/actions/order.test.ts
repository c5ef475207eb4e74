import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { stores } from '../../../test/stores.ts';
import type { Database } from '../database.ts';
import type { Action, Journal, NewAction } from '../journal.ts';
import { migrations } from '../migrations/index.ts';
import { newRow } from './action-row.ts';
import { byAsked, byRun } from './order.ts';

const asked: NewAction = {
  ...{ team: 'T', channel: 'C', person: 'U', line: 'x', phrase: 'x', effect: 'write' },
  ...{ direct: 'D', thread: '1.0', state: 'asked' },
};
const lines = (actions: readonly Action[]) => actions.map(({ line }) => line);
const long = 100_000;

/** Asked one after the other while the clock goes back. */
async function backwards(journal: Journal, clock: { at: number }, more: Partial<NewAction> = {}) {
  const written: Action[] = [];
  for (const line of ['first', 'second', 'third']) {
    written.push(await journal.write({ ...asked, line, ...more }));
    clock.at -= 5_000;
  }
  return written;
}

describe.each(stores)('in $store, what came first', ({ open, newPlace, emptyPlace }) => {
  test('is what was asked first, though the clock was set back', async () => {
    const clock = { at: long };
    const journal = await open(newPlace(), clock);
    await backwards(journal, clock);
    const newest = ['third', 'second', 'first'];
    expect(lines(await journal.recent())).toEqual(newest);
    expect(lines(await journal.under('1.0', 2))).toEqual(newest.slice(0, 2));
    expect((await journal.lastIn('D'))?.line).toBe('third');
    expect(lines(await journal.askedBy('U', 0, 1))).toEqual(['third']);
    expect(lines(await journal.recentIn('C', 0, 10))).toEqual(newest);
    expect(lines(await journal.unrecorded(10))).toEqual(newest);
    const mixed = await journal.recent();
    expect(lines(mixed.toSorted(byAsked))).toEqual(newest.toReversed());
  });

  test('of changes is what began to run first, however long another had to wait', async () => {
    const clock = { at: long };
    const journal = await open(newPlace(), clock);
    const [first, second, third] = await backwards(journal, clock);
    if (first === undefined || second === undefined || third === undefined) throw new Error('Written');
    const waiting = await journal.move(first, 'waiting', { token: 't' });
    await journal.move(third, 'running');
    await journal.move(second, 'running');
    if (waiting === undefined) throw new Error('It waits');
    const approved = await journal.move(waiting, 'approved');
    if (approved === undefined) throw new Error('It was approved');
    await journal.move(approved, 'running');
    const changes = await journal.changesIn(0, long);
    expect(lines(changes.toSorted(byRun))).toEqual(['third', 'second', 'first']);
    expect(lines(changes)).toEqual(['first', 'second', 'third']);
  });

  test('is known also of what an earlier version writes, which knows no numbers', async () => {
    const clock = { at: long };
    const place = await newPlace();
    const journal = await open(place, clock);
    const [first] = await backwards(journal, clock);
    const { quick } = place();
    const row = newRow({ ...asked, line: 'theirs' }, null, 'another', clock.at);
    await quick.insertInto('actions').values(row).execute();
    expect(lines(await journal.recent(1))).toEqual(['theirs']);
    await quick.updateTable('actions').set({ state: 'running' }).where('id', '=', row.id).execute();
    if (first === undefined) throw new Error('Written');
    await journal.move(first, 'running');
    expect(lines((await journal.changesIn(0, long)).toSorted(byRun))).toEqual(['theirs', 'first']);
    await quick.destroy();
  });

  test('was taken from the clock for what is older than the numbers, and they go on from there', async () => {
    const place = await emptyPlace();
    const store = place();
    const former = [...migrations].filter(([name]) => name !== '0035-order');
    for (const [, { up }] of former) await up(store.durable as never);
    await writeFormer(store.durable, [
      ['late', 3_000, 'b'],
      ['early', 1_000, 'c'],
      ['same', 3_000, 'a'],
    ]);
    await migrations.get('0035-order')?.up(store.durable as never);
    await store.durable
      .insertInto('actions')
      .values(newRow({ ...asked, line: 'new' }, null, 'r', 1))
      .execute();
    const rows = await store.durable.selectFrom('actions').select(['line', 'asked_seq', 'ran_seq']).execute();
    const by = (column: 'asked_seq' | 'ran_seq') =>
      rows
        .filter((one) => one[column] !== null)
        .toSorted((one, other) => Number(one[column]) - Number(other[column]))
        .map(({ line }) => line);
    expect(by('asked_seq')).toEqual(['early', 'same', 'late', 'new']);
    expect(by('ran_seq')).toEqual(['early', 'same', 'late']);
    expect(new Set(rows.flatMap((one) => [one.asked_seq, one.ran_seq])).size).toBe(8);
    await store.close();
  });
});

/** Changes that are done, as the version before wrote them. */
async function writeFormer(
  database: Database,
  rows: readonly (readonly [line: string, at: number, id: string])[],
): Promise<void> {
  for (const [line, at, id] of rows)
    await sql`insert into actions (id, state, created_at, changed_at, team, channel, person, line, effect, args_json, replica)
      values (${id}, 'done', ${at}, ${at}, 'T', 'C', 'U', ${line}, 'write', '{}', 'r')`.execute(database);
}
