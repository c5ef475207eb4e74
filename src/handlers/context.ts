/** The context of a command: requester, place, appliance, and the bot's records about it. */

import type { Appliance, AskedAppliance } from '../api/index.ts';
import type { NamedApplied } from './applied.ts';
import type { PostedFile } from './lists/posted-file.ts';
import type { Text } from './reply.ts';
import type { Observation, WatchArgs, WatchStarted } from './watch/observation.ts';
import type { WayToAllow } from './why/way.ts';

export interface Situation {
  readonly person: string;
  readonly channel: string;
  readonly now: number;
}

/** A timed change on an appliance that the bot will end. Moments are milliseconds since the epoch. */
export interface ActiveTimedChange {
  /** `ending`: its time is over, and the bot retries until the appliance confirms. */
  readonly state: 'on' | 'ending';
  /** Whether the appliance ever showed it. If not, its absence is no evidence. */
  readonly seen: boolean;
  readonly since: number;
  readonly until: number;
  readonly person: string;
  readonly reason: string;
  /** The person who moved its end last. */
  readonly movedBy?: string | undefined;
}

interface Limits {
  /** The longest duration of emergency mode at a moment, in milliseconds. */
  readonly emergency: number;
}

/** Lookups and previews get only the calls that read, so they cannot change anything by mistake. */
export interface AskingAppliance<Args> extends Situation {
  readonly args: Args;
  readonly appliance: AskedAppliance;
  /** Changes on this appliance that are not live yet. */
  readonly pendingChanges: () => Promise<readonly PendingChange[]>;
  /**
   * Other orders on this appliance within an hour at most that are running or unknown, including earlier ones
   * of this person.
   */
  readonly otherOrders: () => Promise<readonly OtherOrder[]>;
  /** The change on this appliance that the bot will end: emergency mode, or the temporary change with this ID. */
  readonly timedChange: (of?: string) => Promise<ActiveTimedChange | undefined>;
  readonly limits: Limits;
  /**
   * Which appliance answers at this address. Returns `agreed` if it is still that one; undefined if the
   * appliance does not tell.
   */
  readonly identity: (agreed: string | undefined) => Promise<string | undefined>;
  /** How this person can allow a site that is blocked there. */
  readonly wayToAllow: (site: string) => Promise<WayToAllow | undefined>;
  readonly files: Files;
  /** Starts a watch for this person, with the first observation. */
  readonly watch: (sight: Observation, terms: WatchArgs) => Promise<WatchStarted>;
}

/** Changes also get the calls that change something. */
export interface OnAppliance<Args> extends AskingAppliance<Args> {
  readonly appliance: Appliance;
  /** Reports progress of long changes: "3,000 of 5,000 sites". Shown at most every few seconds. */
  readonly progress: (words: Text) => void;
  /** Lets other commands use the appliance between two chunks of many requests. No request may be open. */
  readonly giveWay: () => Promise<void>;
  /** Reports a problem at once while the change continues, and keeps it beside the progress. */
  readonly trouble: (words: Text) => void;
  /** Extends emergency mode or a temporary change. False if there is none, or if its end is not `from`. */
  readonly extend: (from: number, to: number, of?: string) => Promise<boolean>;
  /** Makes a temporary change there permanent. False if it is over. */
  readonly keep: (of: string) => Promise<boolean>;
  /** Accepts this person's confirmation that the ending change is over. False if the bot is ending nothing. */
  readonly confirmOver: (reason: string) => Promise<boolean>;
}

/** A change that is not compiled yet. */
export interface PendingChange extends NamedApplied {
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly line: string;
  /** Why the last attempt to compile failed, if there was one. */
  readonly problem: string | undefined;
}

export interface OtherOrder {
  /** Unknown: it is over, but its result is not known. */
  readonly state: 'running' | 'unknown';
  readonly isUpgrade: boolean;
  readonly line: string;
  readonly person: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** Posted files, as a person may read them. */
export type FilesFor = (person: string) => Files;

/** Both methods stream, and reject with `FileFailure`. */
export interface Files {
  readonly open: (file: PostedFile) => Promise<AsyncIterable<Uint8Array>>;
  /** Reads the file once: its SHA-256 in hexadecimal, and its first bytes, which show its real type. */
  readonly digest: (file: PostedFile) => Promise<FileDigest>;
}

interface FileDigest {
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  readonly head: Uint8Array;
  /** A problem with a gzip or zip archive, as in `ArchiveCheck`. */
  readonly flaw: string | undefined;
  /** The person who posted it, if the chat knows. */
  readonly postedBy: string | undefined;
}

/** Why the chat did not deliver a file. */
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
