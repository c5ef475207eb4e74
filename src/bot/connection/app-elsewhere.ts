/** Detects other processes that use the same app: Slack delivers each line to any one of all connections. */

import type { TellAdmins } from '../../action/authority/admins.ts';
import { code, plural, say } from '../../handlers/reply.ts';
import type { Journal } from '../../journal/journal.ts';
import { adminsNotToldOfApp, appElsewhere, appHereOnly } from '../../telemetry/events/slack.ts';
import type { Log } from '../../telemetry/log.ts';
import { type CountedConnections, connectionsEach } from './socket-inlet.ts';

export interface AppWatchParts {
  readonly journal: Pick<Journal, 'isShared' | 'othersNow' | 'tellOnce'>;
  readonly tellAdmins: TellAdmins;
  readonly log: Log;
  readonly elapsed?: () => number;
}

/**
 * In milliseconds. Slack counts connections of a dead process for a while, so a small surplus counts as others'
 * only if it is still there this much later. The second connection of a start opens after a minute, and so does
 * its renewal.
 */
const settling = 45_000;

const subject = 'slack connections';
/** Repeats the report to admins while it is true. */
const day = 24 * 60 * 60_000;

/** Called with every count from Slack. Never rejects. */
export function createAppWatch({
  journal,
  tellAdmins,
  log,
  elapsed = () => performance.now(),
}: AppWatchParts): (counted: CountedConnections) => Promise<void> {
  let suspectedAt: number | undefined;
  /** The last log entry; undefined before the first. */
  let told: number | undefined;

  return async (counted) => {
    try {
      await look(counted);
    } catch (error) {
      // Without the journal the number of replicas is unknown.
      log.tell(adminsNotToldOfApp, { err: error });
    }
  };

  async function look({ all, open, closing }: CountedConnections): Promise<void> {
    const replicas = await othersOnJournal();
    const others = all - open - connectionsEach * replicas;
    if (others <= 0) {
      suspectedAt = undefined;
      if (told !== 0) await isHereOnly(all);
      return;
    }
    const unexplained = others - closing;
    if (unexplained <= 0) return;
    suspectedAt ??= elapsed();
    // More than the bot's own processes could have left behind.
    const isCertain = unexplained > connectionsEach * (replicas + 1) || elapsed() - suspectedAt >= settling;
    if (isCertain) await isElsewhere(all, others);
  }

  /** Read now: every connected replica has announced itself. */
  async function othersOnJournal(): Promise<number> {
    return journal.isShared ? (await journal.othersNow()).length : 0;
  }

  async function isElsewhere(all: number, others: number): Promise<void> {
    if (told !== others) log.tell(appElsewhere, { connections: all, others });
    told = others;
    if ((await journal.tellOnce(subject, 'elsewhere', day)) === undefined) return;
    await tellAdmins({
      headline: say`⚠️ Other programs are connected to Slack with the same app: ${plural(others, 'connection')} beside those of this bot. Slack gives them a part of what people type, and this bot never sees it.`,
      details: [
        {
          kind: 'text',
          text: say`Stop them, or give them an app and tokens of their own: an old instance of the bot, a test on somebody’s machine, another bot with these tokens. ${code('appliance-bot doctor')} counts again.`,
        },
      ],
    });
  }

  async function isHereOnly(all: number): Promise<void> {
    // Another replica, or this one before its restart, may have reported the opposite.
    const before = await journal.tellOnce(subject, 'here only');
    if (told !== undefined) log.tell(appHereOnly, { connections: all });
    told = 0;
    if (before?.words === undefined) return;
    await tellAdmins({
      headline: say`No other program is connected to Slack with the same app any more: this bot gets all that people type.`,
    });
  }
}
