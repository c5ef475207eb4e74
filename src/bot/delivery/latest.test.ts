import { expect, test } from 'vitest';
import { createLatest } from './delivery.ts';

function held() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return { promise, resolve, reject };
}

/** Long enough for everything that can start. */
const started = () => new Promise((resolve) => setImmediate(resolve));

test('a newer task waits for the running one', async () => {
  const latest = createLatest();
  const first = held();
  const done: string[] = [];
  const one = latest.run('a', async () => {
    await first.promise;
    done.push('first');
  });
  await started();
  const two = latest.run('a', async () => void done.push('second'));
  await started();
  expect(done).toEqual([]);
  first.resolve();
  await Promise.all([one, two]);
  expect(done).toEqual(['first', 'second']);
});

test('a task that was overtaken while waiting is not run', async () => {
  const latest = createLatest();
  const first = held();
  const done: string[] = [];
  const one = latest.run('a', () => first.promise);
  await started();
  const others = [
    latest.run('a', async () => void done.push('overtaken')),
    latest.run('a', async () => void done.push('newest')),
  ];
  first.resolve();
  await Promise.all([one, ...others]);
  expect(done).toEqual(['newest']);
});

test('an overtaken task ends and fails with the newer one', async () => {
  const latest = createLatest();
  const newer = held();
  const ends: string[] = [];
  const first = held();
  const one = latest.run('a', () => first.promise);
  await started();
  const overtaken = latest.run('a', async () => void ends.push('run'));
  const newest = latest.run('a', () => newer.promise);
  void overtaken.catch(() => ends.push('failed'));
  first.resolve();
  await started();
  expect(ends).toEqual([]);
  newer.reject(new Error('Slack did not take it'));
  await expect(overtaken).rejects.toThrow('Slack did not take it');
  await expect(newest).rejects.toThrow();
  // It follows the newest, which failed first.
  await expect(one).rejects.toThrow();
});

test('a running task learns that it was overtaken', async () => {
  const latest = createLatest();
  const first = held();
  let wasNewest: boolean | undefined;
  const one = latest.run('a', async (isNewest) => {
    await first.promise;
    wasNewest = isNewest();
  });
  await started();
  const two = latest.run('a', async () => undefined);
  first.resolve();
  await Promise.all([one, two]);
  expect(wasNewest).toBe(false);
});

test('a failing task delays nobody, and tells its own caller', async () => {
  const latest = createLatest();
  const one = latest.run('a', () => Promise.reject(new Error('no')));
  const told = expect(one).rejects.toThrow('no');
  await started();
  const two = latest.run('a', async () => undefined);
  await told;
  await two;
});

test('different keys do not wait for one another', async () => {
  const latest = createLatest();
  const first = held();
  const one = latest.run('a', () => first.promise);
  await latest.run('b', async () => undefined);
  first.resolve();
  await one;
});
