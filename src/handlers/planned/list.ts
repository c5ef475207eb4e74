import type { Acted, Reply, Text } from '../reply.ts';

/** What is planned, for commands that list it. Moments: milliseconds since the epoch. */
export interface PlannedThing {
  /** "Add example.com to category shopping". */
  readonly what: Text;
  readonly line: string;
  /** Its action, as people call it. */
  readonly reference: string;
  readonly appliances: readonly string[];
  readonly runsAt: number;
  /** It was moved there, and runs only when it was agreed to again. */
  readonly waits: boolean;
  /** The window of the policy that it waits for. */
  readonly window: string | undefined;
  /** Of a plan, its lines. */
  readonly lines: readonly string[];
  /** When what it does is undone, where that is not for good. */
  readonly ends: Text | undefined;
  readonly ticket: string | undefined;
  readonly person: string;
  /** Who agreed to it, besides whoever asked. */
  readonly approvedBy: readonly string[];
  readonly reason: string;
  readonly channel: string;
  readonly card: string | undefined;
  /** What its Cancel button carries. */
  readonly token: string;
  /** Whether whoever asks may cancel it. */
  readonly mayCancel: () => Promise<boolean>;
  /** Gives it another time, as it is said, and tells what came of that. */
  readonly moveTo: (said: string) => Promise<Acted>;
  /** Why it cannot get that time, as far as that is known before. */
  readonly barTo: (said: string) => Promise<Reply | undefined>;
  /** What of the policy keeps it from running, as it is by now. */
  readonly keptBack: Text | undefined;
}

/** When changes may be made, by the policy. Moments: milliseconds since the epoch. */
export interface Calendar {
  readonly timeZone: string;
  readonly freezes: readonly {
    readonly name: string;
    readonly from: number;
    readonly to: number;
    /** "all changes". */
    readonly holds: Text;
    /** The roles that it does not hold. */
    readonly except: readonly string[];
    readonly reason: string | undefined;
  }[];
  readonly windows: readonly {
    readonly name: string;
    /** "Mon–Fri 22:00–05:00". */
    readonly hours: string;
    /** The next one, or the one that is open; undefined where none comes. */
    readonly next: { readonly from: number; readonly to: number } | undefined;
  }[];
}
