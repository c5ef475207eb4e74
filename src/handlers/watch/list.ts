import type { Text } from '../text.ts';
import type { Recurrence } from './recurrence.ts';

/** What is on watch or on a schedule in a channel. Moments: milliseconds since the epoch. */
export interface WatchList {
  readonly all: () => Promise<readonly WatchedThing[]>;
  /** What somebody calls by what it is known by ("#7"), by what sets it up, or by "all"; `on`: what stood after `--on`. */
  readonly called: (words: string, on: string | undefined) => Promise<readonly WatchedThing[]>;
  /** False where it was stopped already. */
  readonly stop: (id: number) => Promise<boolean>;
  /** Has a line asked at these times from now on, on this person's behalf. */
  readonly schedule: (line: string, on: string | undefined, every: Recurrence) => Promise<Scheduling>;
  readonly timeZone: string;
  /** It is spoken of in a thread or a direct message, and posts in the channel itself. */
  readonly isElsewhere: boolean;
}

type Scheduling =
  /** `line`: as it is asked. Not new where the same is asked at that time already. */
  | { readonly kind: 'scheduled'; readonly thing: WatchedThing; readonly isNew: boolean }
  | { readonly kind: 'refused'; readonly why: Text };

export interface WatchedThing {
  readonly id: number;
  readonly kind: 'watch' | 'schedule';
  /** "status", or the line that is asked. */
  readonly name: string;
  readonly appliance: string | undefined;
  readonly person: string;
  readonly quiet: string | undefined;
  readonly over: number | undefined;
  /** How it stands, and since when. */
  readonly says: Text | undefined;
  readonly since: number | undefined;
  readonly next: number;
  readonly every: Recurrence | undefined;
}

/** The line that stops exactly this one, whatever else is called so. */
export const stopLine = (...ids: readonly number[]): string =>
  `unwatch ${ids.map((id) => `#${id}`).join(' ')}`;

/** "#7 #8": what a line names by its numbers is no other. */
export const areNumbers = (words: string): boolean => /^#?\d[\d#, ]*$/.test(words);
export const meansAll = (words: string): boolean => /^(?:all|everything)$/i.test(words);
