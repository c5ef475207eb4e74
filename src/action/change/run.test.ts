import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { AnyChange } from '../../handlers/command.ts';
import { plainText, type Reply, say, type Text } from '../../handlers/reply.ts';
import type { Action } from '../../journal/journal.ts';
import type { ResolvedTarget } from '../target/target.ts';
import { createRunner } from './run.ts';

/** Nobody else is at it. */
const locks = {
  forChange: () => ({
    alone: <Value>(task: () => Promise<Value>) => task(),
    send: <Value>(order: (giveWay: () => Promise<void>) => Promise<Value>) => order(async () => undefined),
  }),
};

test('where a mistake of ours ends it on one appliance, the order to the other is waited for all the same', async () => {
  const order = Promise.withResolvers<{ readonly confirmed: boolean }>();
  const told: string[] = [];
  // Only what a change on two appliances comes across.
  const parts = {
    appliances: new Map(['hq', 'branch-2'].map((name) => [name, { name }])),
    journal: {
      move: async (action: Action, state: string) => ({ ...action, state }),
      keptOf: async () => [],
      offerBehind: async () => undefined,
    },
    notifications: {
      draw: async () => undefined,
      transitionAndNotify: async (action: Action, state: string) => {
        told.push(state);
        return action;
      },
    },
    contexts: { acting: (_: Action, { appliance }: ResolvedTarget) => ({ appliance }) },
    secretStore: { forget: () => void told.push('passwords are forgotten') },
    applies: {},
    supervision: {
      begin: async () => undefined,
      before: async () => undefined,
      supervises: async () => false,
      released: () => undefined,
    },
    now: Date.now,
    sleep: async () => undefined,
    locks,
    stopping: new AbortController().signal,
  } as unknown as Parameters<typeof createRunner>[0];
  const command = {
    verb: 'Stop',
    doing: () => say`Stopping it`,
    done: () => say`It is stopped`,
    run: ({ appliance }: ResolvedTarget) => {
      if (appliance.name === 'hq') throw new TypeError('a mistake of ours');
      return order.promise;
    },
    verify: { notCheckable: 'nothing shows it' },
  } as unknown as AnyChange;
  const targets = ['hq', 'branch-2'].map((appliance) => ({ appliance, args: {}, fingerprint: {} }));
  const action = {
    id: 'a1',
    state: 'running',
    preview: { question: [], fields: [], targets },
  } as unknown as Action;

  const ended = createRunner(parts).run({ channel: 'C1', person: 'U1' }, action, command);
  ended.catch(() => undefined);
  await setImmediate();
  expect(told).toEqual([]);
  order.resolve({ confirmed: true });
  await expect(ended).rejects.toThrow('a mistake of ours');
  expect(told).toEqual(['unknown', 'passwords are forgotten']);
});

test('what a mistake of ours has left unknown is looked at, and told to people where the look does not come to its end either', async () => {
  const ends: unknown[] = [];
  const moves: unknown[] = [];
  const parts = {
    appliances: new Map([['hq', { name: 'hq' }]]),
    journal: {
      move: async (action: Action, state: string, { held }: { readonly held?: boolean } = {}) => {
        moves.push([state, held]);
        return { ...action, state };
      },
      keptOf: async () => [],
      offerBehind: async () => undefined,
    },
    notifications: {
      draw: async () => undefined,
      transitionAndNotify: async (
        action: Action,
        state: string,
        changes: object,
        { headline, threadReply }: { headline: Text; threadReply: Reply },
      ) => {
        ends.push([state, 'held' in changes, plainText(headline), plainText(threadReply.headline)]);
        return action;
      },
    },
    contexts: { acting: (_: Action, { appliance }: ResolvedTarget) => ({ appliance }) },
    secretStore: { forget: () => undefined },
    applies: { settled: async () => undefined, start: () => undefined, add: async () => undefined },
    supervision: {
      begin: async () => undefined,
      before: async () => undefined,
      supervises: async () => false,
      settle: async () => undefined,
      after: async () => undefined,
      released: () => undefined,
    },
    sleep: async () => undefined,
    locks,
    stopping: new AbortController().signal,
  } as unknown as Parameters<typeof createRunner>[0];
  const action = {
    id: 'a1',
    state: 'running',
    preview: { question: [], fields: [], targets: [{ appliance: 'hq', args: {}, fingerprint: {} }] },
  } as unknown as Action;
  const runWith = async (verify: () => Promise<unknown>) => {
    const command = {
      verb: 'Stop',
      doing: () => say`Stopping it`,
      done: () => say`It is stopped`,
      run: () => Promise.reject(new TypeError('a mistake of ours')),
      verify,
    } as unknown as AnyChange;
    await expect(createRunner(parts).run({ channel: 'C1', person: 'U1' }, action, command)).rejects.toThrow(
      'mistake of ours',
    );
    return ends.splice(0);
  };

  expect(await runWith(async () => ({ kind: 'happened', evidence: say`It stands still.` }))).toEqual([
    ['done', false, 'It is stopped', expect.stringContaining('A check showed')],
  ]);
  // Who looks at it may be gone before they have seen something: then another replica has to.
  expect(moves).toEqual([['unknown', true]]);
  expect(await runWith(() => Promise.reject(new TypeError('another mistake of ours')))).toEqual([
    [
      'unknown',
      false,
      'Stopping it: internal error, outcome unknown',
      expect.stringContaining('It is not sent again automatically'),
    ],
  ]);
});

test('what somebody else has just switched on there is not ordered a second time, because it would have no end of its own', async () => {
  const told: string[] = [];
  const parts = {
    journal: {
      move: async (action: Action, state: string) => ({ ...action, state }),
      offerBehind: async () => undefined,
    },
    notifications: {
      transitionAndNotify: async (
        action: Action,
        state: string,
        _: unknown,
        { threadReply }: { threadReply: Reply },
      ) => {
        told.push(state, plainText(threadReply.headline));
        return action;
      },
    },
    secretStore: { forget: () => undefined },
    supervision: { begin: async () => 'hq', released: () => undefined },
    locks,
    stopping: new AbortController().signal,
  } as unknown as Parameters<typeof createRunner>[0];
  const command = { verb: 'Enable', timed: { name: 'Emergency mode' } } as unknown as AnyChange;
  const running = { id: 'a', state: 'running', person: 'U1', channel: 'C1' } as unknown as Action;
  await createRunner(parts).run(running, running, command);
  expect(told).toEqual([
    'failed',
    'Emergency mode was enabled on hq a moment ago by somebody else, and that end time counts. Yours was not sent. No changes were made.',
  ]);
});
