import type { Text } from '../reply.ts';

/** What is planned, for commands that list it. Moments: milliseconds since the epoch. */
export interface PlannedThing {
  /** "Add example.com to category shopping". */
  readonly what: Text;
  readonly line: string;
  readonly appliances: readonly string[];
  readonly runsAt: number;
  /** The window of the policy that it waits for. */
  readonly window: string | undefined;
  /** What it is temporary for, in milliseconds from when it runs; or until which moment. */
  readonly lasts: number | undefined;
  readonly until: number | undefined;
  readonly ticket: string | undefined;
  readonly person: string;
  /** Who agreed to it, besides whoever asked. */
  readonly approvedBy: readonly string[];
  readonly reason: string;
  readonly channel: string;
  readonly card: string | undefined;
  /** What its Cancel button carries. */
  readonly token: string;
}
