import type { Journal } from '../journal/journal.ts';
import type { Confirmation } from './confirm.ts';

/** Everything that happens later, because of the time and not because somebody asked. */
export interface Clock {
  readonly stop: () => void;
}

/** Milliseconds between two looks. A click on a card whose time is over is refused to the millisecond all the same. */
const interval = 2_000;

export function startClock(
  journal: Journal,
  confirmation: Pick<Confirmation, 'expire'>,
  now: () => number,
  run: (work: () => Promise<void>) => void,
): Clock {
  const tick = async () => {
    for (const action of await journal.overdue(now())) await confirmation.expire(action);
  };
  const timer = setInterval(() => run(tick), interval).unref();
  return { stop: () => clearInterval(timer) };
}
