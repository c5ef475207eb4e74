import type { DestinationStream } from 'pino';
import type { usualTiming } from './bot/connection/slack-connection.ts';
import type { OtherClocks } from './certain-time.ts';
import type { Journal } from './journal/journal.ts';
import type { OfFile, OfShared } from './open-journal.ts';
import type { Log } from './telemetry/log.ts';

/** Test and sandbox replacements for the outside world. */
export interface World {
  readonly now?: () => number;
  /** Sources of time besides `now`. */
  readonly otherClocks?: OtherClocks;
  /** The time of replicas that share a database. */
  readonly shared?: OfShared;
  readonly sleep?: (milliseconds: number) => Promise<void>;
  /** Calls back repeatedly until the returned function is called. */
  readonly every?: (milliseconds: number, callback: () => void) => () => void;
  readonly log?: Log | undefined;
  readonly logTo?: DestinationStream;
  /** Wraps the journal, for example to kill the process at a certain write. */
  readonly journal?: (journal: Journal) => Journal;
  readonly journalFile?: OfFile;
  readonly slackTiming?: Partial<typeof usualTiming>;
  /** How long running work may continue after the order to stop, in milliseconds. */
  readonly timeout?: number;
}
