import type { Acted, Offer } from '../reply.ts';
import type { Text } from '../text.ts';

/** A plan that is under way, or has stopped and waits for somebody. Moments: milliseconds since the epoch. */
export interface OpenPlan {
  /** What people call it. */
  readonly reference: string;
  /** "Run this plan of 5 lines on hq". */
  readonly what: Text;
  /** How it stands: what it waits for, which line it is at, where it has stopped. */
  readonly stands: Text;
  readonly asked: number;
  readonly person: string;
  readonly channel: string;
  readonly card: string | undefined;
  readonly ticket: string | undefined;
  /** What can be done with it now, as on its card. */
  readonly buttons: readonly Offer[];
}

/** The plans of a channel. */
export interface PlanBook {
  /** What is under way and what has stopped, the newest first. */
  readonly list: () => Promise<readonly OpenPlan[]>;
  /** Nobody goes on with it or takes it back: what is done stays, and its buttons go away. */
  readonly leave: (reference: string) => Promise<Acted>;
  /**
   * What runs of it is finished, and nothing after that begun. Where none is named it is that of the thread, or the only one that
   * runs here: that of somebody else is named before.
   */
  readonly stop: (reference: string | undefined) => Promise<Acted>;
}
