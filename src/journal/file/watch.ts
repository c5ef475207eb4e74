import { dirname } from 'node:path';
import { findDamage } from './check.ts';
import type { FileKeeper } from './keeper.ts';
import { roomIn } from './room.ts';

/** How often what is looked at, in milliseconds. */
export interface Watching {
  /** Whether the file is still the one that was opened. */
  readonly look: number;
  /** How much room there is on its disk. */
  readonly room: number;
  /** Until it is looked through for the first time, when the start is over. */
  readonly firstCheck: number;
  /** Between two looks through all of it, at least. */
  readonly nextCheck: number;
  /** In bytes: what counts as little room. */
  readonly fewBytes: number | undefined;
}

export const usualWatching: Watching = {
  look: 1_000,
  room: 30_000,
  firstCheck: 10_000,
  nextCheck: 10 * 60_000,
  fewBytes: undefined,
};

/** What whoever runs the bot is told of the file beside what keeps it from being used. */
export interface FileNotices {
  /** So few bytes are left on its disk; then, that there is room again. */
  readonly low: (free: number) => void;
  readonly enough: (free: number) => void;
  /** It could not be looked through, and nobody knows whether it is damaged. */
  readonly unchecked: (why: unknown) => void;
}

/** A journal is looked through for a two-hundredth of the time at most, and every six hours at least. */
const share = 200;
const longest = 6 * 60 * 60_000;

/** Looks after the file until it is told to stop. It keeps no process alive. */
export function watchJournalFile(
  file: string,
  keeper: Pick<FileKeeper, 'look' | 'condemn'>,
  notices: FileNotices,
  watching: Watching,
): () => void {
  let isLow = false;
  let isOver = false;
  const timers = [
    setInterval(() => keeper.look(), watching.look),
    setInterval(() => void lookAround(), watching.room),
  ];
  let checking: NodeJS.Timeout;
  const checkIn = (milliseconds: number) => {
    if (isOver) return;
    checking = setTimeout(() => void check(), milliseconds);
    checking.unref();
  };
  for (const timer of timers) timer.unref();
  checkIn(watching.firstCheck);
  void lookAround();

  return () => {
    isOver = true;
    clearTimeout(checking);
    for (const timer of timers) clearInterval(timer);
  };

  async function lookAround(): Promise<void> {
    // A folder that is gone, or on a system that does not tell: what is written there says more.
    const room = await roomIn(dirname(file), watching.fewBytes).catch(() => undefined);
    if (isOver || room === undefined || room.isLow === isLow) return;
    isLow = room.isLow;
    if (isLow) notices.low(room.free);
    else notices.enough(room.free);
  }

  async function check(): Promise<void> {
    const began = performance.now();
    try {
      const damage = await findDamage(file);
      if (damage !== undefined && !isOver) keeper.condemn(damage);
    } catch (error) {
      // What has been taken away is noticed by others.
      if (!isOver) notices.unchecked(error);
    }
    checkIn(Math.min(Math.max(watching.nextCheck, share * (performance.now() - began)), longest));
  }
}
