import { expect, test } from 'vitest';
import { currentFence, type Fence } from '../../fence.ts';
import { plainText, type Text } from '../../handlers/reply.ts';
import { Evicted } from '../../journal/journal.ts';
import type { After } from '../base/timeout.ts';
import { ApplianceBusy, withApplianceLock } from './appliance-lock.ts';

const running = { id: 'a1' };

/** An appliance on which others are at work for as long as the test says. */
function crowded(fence: () => Promise<Fence | undefined> = async () => undefined) {
  const asked: { readonly key: string; readonly timeout: number }[] = [];
  const free = Promise.withResolvers<boolean>();
  const said: string[] = [];
  let ring = () => {};
  const after: After = (_, callback) => {
    ring = callback;
    return () => {
      ring = () => {};
    };
  };
  const journal = {
    exclusively: async <Value>(key: string, timeout: number, task: () => Promise<Value>) => {
      asked.push({ key, timeout });
      return (await free.promise) ? { value: await task() } : undefined;
    },
    fence: (action?: string) => {
      expect(action).toBe(running.id);
      return fence();
    },
  };
  const say = (words: Text) => void said.push(plainText(words));
  const alone = withApplianceLock('hq', running, { journal, after }, say);
  return { alone, asked, said, free: free.resolve, wait: () => ring() };
}

test('an order is sent when it is alone, and its answer comes back', async () => {
  const { alone, asked, said, free } = crowded();
  const sent = alone(async () => 'done');
  free(true);
  expect(await sent).toBe('done');
  expect(asked).toEqual([{ key: 'appliance hq', timeout: 60_000 }]);
  expect(said).toEqual([]);
});

test('one that waits says so, once it takes long', async () => {
  const { alone, said, free, wait } = crowded();
  const sent = alone(async () => 'done');
  wait();
  expect(said).toEqual(['Another change is under way on hq. This one comes next.']);
  free(true);
  expect(await sent).toBe('done');
});

test('one that takes long itself does not speak of another', async () => {
  const { alone, said, free, wait } = crowded();
  const answer = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<void>();
  const sent = alone(() => {
    begun.resolve();
    return answer.promise;
  });
  free(true);
  await begun.promise;
  wait();
  answer.resolve('done');
  expect(await sent).toBe('done');
  expect(said).toEqual([]);
});

test('one that would have to wait too long is not sent', async () => {
  const { alone, free } = crowded();
  let isSent = false;
  const sent = alone(async () => {
    isSent = true;
  });
  free(false);
  await expect(sent).rejects.toThrow(ApplianceBusy);
  await expect(sent).rejects.toThrow(
    'Another change has been under way on hq for more than a minute, so this one was not sent.',
  );
  expect(isSent).toBe(false);
});

test('what goes wrong with an order comes back as it is', async () => {
  const { alone, free } = crowded();
  const sent = alone(async () => {
    throw new TypeError('a mistake');
  });
  free(true);
  await expect(sent).rejects.toThrow(TypeError);
});

test('an order leaves within the fence that it has when its turn comes', async () => {
  const fence: Fence = { holds: () => true, renew: async () => undefined };
  const { alone, free } = crowded(async () => fence);
  const sent = alone(async () => currentFence());
  free(true);
  expect(await sent).toBe(fence);
});

test('one that another replica has taken over while it waited is not sent, and says so', async () => {
  const { alone, free } = crowded(() => Promise.reject(new Evicted()));
  let isSent = false;
  const sent = alone(async () => {
    isSent = true;
  });
  free(true);
  await expect(sent).rejects.toThrow(ApplianceBusy);
  await expect(sent).rejects.toMatchObject({
    code: 'evicted',
    message: expect.stringContaining('Another replica of the bot took this over'),
  });
  expect(isSent).toBe(false);
});
