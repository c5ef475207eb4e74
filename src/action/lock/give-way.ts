import type { Journal } from '../../journal/journal.ts';
import type { Unlock } from './hold.ts';

/** Lets those who wait for the appliance have their turn; resolves when it is this one’s again. */
export type GiveWay = () => Promise<void>;

interface Way {
  readonly giveWay: GiveWay;
  /** It is over. */
  readonly release: Unlock;
}

/** Others of this process are known, and get their turn at once. For those of other replicas it pauses this often, in milliseconds. */
const every = 2_000;
/** So long that each of them has asked once more whether it is free (`postgres-locks.ts`). */
const pause = 300;

export function createGiveWay({
  journal,
  sleep,
  isAwaited,
}: {
  readonly journal: Pick<Journal, 'isShared'>;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Whether somebody here waits for it. */
  readonly isAwaited: (key: string) => boolean;
}): (key: string, held: Unlock | undefined, take: () => Promise<Unlock | undefined>) => Way {
  return (key, first, take) => {
    let held = first;
    let last = performance.now();
    return {
      giveWay: async () => {
        const isForReplicas = journal.isShared && performance.now() - last > every;
        if (held === undefined || !(isForReplicas || isAwaited(key))) return;
        await held();
        held = undefined;
        if (isForReplicas) await sleep(pause);
        // What is half done goes on, whatever becomes of the lock; whether it may still be sent, its fence says.
        held = await take().catch(() => undefined);
        last = performance.now();
      },
      release: async () => held?.(),
    };
  };
}
