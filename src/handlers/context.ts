/** What a command's code gets: who asks and where, the appliance, and what the bot knows of it. */

import type { Appliance, AskedAppliance } from '../api/index.ts';
import type { NamedApplied } from './applied.ts';
import type { PostedFile } from './lists/posted-file.ts';
import type { Text } from './reply.ts';
import type { Observation, WatchArgs, WatchStarted } from './watch/observation.ts';
import type { WayToAllow } from './why/way.ts';

/** What any command may know about who asks, and where. */
export interface Situation {
  readonly person: string;
  readonly channel: string;
  readonly now: number;
}

/** What an action has switched on for a time on an appliance, and the bot ends by itself. Moments: milliseconds since the epoch. */
export interface ActiveTimedChange {
  /** `ending`: its time is over, and the bot tries until it is seen to be over. */
  readonly state: 'on' | 'ending';
  /** Whether it was ever seen on the appliance: where it was not, not to see it any more says nothing. */
  readonly seen: boolean;
  readonly since: number;
  readonly until: number;
  /** Who asked for it, and why. */
  readonly person: string;
  readonly reason: string;
  /** Who has moved its end last. */
  readonly movedBy?: string | undefined;
}

/** What the policy allows at most. */
interface Limits {
  /** How long emergency mode may last from a moment on, in milliseconds. */
  readonly emergency: number;
}

/** While a command only looks, it gets the calls that only read, so that it cannot change anything by mistake. */
export interface AskingAppliance<Args> extends Situation {
  readonly args: Args;
  readonly appliance: AskedAppliance;
  /** What was changed on this appliance and is not live yet. */
  readonly pendingChanges: () => Promise<readonly PendingChange[]>;
  /** What others, or this person before, have ordered on this appliance and is not over, or not known, for an hour at most. */
  readonly otherOrders: () => Promise<readonly OtherOrder[]>;
  /** What the bot itself will end on this appliance: emergency mode, or what an action has made temporary, by its ID. */
  readonly timedChange: (of?: string) => Promise<ActiveTimedChange | undefined>;
  readonly limits: Limits;
  /** Which appliance answers there now, as it was `agreed` where it is still that one. Undefined where it does not tell. */
  readonly identity: (agreed: string | undefined) => Promise<string | undefined>;
  /** What this person can do where a site is blocked there. */
  readonly wayToAllow: (site: string) => Promise<WayToAllow | undefined>;
  readonly files: Files;
  /** Has this looked at from now on, on this person's behalf, with what was seen at first. */
  readonly watch: (sight: Observation, terms: WatchArgs) => Promise<WatchStarted>;
}

/** A command that changes something also gets the calls that do. */
export interface OnAppliance<Args> extends AskingAppliance<Args> {
  readonly appliance: Appliance;
  /** Says how far it has come, for what takes long: "3,000 of 5,000 sites". Shown at most every few seconds. */
  readonly progress: (words: Text) => void;
  /** Between two pieces of what takes many requests: lets others have their turn on the appliance. Nothing may be under way. */
  readonly giveWay: () => Promise<void>;
  /** Says at once what has gone wrong while it goes on, and keeps saying it beside the progress. */
  readonly trouble: (words: Text) => void;
  /** Extends emergency mode there, or what an action has made temporary. False when there is none, or another end than `from`. */
  readonly extend: (from: number, to: number, of?: string) => Promise<boolean>;
  /** What an action has made temporary there stays for good. False when it is over. */
  readonly keep: (of: string) => Promise<boolean>;
  /** Takes this person's word for it that what the bot tries to end there is over. False when it tries to end nothing. */
  readonly confirmOver: (reason: string) => Promise<boolean>;
}

/** A change that still waits for its compile. */
export interface PendingChange extends NamedApplied {
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** The line that changed it. */
  readonly line: string;
  /** Why the last try to apply it failed, where there was one. */
  readonly problem: string | undefined;
}

/** An order of another action. */
export interface OtherOrder {
  /** Unknown: it is over, and nothing showed what became of it. */
  readonly state: 'running' | 'unknown';
  /** The phrase of its command, and the line that was typed. */
  readonly phrase: string;
  readonly line: string;
  readonly person: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** The files that people hand over. Both stream, and reject with `FileFailure`. */
export interface Files {
  readonly open: (file: PostedFile) => Promise<AsyncIterable<Uint8Array>>;
  /** WatchReads it once, to its end: its SHA-256 in hexadecimal, and its first bytes, which tell what it really is. */
  readonly digest: (file: PostedFile) => Promise<FileDigest>;
}

interface FileDigest {
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  readonly head: Uint8Array;
  /** What is wrong with it where it is a gzip or zip archive, as in `ArchiveCheck`. */
  readonly flaw: string | undefined;
  /** The person who posted it, where the chat tells. */
  readonly postedBy: string | undefined;
}

/** Why a file could not be had from the chat. */
export class FileFailure extends Error {
  override readonly name = 'FileFailure';
  readonly code:
    | 'not_found'
    | 'no_access'
    | 'incomplete'
    | 'changed'
    | 'too_large'
    | 'not_text'
    | 'no_answer';

  constructor(code: FileFailure['code'], message: string) {
    super(message);
    this.code = code;
  }
}
