import type { DestinationStream } from 'pino';
import type { usualTiming } from './bot/connection/connection.ts';
import type { Journal } from './journal/journal.ts';
import type { OfFile, OfShared } from './open-journal.ts';
import type { Log } from './telemetry/log.ts';

/** What a test or the sandbox may put in place of the world. */
export interface World {
  readonly now?: () => number;
  /** By which time replicas go that share a database. */
  readonly shared?: OfShared;
  readonly sleep?: (milliseconds: number) => Promise<void>;
  /** Calls back again and again, until it is called off by what it returns. */
  readonly every?: (milliseconds: number, callback: () => void) => () => void;
  readonly log?: Log | undefined;
  /** In the place of standard output. */
  readonly logTo?: DestinationStream;
  /** Puts something before the journal, such as what kills the process at a certain write. */
  readonly journal?: (journal: Journal) => Journal;
  /** How an embedded journal is opened and looked after. */
  readonly journalFile?: OfFile;
  /** How patient it is with Slack. */
  readonly slackTiming?: Partial<typeof usualTiming>;
  /** How long what is under way may go on after the order to stop, in milliseconds. */
  readonly timeout?: number;
}
