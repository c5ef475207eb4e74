import type { Acted, Offer } from '../reply.ts';
import type { Text } from '../text.ts';

/** A plan that is running, or has stopped and waits for a decision. Moments are milliseconds since the epoch. */
export interface OpenPlan {
  readonly reference: string;
  readonly what: Text;
  /** Its state: what it waits for, its current line, where it has stopped. */
  readonly stands: Text;
  readonly asked: number;
  readonly person: string;
  readonly channel: string;
  readonly card: string | undefined;
  readonly ticket: string | undefined;
  readonly buttons: readonly Offer[];
}

export interface PlanBook {
  /** Running and stopped plans, newest first. */
  readonly list: () => Promise<readonly OpenPlan[]>;
  /** Closes a stopped plan: finished lines stay, and its buttons disappear. */
  readonly leave: (reference: string) => Promise<Acted>;
  /**
   * Finishes the current line and begins no other. Without a name it takes the thread's plan, or the only one
   * running here; somebody else's needs its name first.
   */
  readonly stop: (reference: string | undefined) => Promise<Acted>;
}
