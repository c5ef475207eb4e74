import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { answered, asked, type Opened, openIn, recorder } from '../../../../test/audit-records.ts';
import { stores } from '../../../../test/stores.ts';
import type { Database } from '../../database.ts';
import { openJournal } from '../../journal.ts';
import { openSqlite } from '../../storage/sqlite.ts';
import { verifyRecords } from './verify.ts';

const day = 24 * 60 * 60_000;

/** The same database, where something else happens before each look at it. */
const between = (database: Database, meanwhile: () => Promise<unknown>): Database =>
  new Proxy(database, {
    get: (target, name) => {
      if (name === 'transaction')
        return () => ({
          setIsolationLevel: (level: 'repeatable read') => ({
            execute: async <Value>(read: (moment: Database) => Promise<Value>) => {
              await meanwhile();
              return target.transaction().setIsolationLevel(level).execute(read);
            },
          }),
        });
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

const against = { held: [], keep: () => undefined, now: Date.UTC(2027, 1, 1) };

/** So many lookups that are over and recorded; resolves to the last of them. */
async function recordSome({ journal, clock }: Opened, count: number): Promise<string> {
  let id = '';
  for (let number = 1; number <= count; number += 1) {
    clock.at += 1_000;
    ({ id } = await journal.write({ ...asked, state: 'done', line: `status ${number}`, outcome: answered }));
  }
  while ((await journal.record(recorder)) > 0);
  return id;
}

describe.each(stores)('in $store', (kind) => {
  test('what is recorded, recorded anew and pruned while the records are verified is no mistake, and what is changed is one', async () => {
    const opened = await openIn(kind);
    const { journal, store, clock } = opened;
    await recordSome(opened, 1_100);
    clock.at += 30 * day;
    let looks = 0;
    // The first page of the chain is looked at, and then it is pruned, and some of the next one with it.
    const overtaken = between(store.quick, async () => {
      looks += 1;
      if (looks === 2) await journal.prune(clock.at - day, 1_050);
    });
    expect(await verifyRecords({ quick: overtaken }, against)).toMatchObject({
      ...{ broken: undefined, prunedUpTo: 1_050 },
    });
    await recordSome(opened, 600);
    clock.at += 30 * day;
    looks = 0;
    const quick = between(store.quick, async () => {
      looks += 1;
      const id = await recordSome(opened, 2);
      await journal.note(id, {
        kind: 'click_refused',
        content: { person: 'U2', button: 'confirm', code: 'already' },
      });
      await journal.record(recorder);
      await journal.prune(clock.at - day, 40);
    });
    expect((await verifyRecords({ quick }, against)).broken).toBeUndefined();
    expect(looks).toBeGreaterThan(4);

    const id = await recordSome(opened, 600);
    await store.quick.updateTable('actions').set({ line: 'another' }).where('id', '=', id).execute();
    const { broken } = await verifyRecords({ quick }, against);
    expect(broken?.says).toMatch(/differs from its action: line was changed/);
  });
});

test('what a bot writes beside a check of its journal gets from the log into the file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'verify-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'journal.sqlite');
  const clock = { at: Date.UTC(2027, 0, 1) };
  const store = openSqlite(file);
  const journal = await openJournal(store, () => clock.at);
  onTestFinished(() => journal.close());
  const opened: Opened = { store, journal, clock, other: async () => journal };
  await recordSome(opened, 1_100);
  const tool = openSqlite(file);
  onTestFinished(() => tool.close());
  const raw = new DatabaseSync(file);
  onTestFinished(() => raw.close());
  const left: unknown[] = [];
  const quick = between(tool.quick, async () => {
    await recordSome(opened, 1);
    const [moved] = raw.prepare('pragma wal_checkpoint(passive)').all();
    left.push(Number(moved?.log) - Number(moved?.checkpointed));
  });
  expect((await verifyRecords({ quick }, against)).broken).toBeUndefined();
  expect(left.length).toBeGreaterThan(6);
  expect(left.filter((pages) => pages !== 0)).toEqual([]);
});
