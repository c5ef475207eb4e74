import { z } from 'zod';
import type { Stored } from '../../codec.ts';
import { type Text, textShape } from '../text.ts';

/** An observation. `unasked`: it could not be read, which is neither good nor bad. */
export type Observation =
  | {
      readonly kind: 'state';
      readonly is: 'fine' | 'problem' | 'unasked';
      /** Equal keys mean no change, whatever numbers the words contain. */
      readonly key: string;
      readonly says: Text;
    }
  /**
   * Events, oldest first, and the IDs of all events that were read, relevant or not. `mayBeCut`: the appliance
   * reports only this many.
   */
  | {
      readonly kind: 'news';
      readonly entries: readonly WatchNews[];
      readonly all: readonly string[];
      readonly mayBeCut: boolean;
    };

type WatchNews = Stored<typeof newsShape>;
export const newsShape = z.object({ id: z.string(), says: textShape });

/** The result of starting a watch: a channel watches a thing once. */
export interface WatchStarted {
  readonly id: number;
  /** `not_yours`: it is watched with other settings, which this person may not change. */
  readonly kind: 'new' | 'same' | 'changed' | 'not_yours';
  readonly owner: string;
  readonly terms: WatchArgs;
  /** The request came from a thread or a direct message, and posts go to the channel. */
  readonly isElsewhere: boolean;
}

export interface WatchArgs {
  readonly quiet: string | undefined;
  readonly over?: number | undefined;
}
