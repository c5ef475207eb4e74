import { expect, test } from 'vitest';
import { type After, saidWhenSlow } from './timeout.ts';

/** A clock that a test moves on by hand. */
function timer() {
  let waiting: (() => void) | undefined;
  const after: After = (_, callback) => {
    waiting = callback;
    return () => {
      waiting = undefined;
    };
  };
  return { after, ring: () => waiting?.(), isSet: () => waiting !== undefined };
}

test('what is quick is not spoken of', async () => {
  const { after, isSet } = timer();
  const said: string[] = [];
  expect(await saidWhenSlow(after, async () => void said.push('slow'), Promise.resolve(7))).toBe(7);
  expect([said, isSet()]).toEqual([[], false]);
});

test('what is slow is spoken of once, and before what comes of it', async () => {
  const { after, ring } = timer();
  const said: string[] = [];
  const task = Promise.withResolvers<string>();
  const telling = Promise.withResolvers<void>();
  const waited = saidWhenSlow(
    after,
    async () => {
      await telling.promise;
      said.push('slow');
    },
    task.promise,
  ).then((value) => void said.push(value));
  ring();
  task.resolve('done');
  telling.resolve();
  await waited;
  expect(said).toEqual(['slow', 'done']);
});

test('what fails still fails', async () => {
  const { after, isSet } = timer();
  await expect(saidWhenSlow(after, async () => undefined, Promise.reject(new Error('no')))).rejects.toThrow(
    'no',
  );
  expect(isSet()).toBe(false);
});
