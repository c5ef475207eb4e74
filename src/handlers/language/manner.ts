import type { TypedTerm } from './term.ts';
import type { TypedStart } from './times/start.ts';

/**
 * How a command is to be run, whatever it is. On every way from a line to what is run, what is asked may be taken apart and put
 * together again, in a form, a button, a file: all of this goes along (`mannerOf`), or what was planned for the night runs now.
 */
export interface Manner {
  /** How long it is to last, of a change that can be undone; of a command with such an option of its own it stands in `typed`. */
  readonly term?: TypedTerm | undefined;
  /** When it is to run, of a change; now when absent. */
  readonly start?: TypedStart | undefined;
  /** What it is done for, of a change: the name of a ticket, or its address. */
  readonly ticket?: string | undefined;
  /** Why, for those who approve it; of a command that asks for a reason itself it stands in `typed`. */
  readonly reason?: string | undefined;
  /** What stood after `--on`: appliances, `all` or `tag:…`; the channel's default when absent. */
  readonly on?: string | undefined;
  /** Only show what would be sent. */
  readonly dryRun?: true | undefined;
}

/** The same where all of it is said. */
export type SaidManner = { readonly [Name in keyof Manner]-?: NonNullable<Manner[Name]> };

/** In the order in which they stand in a line. */
const each: Readonly<Record<keyof Manner, true>> = {
  ...{ term: true, start: true, ticket: true },
  ...{ reason: true, on: true, dryRun: true },
};
export const mannerNames = Object.keys(each) as readonly (keyof Manner)[];

/** How it is to be run, apart from what it is: all of it, and nothing else. */
export const mannerOf = (asked: Manner): Manner =>
  Object.fromEntries(
    mannerNames.flatMap((name) => (asked[name] === undefined ? [] : [[name, asked[name]] as const])),
  );
