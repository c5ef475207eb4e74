import type { SaidTime } from '../language/times/said-time.ts';
import type { Acted, Reply } from '../reply.ts';

/** So much longer than something lasts already, in milliseconds. */
export interface MoreTime {
  readonly more: number;
}

/** Sites that people ask to have allowed, as commands speak of them on behalf of one person in one channel. */
export interface RequestBook {
  /**
   * Asks for sites, each of which is decided by itself. `lasts` in milliseconds, for good where it is Infinity; as long as the policy lets where it is undefined. Resolves to
   * what to say of each: it waits for others, nothing blocks it, or why it was not requested.
   */
  readonly ask: (
    sites: readonly string[],
    lasts: number | SaidTime | MoreTime | undefined,
    reason: string,
  ) => Promise<Reply>;
  /** Takes back what this person has asked for, as long as nobody has decided. */
  readonly withdraw: (sites: readonly string[]) => Promise<Acted>;
  /** Those of this person, and to whoever has a role for it those that are open in this channel, with buttons for what they may decide. */
  readonly list: () => Promise<Reply>;
}
