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

test('ended twice, a turn ends once', async () => {
  const turns = createTurns();
  const end = await turns.take('key');
  const second = turns.take('key');
  const third = turns.take('key');
  end();
  end();
  await second;
  expect(await Promise.race([third, sleep(5, 'waits')])).toBe('waits');
});
