import type { AskingAppliance } from '../context.ts';
import type { Observation } from './observation.ts';

/** Something to watch on an appliance: how to read it, once for all watches, and which changes matter. */
export interface Watchable {
  readonly name: string;
  /** Watches with the same function share a reading. @throws ApplianceFailure */
  readonly read: (context: WatchReads) => Promise<unknown>;
  readonly see: (reading: never, look: WatchLook) => Observation;
  /** The condition for a post, to follow "when": "the disk is more than 85 % full". `over`: the given threshold. */
  readonly posts: (over: number | undefined) => string;
  /** The lookup with more details. */
  readonly more: string;
}

/** The context for reading, which does not depend on who watches. */
export type WatchReads = Pick<AskingAppliance<unknown>, 'appliance' | 'now' | 'timedChange'>;

/** The times to look, and the given threshold. */
export interface WatchLook {
  readonly now: number;
  readonly over?: number | undefined;
}
