import type { SaidTime } from '../language/times/said-time.ts';
import type { Acted, Reply } from '../reply.ts';

/** How much longer than the current end, in milliseconds. */
export interface MoreTime {
  readonly more: number;
}

export interface RequestBook {
  /**
   * Requests sites; each is decided by itself. `lasts` is in milliseconds; Infinity for good; undefined for the
   * policy's longest. Resolves to the result for each: it waits for approval, nothing blocks it, or why it was
   * not requested.
   */
  readonly ask: (
    sites: readonly string[],
    lasts: number | SaidTime | MoreTime | undefined,
    reason: string,
  ) => Promise<Reply>;
  /** Withdraws this person's requests that nobody has decided yet. */
  readonly withdraw: (sites: readonly string[]) => Promise<Acted>;
  /**
   * This person's requests. People with a role for it also see the open requests in this channel, with buttons
   * for those that they may decide.
   */
  readonly list: () => Promise<Reply>;
}
