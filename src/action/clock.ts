import type { Journal } from '../journal/journal.ts';
import type { Applies } from './apply.ts';
import type { Confirmation } from './confirm.ts';

/** Everything that happens later, because of the time and not because somebody asked. */
export interface Clock {
  readonly stop: () => void;
}

/** Milliseconds between two looks. A click on a card whose time is over is refused to the millisecond all the same. */
const interval = 2_000;

export interface ClockParts {
  readonly journal: Pick<Journal, 'overdue' | 'forgetOver'>;
  readonly confirmation: Pick<Confirmation, 'expire'>;
  readonly applies: Pick<Applies, 'tick'>;
  readonly now: () => number;
  readonly track: (work: () => Promise<void>) => void;
}

export function startClock({ journal, confirmation, applies, now, track }: ClockParts): Clock {
  const tick = async () => {
    for (const action of await journal.overdue(now())) await confirmation.expire(action);
    await applies.tick();
    await journal.forgetOver(now());
  };
  const timer = setInterval(() => track(tick), interval).unref();
  return { stop: () => clearInterval(timer) };
}
