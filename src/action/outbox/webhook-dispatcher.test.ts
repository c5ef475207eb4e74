import { expect, test } from 'vitest';
import { plainText } from '../../handlers/reply.ts';
import type { Action, Journal, PendingWebhook } from '../../journal/journal.ts';
import { createLog } from '../../telemetry/log.ts';
import { createWebhookDispatcher } from './webhook-dispatcher.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** What all replicas have told, by the clock of whoever asks. */
function toldByAll() {
  const all = new Map<string, { readonly words: string; readonly at: number }>();
  return (now: () => number): Journal['tellOnce'] =>
    async (subject, words, again = Number.POSITIVE_INFINITY) => {
      const before = all.get(subject);
      if (before?.words === words && now() - before.at < again) return undefined;
      all.set(subject, { words, at: now() });
      return { words: before?.words, at: before?.at };
    };
}

/** A dispatcher with rows in memory, a clock that the test turns, and a receiver that answers as it wants. */
function dispatcher(tellOnce = toldByAll()) {
  let at = 1_000_000;
  let rows: (PendingWebhook & { nextTryAt: number })[] = [];
  let answer = 204;
  let receiver = { url: 'https://one.example/', keys: [Buffer.alloc(32)] };
  const posted: string[] = [];
  const told: string[] = [];
  const isDue = (row: { nextTryAt: number }) => row.nextTryAt <= at;
  const { tick } = createWebhookDispatcher({
    journal: {
      tellOnce: tellOnce(() => at),
      actionsWithWebhooks: async () => [...new Set(rows.filter(isDue).map(({ action }) => action))],
      claimWebhooks: async (action) => rows.filter((row) => row.action === action && isDue(row)),
      finishWebhook: async (id) => {
        rows = rows.filter((row) => row.id !== id);
      },
      retryWebhook: async (id, nextTryAt) => {
        rows = rows.map((row) => (row.id === id ? { ...row, nextTryAt, tries: row.tries + 1 } : row));
      },
      releaseWebhooks: async () => undefined,
      expediteWebhooks: async () => {
        rows = rows.map((row) => ({ ...row, nextTryAt: at }));
      },
      byId: async (id) => ({ id, args: {}, preview: null, createdAt: at }) as unknown as Action,
    },
    receiver: () => receiver,
    post: async (url) => {
      posted.push(url);
      return { kind: 'answered', status: answer, retryAfter: undefined };
    },
    tellAdmins: async ({ headline }) => void told.push(plainText(headline)),
    commandByPhrase: new Map(),
    log: createLog('silent'),
    now: () => at,
    certainlyOver: () => at,
    isStopping: () => false,
  });
  let rowsMade = 0;
  return {
    ...{ posted, told, tick },
    waiting: () => rows.length,
    happens: () => {
      rowsMade += 1;
      const [key, action] = [`key ${rowsMade}`, `action ${rowsMade}`];
      rows.push({
        ...{ id: rowsMade, key, action, event: 'change.done', content: {}, at, tries: 0, nextTryAt: at },
      });
    },
    answers: (status: number) => {
      answer = status;
    },
    movesTo: (url: string) => {
      receiver = { ...receiver, url };
    },
    /** Time goes by, and the clock is looked at. */
    pass: async (milliseconds: number, step = milliseconds) => {
      for (let passed = 0; passed < milliseconds; passed += step) {
        at += step;
        await tick();
      }
    },
  };
}

test('of a receiver that takes nothing the admins hear once, then once a day, and when it is over', async () => {
  const { told, happens, answers, pass } = dispatcher();
  answers(503);
  happens();
  await pass(4 * minute, minute);
  expect(told).toEqual([]);
  await pass(20 * 60 * minute, 5 * minute);
  expect(told).toEqual([
    expect.stringContaining(
      'The webhook receiver doesn’t take what it is told of changes: HTTP 503. Each delivery',
    ),
  ]);
  happens();
  await pass(20 * 60 * minute, 5 * minute);
  expect(told).toHaveLength(2);
  expect(told[1]).toContain('1 delivery given up: the log has each.');
  answers(204);
  await pass(2 * 60 * minute, 5 * minute);
  expect(told).toHaveLength(3);
  expect(told[2]).toMatch(/^The webhook receiver takes what it is told of changes again, after /);
  happens();
  await pass(minute);
  expect(told).toHaveLength(3);
});

test('of one that takes nothing, or is gone for good, one replica tells for all, and one that it takes things again, be it another', async () => {
  const tellOnce = toldByAll();
  const [one, other, restarted] = [dispatcher(tellOnce), dispatcher(tellOnce), dispatcher(tellOnce)];
  for (const { answers, happens, pass } of [one, other]) {
    answers(503);
    happens();
    await pass(60 * minute, 5 * minute);
  }
  expect(one.told).toHaveLength(1);
  expect(other.told).toEqual([]);
  // It knows of no failure, and what it sends is taken.
  restarted.happens();
  await restarted.pass(minute);
  expect(restarted.told).toEqual([expect.stringMatching(/takes what it is told of changes again, after /)]);
  for (const { answers, pass } of [one, other]) {
    answers(204);
    await pass(10 * minute, minute);
  }
  expect([one, other].map(({ told }) => told.length)).toEqual([1, 0]);
  for (const { answers, happens, pass } of [one, other]) {
    answers(410);
    happens();
    await pass(5 * minute, minute);
  }
  expect([one, other].map(({ told }) => told.length)).toEqual([2, 0]);
});

test('a short failure is nobody’s business', async () => {
  const { told, posted, happens, answers, pass } = dispatcher();
  answers(500);
  happens();
  await pass(minute);
  answers(204);
  await pass(5 * minute);
  expect(posted).toHaveLength(2);
  expect(told).toEqual([]);
});

test('one that is gone for good is told nothing more until the policy says something else, and what waits is not lost', async () => {
  const { told, posted, happens, answers, movesTo, pass, waiting } = dispatcher();
  answers(410);
  happens();
  await pass(minute);
  expect(told).toEqual([
    'The webhook receiver at one.example says that it is gone for good (HTTP 410), so it gets no more notifications. Those that wait are kept for 1 day. Change or remove webhook in the policy file. Changes are not affected.',
  ]);
  happens();
  await pass(5 * 60 * minute, 5 * minute);
  expect(posted).toHaveLength(1);
  expect(told).toHaveLength(1);
  answers(204);
  movesTo('https://two.example/');
  await pass(1_000);
  expect(posted).toEqual(['https://one.example/', 'https://two.example/', 'https://two.example/']);
  expect(waiting()).toBe(0);
  expect(told).toHaveLength(1);
});

test('what waits for one that is gone is given up after a day, and said', async () => {
  const { told, posted, happens, answers, pass, waiting } = dispatcher();
  answers(410);
  happens();
  await pass(minute);
  await pass(day + minute, 30 * minute);
  expect(posted).toHaveLength(1);
  expect(waiting()).toBe(0);
  expect(told.at(-1)).toContain('HTTP 410. 1 delivery given up');
});

test('another receiver need not wait as long as the one before had been given', async () => {
  const { posted, happens, answers, movesTo, pass } = dispatcher();
  answers(503);
  happens();
  await pass(60 * minute, minute);
  answers(204);
  movesTo('https://two.example/');
  await pass(1);
  expect(posted.at(-1)).toBe('https://two.example/');
});
