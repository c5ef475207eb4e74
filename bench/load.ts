import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '../sandbox/workspace/protocol.ts';
import { type Contestant, typist } from './contestant.ts';

/** One command on its way. Milliseconds from the moment its envelope was sent. */
interface Trip {
  readonly acknowledged: number;
  /** Until its result stood in the thread; undefined where nobody waited for one. */
  readonly answered: number | undefined;
}

/** Evenly spaced, regardless of the answers; or so many at once, each followed by the next after its answer. */
type Rhythm = { readonly perSecond: number } | { readonly atOnce: number };

/** How people ask, and by which envelopes it comes. */
const ways = {
  command: { text: '/appliance categorize example.com', envelope: 'slash_commands' },
  mention: { text: '@appliance-bot categorize example.com', envelope: 'events_api' },
} as const;
const expected = { text: 'example.com is in 1 category: shopping', inTable: '"text":"shopping"' };
/** How long one command may take before the run is given up, in milliseconds. */
const timeout = 10_000;

export interface Load {
  /** Types so many commands, each into the next channel. @throws when one is not acknowledged or not answered as it must be */
  readonly type: (
    commands: number,
    rhythm: Rhythm,
    waitFor: 'acknowledgement' | 'answer',
  ) => Promise<readonly Trip[]>;
}

/** The people of a contestant's workspace, all of them typing the same command, each in a channel. */
export function createLoad(contestant: Contestant, way: keyof typeof ways = 'command'): Load {
  const { workspace } = contestant;
  const { text, envelope } = ways[way];
  let turn = 0;

  async function give(
    answer: Promise<number> | undefined,
    channel: string,
    as: string,
  ): Promise<number | undefined> {
    // The answer may fail before the acknowledgement is in, and is awaited only after it.
    answer?.catch(() => undefined);
    const acted = await workspace.act({ act: 'type', as, channel, text });
    if (!acted.ok) throw new Error(`${contestant.kind}: ${acted.error}\n${contestant.complaint()}`);
    return answer;
  }

  return {
    type: async (commands, rhythm, waitFor) => {
      workspace.log.clear();
      const answers = waitFor === 'answer' ? awaitAnswers(contestant) : undefined;
      // Not the direct messages that the bot has begun.
      const channelIds = workspace.channels.filter(({ isIm }) => !isIm).map(({ id }) => id);
      const one = () => {
        const next = turn % channelIds.length;
        const channel = channelIds[next] ?? '';
        turn += 1;
        return give(answers?.next(channel), channel, typist(next));
      };
      try {
        const answeredAt = await ('perSecond' in rhythm
          ? evenly(commands, rhythm.perSecond, one)
          : atOnce(commands, rhythm.atOnce, one));
        const envelopes = workspace.log.envelopes().filter(({ kind }) => kind === envelope);
        return envelopes.map(({ sentAt, ackedAt = Number.NaN }, index) => {
          const at = answeredAt[index];
          return { acknowledged: ackedAt - sentAt, answered: at === undefined ? undefined : at - sentAt };
        });
      } finally {
        answers?.stop();
      }
    },
  };
}

/** In the order in which they were started. */
export async function evenly<Result>(
  count: number,
  perSecond: number,
  start: () => Promise<Result>,
): Promise<Result[]> {
  const began = performance.now();
  const started: Promise<Result>[] = [];
  for (let index = 0; index < count; index += 1) {
    await sleep(Math.max(0, began + (index * 1_000) / perSecond - performance.now()));
    const result = start();
    // The loop below awaits it; until then its failure is not unhandled.
    result.catch(() => undefined);
    started.push(result);
  }
  return Promise.all(started);
}

/** In the order in which they were started. */
async function atOnce<Result>(count: number, width: number, start: () => Promise<Result>): Promise<Result[]> {
  const started: Promise<Result>[] = [];
  const runner = async () => {
    while (started.length < count) {
      const result = start();
      started.push(result);
      await result;
    }
  };
  await Promise.all(Array.from({ length: width }, runner));
  return Promise.all(started);
}

/** Watches the channels; a command is answered when its message stands, with its details. */
function awaitAnswers({ workspace, kind, complaint }: Contestant) {
  const typists = new Set(workspace.channels.map((_, index) => typist(index)));
  const waiting = new Map<
    string,
    { readonly answered: (at: number) => void; readonly failed: (error: Error) => void }
  >();
  const stop = workspace.onChange((change) => {
    if (change.type !== 'message' && change.type !== 'ephemeral') return;
    const { message, at, channel } = change;
    if (typists.has(message.user)) return;
    const trip = waiting.get(channel);
    if (trip === undefined) return;
    waiting.delete(channel);
    if (isExpectedAnswer(message)) trip.answered(at);
    else trip.failed(new Error(`${kind} said: ${message.text}`));
  });
  return {
    stop,
    /** Resolves to the time at which the next command of this channel is answered. */
    next: (channel: string) =>
      new Promise<number>((answered, reject) => {
        if (waiting.has(channel)) throw new Error('There are too few channels for this load.');
        const timer = setTimeout(() => reject(new Error(`${kind} did not answer.\n${complaint()}`)), timeout);
        const settle =
          <Given>(act: (given: Given) => void) =>
          (given: Given) => {
            clearTimeout(timer);
            act(given);
          };
        waiting.set(channel, { answered: settle(answered), failed: settle(reject) });
      }),
  };
}

const isExpectedAnswer = (message: Message): boolean =>
  message.thread_ts === undefined &&
  message.ephemeral_to === undefined &&
  message.text.startsWith(expected.text) &&
  JSON.stringify(message.blocks).includes(expected.inTable);
