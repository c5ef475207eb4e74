import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSerialQueue } from './serial-queue.ts';

test('what has the same key comes one after the other, in the order in which it came', async () => {
  const serialQueue = createSerialQueue();
  const seen: string[] = [];
  const one = async (name: string, milliseconds: number) => {
    const end = await serialQueue.take('key');
    seen.push(`${name} begins`);
    await sleep(milliseconds);
    seen.push(`${name} ends`);
    end();
  };
  await Promise.all([one('first', 20), one('second', 1), one('third', 1)]);
  expect(seen).toEqual(['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]));
});

test('another key does not wait', async () => {
  const serialQueue = createSerialQueue();
  await serialQueue.take('one');
  const end = await serialQueue.take('other');
  end();
});

test('ended twice, a turn ends once', async () => {
  const serialQueue = createSerialQueue();
  const end = await serialQueue.take('key');
  const second = serialQueue.take('key');
  const third = serialQueue.take('key');
  end();
  end();
  await second;
  expect(await Promise.race([third, sleep(5, 'waits')])).toBe('waits');
});
