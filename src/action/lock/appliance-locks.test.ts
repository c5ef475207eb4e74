import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { currentCaller } from '../../caller.ts';
import { currentFence, type Fence } from '../../fence.ts';
import type { AnyChange } from '../../handlers/command.ts';
import { plainText, say } from '../../handlers/reply.ts';
import { type Action, Evicted } from '../../journal/journal.ts';
import { type JournalTrouble, JournalUnavailable } from '../../journal/unavailable.ts';
import { createSemaphore } from '../../semaphore.ts';
import { ApplianceBusy, type ApplianceTurn, createApplianceLocks } from './appliance-locks.ts';

const command = (more: Partial<AnyChange> = {}) =>
  ({
    kind: 'change',
    phrase: 'category delete <site>… from <category>',
    doing: () => say`Removing 5,000 sites`,
    ...more,
  }) as AnyChange;
const about252 = command({ requires: () => ['category:252', 'filter'] });
const about253 = command({ requires: () => ['category:253', 'filter'] });

/** Whoever asks on one appliance, whose clock rings when the test says. */
function crowd({ fence = async (): Promise<Fence | undefined> => undefined, isShared = false } = {}) {
  const mutex = createSemaphore();
  const rings = new Set<() => void>();
  const stop = new AbortController();
  const locks = createApplianceLocks({
    journal: {
      isShared,
      fence,
      exclusively: async (key, timeout, task) => {
        const release = await mutex.acquire(key, currentCaller(), timeout);
        if (release === undefined) return undefined;
        try {
          return { value: await task() };
        } finally {
          release();
        }
      },
    },
    commandByPhrase: new Map([[about252.phrase, about252 as never]]),
    after: (_, ring) => {
      rings.add(ring);
      return () => rings.delete(ring);
    },
    stopping: stop.signal,
    sleep: async () => undefined,
  });
  const said: string[] = [];
  let [actions, why] = [0, undefined as string | undefined];
  const turn = (of: AnyChange = command(), more: Partial<Action> = {}): ApplianceTurn => {
    actions += 1;
    const action = {
      ...{ id: `00000000-0000-7000-8000-00000000000${actions}`, channel: 'C1', person: 'U0BOB' },
      ...{ phrase: of.phrase, state: 'running', args: {}, ...more },
      preview: { question: [], fields: [], targets: [{ appliance: 'hq', args: {}, fingerprint: {} }] },
    } as unknown as Action;
    return locks.forChange('hq', action, of, {} as never, {
      progress: (words) => void said.push(plainText(words)),
      isFresh: more.runAt === undefined,
      obstacle: async () => why,
    });
  };
  /** Somebody’s order, which is over when the test says. */
  const begin = async (of: ApplianceTurn) => {
    const [over, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<() => Promise<void>>()];
    const done = of.alone(() =>
      of.send(async (giveWay) => {
        begun.resolve(giveWay);
        await over.promise;
      }),
    );
    done.catch(() => undefined);
    return { done, begun: begun.promise, end: over.resolve };
  };
  return {
    ...{ locks, turn, begin, said, stop: () => stop.abort() },
    ring: () => {
      for (const one of [...rings]) {
        rings.delete(one);
        one();
      }
    },
    because: (words: string) => {
      why = words;
    },
  };
}

const order = async () => 'sent';

/** Whether it is still not there after others had their turn. */
async function waits(one: Promise<unknown>): Promise<boolean> {
  return (await Promise.race([one.then(() => 'over'), sleep(15).then(() => 'waits')])) === 'waits';
}

test('one order at a time is sent to an appliance, and whoever waits is told for what, again and again', async () => {
  const { turn, begin, said, ring } = crowd();
  const first = await begin(turn(about252));
  await first.begun;
  const second = turn().send(order);
  expect(await waits(second)).toBe(true);
  ring();
  ring();
  const words =
    /^Waiting for A-\w+ of U0BOB: Removing 5,000 sites\. This one is sent right after it\. Nothing was sent so far\.$/;
  expect(said).toEqual([expect.stringMatching(words), expect.stringMatching(words)]);
  first.end();
  expect(await second).toBe('sent');
  ring();
  expect(said).toHaveLength(2);
});

test('nobody is told what is done in another channel, and of a compile that it is one', async () => {
  const { turn, begin, said, ring, locks } = crowd();
  const first = await begin(turn(about252, { channel: 'C0SECRET' }));
  await first.begun;
  const second = turn().send(order);
  await waits(second);
  ring();
  first.end();
  await second;
  const compiled = Promise.withResolvers<void>();
  const compiling = locks.forCompile('hq', () => compiled.promise);
  const third = turn().send(order);
  await waits(third);
  ring();
  compiled.resolve();
  await Promise.all([compiling, third]);
  expect(said).toEqual([
    'Waiting: another change is under way on hq. This one is sent right after it. Nothing was sent so far.',
    'Waiting: hq is compiling. This one is sent right after it. Nothing was sent so far.',
  ]);
});

test('what is urgent waits for nothing but what is urgent', async () => {
  const { turn, begin, said } = crowd();
  const bulk = await begin(turn(about252));
  await bulk.begun;
  const enabling = await begin(turn(command({ urgent: true })));
  await enabling.begun;
  const disabling = turn(command({ urgent: true })).send(order);
  expect(await waits(disabling)).toBe(true);
  enabling.end();
  expect(await disabling).toBe('sent');
  expect(said).toEqual([]);
  bulk.end();
});

test('what takes long gives way between its pieces, but not to what is about the same', async () => {
  const { turn, begin } = crowd();
  const bulk = await begin(turn(about252));
  const giveWay = await bulk.begun;
  const other = await begin(turn(about253));
  const same = await begin(turn(about252));
  expect(await waits(other.begun)).toBe(true);
  const back = giveWay();
  await other.begun;
  expect(await waits(back)).toBe(true);
  other.end();
  await back;
  expect(await waits(same.begun)).toBe(true);
  bulk.end();
  await same.begun;
  same.end();
});

test('with several replicas it also gives way to those of others, now and then', async () => {
  const { turn, begin, locks } = crowd({ isShared: true });
  const bulk = await begin(turn(about252));
  const giveWay = await bulk.begun;
  await giveWay();
  bulk.end();
  await bulk.done;
  expect((await locks.forCompile('hq', order))?.value).toBe('sent');
});

test('after a long wait it is looked at again, and what differs is not sent', async () => {
  const { turn, because } = crowd();
  because('It would not do what was shown any more.');
  const now = performance.now;
  const late = turn();
  performance.now = () => now.call(performance) + 61_000;
  let isSent = false;
  const sending = late.send(async () => {
    isSent = true;
  });
  await expect(sending).rejects.toMatchObject({
    name: 'ApplianceBusy',
    code: 'changed',
    message: 'It would not do what was shown any more.',
  });
  performance.now = now;
  expect(isSent).toBe(false);
});

test('what was planned is looked at again when its turn comes, however soon', async () => {
  const { turn, because } = crowd();
  because('Something else was changed.');
  await expect(turn(command(), { runAt: 1 }).send(order)).rejects.toThrow('Something else was changed.');
  expect(await turn().send(order)).toBe('sent');
});

test('what still waits when the bot is stopped is not sent, and says so', async () => {
  const { turn, begin, stop } = crowd();
  const first = await begin(turn());
  await first.begun;
  const second = turn().send(order);
  await waits(second);
  stop();
  await expect(second).rejects.toThrow(
    'Appliance Bot was restarted before this was sent, so it was not sent. Run it again.',
  );
  first.end();
});

test('what goes wrong with an order comes back as it is, and lets the next one through', async () => {
  const { turn } = crowd();
  const wrong = turn().send(async () => {
    throw new TypeError('a mistake');
  });
  await expect(wrong).rejects.toThrow(TypeError);
  expect(await turn().send(order)).toBe('sent');
});

test('an order leaves within the fence that it has when its turn comes', async () => {
  const fence: Fence = { holds: () => true, renew: async () => undefined };
  const { turn } = crowd({ fence: async () => fence });
  expect(await turn().send(async () => currentFence())).toBe(fence);
});

test('an order waits for a journal that does not answer for a moment, but not for one that people must mend', async () => {
  const troubles: JournalTrouble[] = ['away', 'locked', 'away', 'full'];
  const { turn } = crowd({
    fence: async () => {
      const trouble = troubles.shift();
      if (trouble !== undefined) throw new JournalUnavailable(new Error('gone'), trouble);
      return undefined;
    },
  });
  const refused = turn().send(async () => 'sent');
  await expect(refused).rejects.toThrow('This was not sent: the journal’s disk is full');
  troubles.push('away', 'away');
  expect(await turn().send(async () => 'sent')).toBe('sent');
  expect(troubles).toEqual([]);
});

test('one that another replica has taken over while it waited is not sent, and says so', async () => {
  const { turn } = crowd({ fence: () => Promise.reject(new Evicted()) });
  let isSent = false;
  const sent = turn().send(async () => {
    isSent = true;
  });
  await expect(sent).rejects.toThrow(ApplianceBusy);
  await expect(sent).rejects.toMatchObject({
    code: 'evicted',
    message: expect.stringContaining('Another replica of the bot took this over'),
  });
  expect(isSent).toBe(false);
});
