import type { Reply, Text } from '../reply.ts';

/** Open matters of a person in a channel, for commands about them. Moments are milliseconds since the epoch. */
export interface Standing {
  /** Cards that wait for a click or a start, newest first. */
  readonly waiting: () => Promise<readonly Waiting[]>;
  /** The person's last sent change here, and whether it can be undone. In the thread of a change, that change. */
  readonly lastChange: () => Promise<LastChange | undefined>;
  /** The last line of this person that was understood. In the thread of a line, that line by anybody. */
  readonly lastLine: () => Promise<
    | {
        readonly line: string;
        /** All lines of a plan, if `line` has only the first. */
        readonly whole: string | undefined;
        readonly isLookup: boolean;
        readonly by: string;
      }
    | undefined
  >;
  /** The person's last answer, and its next page (from 0) if it has pages. */
  readonly nextPage: () => Promise<
    { readonly line: string; readonly result?: string; readonly page?: number } | undefined
  >;
}

/** Everything that waits for a person in all channels: approvals, decisions, and clicks on their own cards. */
export interface WaitsForPerson {
  /** Something waits, or the lookup failed. */
  readonly isAny: boolean;
  /** The list with buttons, including the person's own requests that wait for others. */
  readonly reply: Reply;
}

export interface Waiting {
  readonly line: string;
  readonly asked: number;
  readonly card: string | undefined;
  readonly token: string;
  /** The start of a planned change; somebody else's, in the thread of its card. */
  readonly runsAt?: number | undefined;
  /** The planned change of this thread. */
  readonly isMeant?: boolean;
}

export interface LastChange {
  /** In a thread it may be somebody else's. */
  readonly isOwn: boolean;
  /** False if it was found elsewhere, so another one may be meant. */
  readonly isMeant: boolean;
  /** It runs, or was accepted and is not visible yet. */
  readonly isOnItsWay: boolean;
  readonly line: string;
  readonly at: number;
  readonly card: string | undefined;
  /** If nothing is left to undo: the reason, and who has done the same since. */
  readonly gone: Text | undefined;
  readonly action: string;
  /** The tokens of its Undo buttons, with their appliances if there are several. */
  readonly undo: readonly { readonly token: string; readonly where: string | undefined }[];
  /** Who pressed the last Undo button, and the result. */
  readonly taken:
    | { readonly by: string; readonly isDone: boolean; readonly card: string | undefined }
    | undefined;
  /** A later change here by somebody else. */
  readonly later: { readonly line: string; readonly person: string } | undefined;
}
