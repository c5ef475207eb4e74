import type { Text } from '../text.ts';

/** What was seen. `unasked`: it could not be read, which is neither good nor bad news. */
export type Observation =
  | {
      readonly kind: 'state';
      readonly is: 'fine' | 'problem' | 'unasked';
      /** Where two are the same, nothing has changed, whatever numbers are in the words. */
      readonly key: string;
      readonly says: Text;
    }
  /**
   * Things that happened, the oldest first; and by its ID each that was read, whether it matters or not. `mayBeCut`: the
   * appliance tells no more than so many.
   */
  | {
      readonly kind: 'news';
      readonly entries: readonly WatchNews[];
      readonly all: readonly string[];
      readonly mayBeCut: boolean;
    };

export interface WatchNews {
  readonly id: string;
  readonly says: Text;
}

/** What becomes of it where somebody wants something watched in a channel: it is watched there once. */
export interface WatchStarted {
  readonly id: number;
  /** `not_yours`: it is watched already, otherwise than it was wanted, and they may not change that. */
  readonly kind: 'new' | 'same' | 'changed' | 'not_yours';
  readonly owner: string;
  /** As it is watched. */
  readonly terms: WatchArgs;
  /** It is spoken of in a thread or a direct message, and posts in the channel itself. */
  readonly isElsewhere: boolean;
}

/** What all that can be watched takes. */
export interface WatchArgs {
  readonly quiet: string | undefined;
  readonly over?: number | undefined;
}
