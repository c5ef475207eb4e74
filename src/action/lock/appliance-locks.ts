import { withinFence } from '../../fence.ts';
import type { AnyChange, AnyCommand } from '../../handlers/command.ts';
import { person, say, strong, type Text } from '../../handlers/reply.ts';
import { referenceOf } from '../../journal/actions/reference.ts';
import { type Action, Evicted, type Journal } from '../../journal/journal.ts';
import { JournalUnavailable, journalTroubles } from '../../journal/unavailable.ts';
import { changeOf, targetsIn } from '../base/stored.ts';
import type { After } from '../base/timeout.ts';
import { doingIn } from '../showing/card.ts';

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
  /** A journal that does not answer is asked again for so long: nothing was sent, and nobody has to type it again. */
  journal: 10_000,
};
const pause = 250;

export function createApplianceLocks(parts: LockParts): ApplianceLocks {
  const { journal, after, stopping } = parts;
  /** What this one has, by key, for the words of those who wait. */
  const holders = new Map<string, AtIt>();
  /** How many wait here for a key. */
  const waiters = new Map<string, number>();
  // What is half done goes on also while the bot is stopped.
  const wayOf = (key: string, holder: AtIt, first: Unlock | undefined) =>
    giveWayWith(
      parts,
      () => (waiters.get(key) ?? 0) > 0,
      first,
      () => take(key, holder, timeout.change, undefined),
    );

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
      throw error instanceof Evicted ? takenOver() : error;
    }
  }

  /** Asks the journal for what must be known before an order. Rejects with `ApplianceBusy` where it stays away. */
  async function untilAnswered<Value>(ask: () => Promise<Value>): Promise<Value> {
    const began = performance.now();
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof JournalUnavailable)) throw error;
        const mayPass = error.trouble === 'away' || error.trouble === 'locked';
        if (!mayPass || stopping.aborted || performance.now() - began > timeout.journal) throw unsent(error);
        await parts.sleep(pause);
      }
    }
  }

  return {
    forChange: (appliance, running, command, args, { progress, isFresh, obstacle }) => {
      const holder: AtIt = { action: running };
      const began = performance.now();
      /** For somebody who is told what it waits for. */
      const wait = async (key: string): Promise<Unlock> => {
        const say = () => progress(waitingFor(appliance, holders.get(key), running, parts.commandByPhrase));
        const left = () => Math.max(0, began + timeout.change - performance.now());
        const taking = untilAnswered(() => take(key, holder, left())).catch((error: unknown) => {
          throw error instanceof StoppedWaiting ? restarting() : error;
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
            const isDue = isLate || !isFresh;
            const fence = await untilAnswered(() =>
              fenceNow(running, isDue ? () => obstacle(isLate) : undefined),
            );
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

/** Its turn did not come, or came too late, so the order was not sent. */
export class ApplianceBusy extends Error {
  override readonly name = 'ApplianceBusy';
  readonly code: 'busy' | 'changed' | 'evicted' | 'restarting';

  constructor(message: string, code: ApplianceBusy['code'] = 'busy') {
    super(message);
    this.code = code;
  }
}

/** What cannot be written down is not sent. */
export function unsent({ trouble }: JournalUnavailable): ApplianceBusy {
  const { is, until } = journalTroubles[trouble];
  return new ApplianceBusy(`This was not sent: ${is}. ${until}`);
}

const busyWith = (appliance: string): ApplianceBusy =>
  new ApplianceBusy(
    `Another change has been under way on ${appliance} for a quarter of an hour, so this one was not sent. Try again when it has finished.`,
  );

export const restarting = (): ApplianceBusy =>
  new ApplianceBusy(
    'Appliance Bot was restarted before this was sent, so it was not sent. Run it again.',
    'restarting',
  );

const takenOver = (): ApplianceBusy =>
  new ApplianceBusy(
    'Another replica of the bot took this over, because this one did not respond for a while, so it was not sent.',
    'evicted',
  );

/** Lets those who wait for the appliance have their turn; resolves when it is this one’s again. */
type GiveWay = () => Promise<void>;

interface Way {
  readonly giveWay: GiveWay;
  /** It is over. */
  readonly release: Unlock;
}

/**
 * Others of this process are known, and get their turn at once. For those of other replicas it pauses this often, in milliseconds, and
 * so long that each of them has asked once more whether it is free (`postgres.ts`).
 */
const forReplicas = { every: 2_000, pause: 300 };

function giveWayWith(
  { journal, sleep }: Pick<LockParts, 'journal' | 'sleep'>,
  /** Whether somebody here waits for it. */
  isAwaited: () => boolean,
  first: Unlock | undefined,
  take: () => Promise<Unlock | undefined>,
): Way {
  let held = first;
  let last = performance.now();
  return {
    giveWay: async () => {
      const isForReplicas = journal.isShared && performance.now() - last > forReplicas.every;
      if (held === undefined || !(isForReplicas || isAwaited())) return;
      await held();
      held = undefined;
      if (isForReplicas) await sleep(forReplicas.pause);
      // What is half done goes on, whatever becomes of the lock; whether it may still be sent, its fence says.
      held = await take().catch(() => undefined);
      last = performance.now();
    },
    release: async () => held?.(),
  };
}

/** What nobody else has meanwhile. Resolves when others can have it. */
type Unlock = () => Promise<void>;

/**
 * Takes what one at a time has, of all replicas together; undefined when that took too long.
 * @param stopping what comes after it is given back at once
 */
async function hold(
  journal: Pick<Journal, 'exclusively'>,
  key: string,
  timeout: number,
  stopping?: AbortSignal,
): Promise<Unlock | undefined> {
  const taken = Promise.withResolvers<Unlock | undefined>();
  const over = Promise.withResolvers<void>();
  const held = journal.exclusively(key, timeout, async () => {
    taken.resolve(async () => {
      over.resolve();
      await held;
    });
    await over.promise;
  });
  held.then((done) => {
    if (done === undefined) taken.resolve(undefined);
  }, taken.reject);
  if (stopping === undefined) return taken.promise;
  const stopped = Promise.withResolvers<never>();
  const stop = () => {
    over.resolve();
    stopped.reject(new StoppedWaiting());
  };
  if (stopping.aborted) stop();
  stopping.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([taken.promise, stopped.promise]);
  } finally {
    stopping.removeEventListener('abort', stop);
    stopped.promise.catch(() => undefined);
    taken.promise.catch(() => undefined);
  }
}

/** The bot is stopped while something waits for its turn. */
class StoppedWaiting extends Error {
  override readonly name = 'StoppedWaiting';
}

/** Who has its turn. */
type AtIt = { readonly action: Action } | 'compile';

/** What a change waits for. Nobody learns here what is done in another channel. */
function waitingFor(
  appliance: string,
  holder: AtIt | undefined,
  { channel }: Pick<Action, 'channel'>,
  commandByPhrase: ReadonlyMap<string, AnyCommand>,
): Text {
  const then = 'This one is sent right after it. Nothing was sent so far.';
  if (holder === 'compile') return say`Waiting: ${strong(appliance)} is compiling. ${then}`;
  const command = changeOf(commandByPhrase, holder?.action);
  if (holder === undefined || command === undefined || holder.action.channel !== channel)
    return say`Waiting: another change is under way on ${strong(appliance)}. ${then}`;
  const { id, person: who } = holder.action;
  return say`Waiting for ${referenceOf(id)} of ${person(who)}: ${doingIn(command, targetsIn(holder.action))}. ${then}`;
}

/** In milliseconds: when somebody is told that it waits, and how often it is said anew, for what it waits for changes. */
const pauses = { first: 2_500, next: 20_000 };

/** Waits, and says for what as long as it does. */
async function saidWhileWaiting<Value>(
  after: After,
  say: () => void,
  waiting: Promise<Value>,
): Promise<Value> {
  let callOff = () => {};
  const sayIn = (milliseconds: number) => {
    callOff = after(milliseconds, () => {
      say();
      sayIn(pauses.next);
    });
  };
  sayIn(pauses.first);
  try {
    return await waiting;
  } finally {
    callOff();
  }
}
