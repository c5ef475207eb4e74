import type { TypedTerm } from './term.ts';
import type { TypedStart } from './times/start.ts';

/**
 * How to run a command, apart from what it does. Every path from a line to its execution (a form, a button, a
 * file) must carry all of this along with `mannerOf`. Otherwise a change planned for the night would run now.
 */
export interface Manner {
  /** The duration of a change that can be undone. Commands with an option of their own keep it in `typed`. */
  readonly term?: TypedTerm | undefined;
  /** When to run a change; now when absent. */
  readonly start?: TypedStart | undefined;
  /** The ticket of a change: its name or its address. */
  readonly ticket?: string | undefined;
  /** The reason for approvers. Commands that ask for a reason themselves keep it in `typed`. */
  readonly reason?: string | undefined;
  /** The value of `--on`: appliances, `all` or `tag:…`; the channel's default when absent. */
  readonly on?: string | undefined;
  readonly dryRun?: true | undefined;
}

export type SaidManner = { readonly [Name in keyof Manner]-?: NonNullable<Manner[Name]> };

/** In the order in which a line has them. */
const each: Readonly<Record<keyof Manner, true>> = {
  term: true,
  start: true,
  ticket: true,
  reason: true,
  on: true,
  dryRun: true,
};
export const mannerNames = Object.keys(each) as readonly (keyof Manner)[];

/** Copies the manner out of a request, and nothing else. */
export const mannerOf = (asked: Manner): Manner =>
  Object.fromEntries(
    mannerNames.flatMap((name) => (asked[name] === undefined ? [] : [[name, asked[name]] as const])),
  );
