import { withinFence } from '../../fence.ts';
import type { AnyChange, AnyCommand } from '../../handlers/command.ts';
import type { Text } from '../../handlers/reply.ts';
import { type Action, Evicted, type Journal } from '../../journal/journal.ts';
import { JournalUnavailable } from '../../journal/unavailable.ts';
import type { After } from '../base/timeout.ts';
import { ApplianceBusy, busyWith, restarting, takenOver, unsent } from './busy.ts';
import { createGiveWay, type GiveWay } from './give-way.ts';
import { hold, StoppedWaiting, type Unlock } from './hold.ts';
import { type AtIt, saidWhileWaiting, waitingFor } from './waiting.ts';

/** The key under which one change or one compile at a time is sent to an appliance, by all replicas together. */
export const onAppliance = (name: string): string => `appliance ${name}`;

/** How a change gets its turn on an appliance (docs/decisions, 61). */
export interface ApplianceTurn {
  /**
   * Alone with what it is about, such as a category: what is looked up in there, ordered and read back is not mixed with what another
   * change does to the same. Rejects with `ApplianceBusy`.
   */
  readonly alone: <Value>(task: () => Promise<Value>) => Promise<Value>;
  /**
   * Sends an order when no other one is on its way to the same appliance; what consists of many requests gives way between them.
   * Rejects with `ApplianceBusy`.
   */
  readonly send: <Value>(order: (giveWay: GiveWay) => Promise<Value>) => Promise<Value>;
}

/** For whom it is, and how it waits. */
interface Waiting {
  readonly progress: (words: Text) => void;
  /** It was looked at right before, and only after a long wait is it looked at again. */
  readonly isFresh: boolean;
  /** When its turn has come: why it must not be sent any more, if anything. */
  readonly obstacle: (isLate: boolean) => Promise<string | undefined>;
}

export interface ApplianceLocks {
  /** For a change that somebody has asked for: it waits, says for what, and is looked at again after a long wait. */
  readonly forChange: (
    appliance: string,
    running: Action,
    command: AnyChange,
    args: never,
    waiting: Waiting,
  ) => ApplianceTurn;
  /** For what must end: it waits for nobody long. Better two orders at once than a gate that stays open. */
  readonly forEnd: (appliance: string, action: Action, command: AnyChange, args: never) => ApplianceTurn;
  /** For a compile that the bot sends by itself; undefined when its turn did not come. */
  readonly forCompile: <Value>(
    appliance: string,
    task: () => Promise<Value>,
  ) => Promise<{ readonly value: Value } | undefined>;
}

interface LockParts {
  readonly journal: Pick<Journal, 'exclusively' | 'fence' | 'isShared'>;
  readonly commandByPhrase: ReadonlyMap<string, AnyCommand>;
  readonly after: After;
  readonly stopping: AbortSignal;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** In milliseconds. */
const minute = 60_000;
const timeout = {
  /** Somebody's change. It has its turn sooner, unless something is wrong: what takes long gives way. */
  change: 15 * minute,
  /** What was agreed to so long ago is looked at again before it is sent. */
  agreed: minute,
  end: 10_000,
  compile: minute,
};

export function createApplianceLocks(parts: LockParts): ApplianceLocks {
  const { journal, after, stopping } = parts;
  /** What this one has, by key, for the words of those who wait. */
  const holders = new Map<string, AtIt>();
  /** How many wait here for a key. */
  const waiters = new Map<string, number>();
  const createWay = createGiveWay({ ...parts, isAwaited: (key) => (waiters.get(key) ?? 0) > 0 });
  // What is half done goes on also while the bot is stopped.
  const wayOf = (key: string, holder: AtIt, first: Unlock | undefined) =>
    createWay(key, first, () => take(key, holder, timeout.change, undefined));

  async function take(
    key: string,
    holder: AtIt,
    wait: number,
    until: AbortSignal | undefined = stopping,
  ): Promise<Unlock | undefined> {
    waiters.set(key, (waiters.get(key) ?? 0) + 1);
    try {
      const release = await hold(journal, key, wait, until);
      if (release !== undefined) holders.set(key, holder);
      return (
        release &&
        (async () => {
          if (holders.get(key) === holder) holders.delete(key);
          await release();
        })
      );
    } finally {
      waiters.set(key, (waiters.get(key) ?? 1) - 1);
    }
  }

  /** What it leaves within, unless it must not be sent any more. */
  async function fenceNow(running: Action, obstacle?: () => Promise<string | undefined>) {
    try {
      const why = await obstacle?.();
      if (why !== undefined) throw new ApplianceBusy(why, 'changed');
      return await journal.fence(running.id);
    } catch (error) {
      if (error instanceof Evicted) throw takenOver();
      throw error instanceof JournalUnavailable ? unsent(error) : error;
    }
  }

  return {
    forChange: (appliance, running, command, args, { progress, isFresh, obstacle }) => {
      const holder: AtIt = { action: running };
      const began = performance.now();
      /** For somebody who is told what it waits for. */
      const wait = async (key: string): Promise<Unlock> => {
        const say = () => progress(waitingFor(appliance, holders.get(key), running, parts.commandByPhrase));
        const left = began + timeout.change - performance.now();
        const taking = take(key, holder, Math.max(0, left)).catch((error: unknown) => {
          if (error instanceof StoppedWaiting) throw restarting();
          throw error instanceof JournalUnavailable ? unsent(error) : error;
        });
        const release = await saidWhileWaiting(after, say, taking);
        if (release === undefined) throw busyWith(appliance);
        return release;
      };
      return {
        alone: (task) => aloneWith(keysOf(appliance, command, args), wait, task),
        send: async (order) => {
          const key = command.urgent ? urgentOn(appliance) : onAppliance(appliance);
          const release = await wait(key);
          const way = wayOf(key, holder, release);
          try {
            const isLate = performance.now() - began > timeout.agreed;
            const fence = await fenceNow(running, isLate || !isFresh ? () => obstacle(isLate) : undefined);
            return await withinFence(fence, () => order(way.giveWay));
          } finally {
            await way.release();
          }
        },
      };
    },

    forEnd: (appliance, action, command, args) => {
      const holder: AtIt = { action };
      const soon = (key: string) => take(key, holder, timeout.end).catch(() => undefined);
      return {
        alone: (task) => aloneWith(keysOf(appliance, command, args), soon, task),
        send: async (order) => {
          const key = command.urgent ? urgentOn(appliance) : onAppliance(appliance);
          const way = wayOf(key, holder, await soon(key));
          try {
            return await order(way.giveWay);
          } finally {
            await way.release();
          }
        },
      };
    },

    forCompile: async (appliance, task) => {
      const release = await take(onAppliance(appliance), 'compile', timeout.compile).catch(
        (error: unknown) => {
          if (error instanceof StoppedWaiting) return undefined;
          throw error;
        },
      );
      if (release === undefined) return undefined;
      try {
        return { value: await withinFence(await journal.fence(), task) };
      } finally {
        await release();
      }
    },
  };
}

/**
 * What must get through at once, such as emergency mode, is one at a time among itself only: what it changes is nothing that another
 * change or a compile has to do with.
 */
const urgentOn = (appliance: string): string => `${onAppliance(appliance)} urgent`;

/**
 * What a change is about, as far as two of them must not mix: what has to be compiled after it, but for the filtering rules, which
 * have to do with every category.
 */
function keysOf(appliance: string, command: AnyChange, args: never): readonly string[] {
  const about = [...(command.requires?.(args) ?? []), ...(command.satisfies?.(args, {}) ?? [])];
  const keys = new Set(about.filter((what) => what !== 'filter'));
  // In one order, so that two never wait for each other.
  return [...keys].toSorted().map((what) => `${onAppliance(appliance)} ${what}`);
}

async function aloneWith<Value>(
  keys: readonly string[],
  take: (key: string) => Promise<Unlock | undefined>,
  task: () => Promise<Value>,
): Promise<Value> {
  const held: (Unlock | undefined)[] = [];
  try {
    for (const key of keys) held.push(await take(key));
    return await task();
  } finally {
    for (const release of held.toReversed()) await release?.();
  }
}
