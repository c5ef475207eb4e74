import type { AskingAppliance } from '../context.ts';
import type { Observation } from './observation.ts';

/** What can be watched on an appliance: how it is read, once for all who watch it, and what of it matters. */
export interface Watchable {
  /** As people say it: "status", "the mirror". */
  readonly name: string;
  /** Those with the very same function share one reading. @throws ApplianceFailure */
  readonly read: (context: WatchReads) => Promise<unknown>;
  readonly see: (reading: never, look: WatchLook) => Observation;
  /** What must happen for a post, as "when" goes on: "the disk is more than 85 % full". `over`: from what on, where that was said. */
  readonly posts: (over: number | undefined) => string;
  /** The lookup that tells more. */
  readonly more: string;
}

/** What there is to read with: nothing of it is about who watches. */
export type WatchReads = Pick<AskingAppliance<unknown>, 'appliance' | 'now' | 'timedChange'>;

/** When it is looked at, and from what on it matters, where that was said. */
export interface WatchLook {
  readonly now: number;
  readonly over?: number | undefined;
}
