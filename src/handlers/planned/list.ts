import type { Acted, Reply, Text } from '../reply.ts';

/** Planned changes, for commands that list them. Moments are milliseconds since the epoch. */
export interface PlannedThing {
  readonly what: Text;
  readonly line: string;
  readonly reference: string;
  readonly appliances: readonly string[];
  readonly runsAt: number;
  /** It was moved to this time, and needs a new approval. */
  readonly waits: boolean;
  /** The policy's window for it. */
  readonly window: string | undefined;
  readonly lines: readonly string[];
  /** The end of its effect, unless it is permanent. */
  readonly ends: Text | undefined;
  readonly ticket: string | undefined;
  readonly person: string;
  /** Approvers other than the requester. */
  readonly approvedBy: readonly string[];
  readonly reason: string;
  readonly channel: string;
  readonly card: string | undefined;
  readonly token: string;
  /** Whether the asker may cancel it. */
  readonly mayCancel: () => Promise<boolean>;
  /** Moves it to a time in words, and reports the result. */
  readonly moveTo: (said: string) => Promise<Acted>;
  /** Why it cannot move to that time, as far as that is known. */
  readonly barTo: (said: string) => Promise<Reply | undefined>;
  /** The policy's current objection to running it. */
  readonly keptBack: Text | undefined;
}

/** The times for changes under the policy. Moments are milliseconds since the epoch. */
export interface Calendar {
  readonly timeZone: string;
  readonly freezes: readonly {
    readonly name: string;
    readonly from: number;
    readonly to: number;
    readonly holds: Text;
    readonly except: readonly string[];
    readonly reason: string | undefined;
  }[];
  readonly windows: readonly {
    readonly name: string;
    readonly hours: string;
    /** The current or next one; undefined if none comes. */
    readonly next: { readonly from: number; readonly to: number } | undefined;
  }[];
}
