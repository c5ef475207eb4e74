import type { Journal } from '../journal/journal.ts';
import type { Applies } from './apply.ts';
import type { Confirmation } from './confirm.ts';
import type { Leases } from './lease/leases.ts';

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
  readonly leases: Pick<Leases, 'tick'>;
  readonly now: () => number;
  readonly every: (milliseconds: number, callback: () => void) => () => void;
  readonly track: (work: () => Promise<void>) => void;
}

export function startClock({ journal, confirmation, applies, leases, now, every, track }: ClockParts): Clock {
  const tick = async () => {
    await leases.tick();
    for (const action of await journal.overdue(now())) await confirmation.expire(action);
    await applies.tick();
    await journal.forgetOver(now());
  };
  return { stop: every(interval, () => track(tick)) };
}
