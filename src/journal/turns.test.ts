import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

test('what has the same key comes one after the other, in the order in which it came', async () => {
  const turns = createTurns();
  const seen: string[] = [];
  const one = async (name: string, milliseconds: number) => {
    const end = await turns.take('key');
    seen.push(`${name} begins`);
    await sleep(milliseconds);
    seen.push(`${name} ends`);
    end();
  };
  await Promise.all([one('first', 20), one('second', 1), one('third', 1)]);
  expect(seen).toEqual(['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]));
});

test('another key does not wait', async () => {
  const turns = createTurns();
  await turns.take('one');
  const end = await turns.take('other');
  end();
});

test('whoever does not want to wait longer goes without a turn, and keeps nobody behind from theirs', async () => {
  const turns = createTurns();
  const end = await turns.take('key');
  expect(await turns.takeWithin('key', 10)).toBeUndefined();
  const next = turns.take('key');
  end();
  (await next)();
  const last = await turns.takeWithin('key', 10);
  expect(last).toBeTypeOf('function');
});

test('a turn that was given up does not let the next one pass the one that is at it', async () => {
  const turns = createTurns();
  const end = await turns.take('key');
  await turns.takeWithin('key', 5);
  let hasTurn = false;
  const next = turns.take('key').then((over) => {
    hasTurn = true;
    over();
  });
  await sleep(10);
  expect(hasTurn).toBe(false);
  end();
  await next;
});

test('ended twice, a turn ends once', async () => {
  const turns = createTurns();
  const end = await turns.take('key');
  const second = turns.take('key');
  end();
  end();
  await second;
  expect(await turns.takeWithin('key', 5)).toBeUndefined();
});
