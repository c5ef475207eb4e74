import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Caller, onBehalfOf } from '../../caller.ts';
import { createMutex, type Mutex } from './mutex.ts';

const aMinute = 60_000;

/** Acquires a key; fails where it was not to be had. */
async function acquired(mutex: Mutex, timeout = aMinute): Promise<() => void> {
  const release = await mutex.acquire('key', timeout);
  if (release === undefined) throw new Error('It was not to be had');
  return release;
}

test('one at a time has a key, and another key does not wait', async () => {
  const mutex = createMutex();
  const release = await acquired(mutex);
  let isSecond = false;
  const second = acquired(mutex).then((end) => {
    isSecond = true;
    end();
  });
  (await mutex.acquire('another key', aMinute))?.();
  await sleep(5);
  expect(isSecond).toBe(false);
  release();
  await second;
});

test('whoever does not want to wait longer goes without, and lets nobody pass the one that is at it', async () => {
  const mutex = createMutex();
  const release = await acquired(mutex);
  expect(await mutex.acquire('key', 5)).toBeUndefined();
  expect(await mutex.acquire('key', 5)).toBeUndefined();
  release();
  expect(await mutex.acquire('key', 5)).toBeTypeOf('function');
});

test('released twice, it is released once', async () => {
  const mutex = createMutex();
  const release = await acquired(mutex);
  const second = acquired(mutex);
  release();
  release();
  await second;
  expect(await mutex.acquire('key', 5)).toBeUndefined();
});

test('those who wait take turns, and what is urgent is before what is not', async () => {
  const mutex = createMutex();
  const release = await acquired(mutex);
  const order: string[] = [];
  const ask = (person: string, priority: Caller['priority'] = 'high') =>
    onBehalfOf({ person, priority }, async () => {
      const end = await acquired(mutex);
      order.push(person);
      end();
    });
  const all = [ask('carol', 'low'), ask('alice'), ask('alice'), ask('alice'), ask('bob')];
  release();
  await Promise.all(all);
  expect(order).toEqual(['alice', 'bob', 'alice', 'carol', 'alice']);
});
