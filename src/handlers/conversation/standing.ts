import type { Reply, Text } from '../reply.ts';

/** What somebody has done and left open in a channel, for commands that speak about it. Moments: milliseconds since the epoch. */
export interface Standing {
  /** What waits for a click or for its time, the newest first. */
  readonly waiting: () => Promise<readonly Waiting[]>;
  /** Their last change here that went out, and whether it can be taken back; in the thread of a change that one. */
  readonly lastChange: () => Promise<LastChange | undefined>;
  /** The line that they typed last, which was understood. */
  readonly lastLine: () => Promise<
    | {
        readonly line: string;
        /** Of a plan all of its lines, where `line` has the first. */
        readonly whole: string | undefined;
        readonly isLookup: boolean;
      }
    | undefined
  >;
  /** The answer that they had last, and its page (from 0) that comes next where it has pages. */
  readonly nextPage: () => Promise<
    { readonly line: string; readonly result?: string; readonly page?: number } | undefined
  >;
}

/** What waits for somebody in all of their channels: for their approval, their decision, or the click of their own cards. */
export interface WaitsForPerson {
  /** Something waits for them or for others, or that could not be found out. */
  readonly isAny: boolean;
  /** All of it, with its buttons, and what of theirs waits for others. */
  readonly reply: Reply;
}

export interface Waiting {
  readonly line: string;
  readonly asked: number;
  /** Its message here. */
  readonly card: string | undefined;
  /** Of its question: what its Cancel button carries. */
  readonly token: string;
  /** When it runs, of what is planned; somebody else's, in the thread of its card. */
  readonly runsAt?: number | undefined;
  /** It is planned, and its card is what the thread is about. */
  readonly isMeant?: boolean;
}

export interface LastChange {
  /** In a thread it may be somebody else's. */
  readonly isOwn: boolean;
  /** False where it was found elsewhere than what somebody is looking at: it may be another one that they mean. */
  readonly isMeant: boolean;
  /** It runs, or was accepted and is not visible yet. */
  readonly isOnItsWay: boolean;
  readonly line: string;
  readonly at: number;
  readonly card: string | undefined;
  /** Where it has left nothing to undo: what became of it, and who has done the same since. */
  readonly gone: Text | undefined;
  /** The action that made it. */
  readonly action: string;
  /** What its Undo leaves, because others want it still. */
  readonly left: Text | undefined;
  /** What its Undo buttons carry, with the appliances that each is for where they differ. */
  readonly undo: readonly { readonly token: string; readonly where: string | undefined }[];
  /** Who pressed Undo, where no other can be pressed, and what came of it. */
  readonly taken:
    | { readonly by: string; readonly isDone: boolean; readonly card: string | undefined }
    | undefined;
  /** What somebody changed here after it. */
  readonly later: { readonly line: string; readonly person: string } | undefined;
}
