import type { Text } from '../text.ts';
import type { Recurrence } from './recurrence.ts';

/** Watches and schedules of a channel. Moments are milliseconds since the epoch. */
export interface WatchList {
  readonly all: () => Promise<readonly WatchedThing[]>;
  /**
   * The watches that somebody names by number ("#7"), by the line that started them, or by "all". `on`: the
   * value of `--on`.
   */
  readonly called: (words: string, on: string | undefined) => Promise<readonly WatchedThing[]>;
  /** False if it was stopped already. */
  readonly stop: (id: number) => Promise<boolean>;
  /** Schedules a line at these times for this person. */
  readonly schedule: (line: string, on: string | undefined, every: Recurrence) => Promise<Scheduling>;
  readonly timeZone: string;
  /** The request came from a thread or a direct message, and posts go to the channel. */
  readonly isElsewhere: boolean;
}

type Scheduling =
  /** `line`: as it will run. Not new if the same line already runs at that time. */
  | { readonly kind: 'scheduled'; readonly thing: WatchedThing; readonly isNew: boolean }
  | { readonly kind: 'refused'; readonly why: Text };

export interface WatchedThing {
  readonly id: number;
  readonly kind: 'watch' | 'schedule';
  readonly name: string;
  readonly appliance: string | undefined;
  readonly person: string;
  readonly quiet: string | undefined;
  readonly over: number | undefined;
  readonly says: Text | undefined;
  readonly since: number | undefined;
  readonly next: number;
  readonly every: Recurrence | undefined;
}

/** The line that stops exactly this one. */
export const stopLine = (...ids: readonly number[]): string =>
  `unwatch ${ids.map((id) => `#${id}`).join(' ')}`;

/** "#7 #8": numbers identify watches exactly. */
export const areNumbers = (words: string): boolean => /^#?\d[\d#, ]*$/.test(words);
export const meansAll = (words: string): boolean => /^(?:all|everything)$/i.test(words);
