import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { lineTo } from '../../../test/postgres.ts';
import { steadyNow } from '../../../test/steady-clock.ts';
import { emptyPostgres, newPostgres, stores } from '../../../test/stores.ts';
import type { Store } from '../database.ts';
import { newId } from '../id.ts';
import { openPostgres } from './postgres.ts';

test('a database that falls silent holds up neither what was done alone, nor the end', async () => {
  const line = await lineTo(await newPostgres());
  onTestFinished(() => line.close());
  const store = openPostgres(line.url);
  const began = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const done = store.exclusively('hq', 1_000, async () => {
    began.resolve();
    await over.promise;
    return 'done';
  });
  await began.promise;
  line.hush();
  const at = steadyNow();
  over.resolve();
  expect(await done).toEqual({ value: 'done' });
  await store.close();
  expect(steadyNow() - at).toBeLessThan(2_000);
});

test('journals in two schemas of one database do not wait for each other', async () => {
  const url = await emptyPostgres();
  const client = new pg.Client(url);
  await client.connect();
  await client.query('create schema first; create schema second').finally(() => client.end());
  const [one, again, other] = ['first', 'first', 'second'].map((schema) => {
    const store = openPostgres(`${url}?options=-c%20search_path%3D${schema}`);
    onTestFinished(() => store.close());
    return store;
  });
  const held = await one?.exclusively('hq', 1_000, async () => [
    await again?.exclusively('hq', 50, async () => 1),
    await other?.exclusively('hq', 50, async () => 1),
  ]);
  expect(held).toEqual({ value: [undefined, { value: 1 }] });
});

test('many of one replica do not keep a lock from the others for as long as there is another one of them', async () => {
  const url = await newPostgres();
  const [one, other] = [openPostgres(url), openPostgres(url)];
  onTestFinished(async () => void (await Promise.all([one.close(), other.close()])));
  const order: string[] = [];
  const task = (name: string) => async () => {
    order.push(name);
    await sleep(100);
  };
  const many = Array.from({ length: 32 }, () => one.exclusively('hq', 60_000, task('many')));
  await expect.poll(() => order.length).toBe(1);
  expect(await other.exclusively('hq', 60_000, task('other'))).toEqual({ value: undefined });
  expect(order.indexOf('other')).toBeLessThan(28);
  await Promise.all(many);
});

describe.each(stores)('one at a time for a key, in $store', ({ store, newPlace }) => {
  /** Two replicas where the store can have them. */
  async function two(): Promise<readonly [Store, Store]> {
    const place = await newPlace();
    const one = place();
    onTestFinished(() => one.close());
    if (store === 'SQLite') return [one, one];
    const other = place();
    onTestFinished(() => other.close());
    return [one, other];
  }

  test('runs on all replicas together, and others at the same time', async () => {
    const both = await two();
    let [running, most, done] = [0, 0, 0];
    const task = async () => {
      running += 1;
      most = Math.max(most, running);
      await sleep(5);
      running -= 1;
      done += 1;
    };
    await Promise.all(
      Array.from({ length: 10 }, () => both.map((one) => one.exclusively('hq', 10_000, task))).flat(),
    );
    expect({ most, done }).toEqual({ most: 1, done: 20 });

    const [one, other] = both;
    // More than any pool has connections.
    const keys = Array.from({ length: 40 }, newId);
    const met = Promise.withResolvers<void>();
    let at = 0;
    const meet = async () => {
      at += 1;
      if (at === keys.length) met.resolve();
      await met.promise;
    };
    const runs = keys.map((key, number) => (number % 2 === 0 ? one : other).exclusively(key, 1_000, meet));
    expect(await Promise.all(runs)).toHaveLength(40);
  });

  test('is not run by whoever had to wait for too long', async () => {
    const [one, other] = await two();
    const end = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const first = one.exclusively('hq', 1_000, () => {
      begun.resolve();
      return end.promise;
    });
    await begun.promise;
    let ran = false;
    const run = async () => {
      ran = true;
    };
    expect(await Promise.all([one.exclusively('hq', 60, run), other.exclusively('hq', 60, run)])).toEqual([
      undefined,
      undefined,
    ]);
    expect(ran).toBe(false);
    end.resolve();
    await first;
    expect(await other.exclusively('hq', 1_000, run)).toBeDefined();
  });

  test('is free again after one that failed', async () => {
    const [one, other] = await two();
    const failing = one.exclusively('hq', 1_000, () => Promise.reject(new Error('of its own')));
    await expect(failing).rejects.toThrow('of its own');
    expect(await other.exclusively('hq', 1_000, async () => 'next')).toEqual({ value: 'next' });
  });
});
