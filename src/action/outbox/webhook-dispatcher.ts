import type { AnyCommand } from '../../handlers/command.ts';
import { code, elapsed, plural, say } from '../../handlers/reply.ts';
import { pauseAfter } from '../../journal/claims.ts';
import { type Journal, JournalUnavailable, type PendingWebhook } from '../../journal/journal.ts';
import type { Log } from '../../log.ts';
import type { TellAdmins } from '../authority/admins.ts';
import { bodyOf, headersOf } from './webhook-message.ts';

/** What came of one try. `status`: HTTP. `retryAfter`: as the receiver asks, in milliseconds. */
type Posted =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfter: number | undefined }
  | { readonly kind: 'no_answer'; readonly reason: string };

/** Sends one, within a few seconds. Follows no redirect, and reads no answer. */
export type PostWebhook = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
) => Promise<Posted>;

/** Where others are told of changes now; undefined where nobody is. */
type Receiver = () => { readonly url: string; readonly keys: readonly Buffer[] } | undefined;

/** Whom others are told of changes by, and how. */
export interface WebhookOptions {
  readonly receiver: Receiver;
  readonly post: PostWebhook;
  readonly tellAdmins: TellAdmins;
}

export interface WebhookParts extends WebhookOptions {
  readonly journal: Pick<
    Journal,
    'actionsWithWebhooks' | 'claimWebhooks' | 'finishWebhook' | 'retryWebhook' | 'releaseWebhooks' | 'byId'
  >;
  readonly commandByPhrase: ReadonlyMap<string, AnyCommand>;
  readonly log: Log;
  readonly now: () => number;
  /** What is not sent by then is sent after the next start. */
  readonly isStopping: () => boolean;
}

/** So many actions are told of at the same time, and no more waits for the receiver. */
const mostAtOnce = 4;
const mostAtHand = 100;
/** So long it is tried, in milliseconds. */
const timeout = 24 * 60 * 60_000;
/** The admins are told that it is not taken with this try, after some minutes, while there is time to mend it. */
const triesUntilTold = 8;
/** And not more often than this, in milliseconds. */
const toldEvery = 60 * 60_000;

/**
 * Tells another system of changes: in their order for each of them, again and again until it has taken it, and with the same key, so
 * that it knows what it gets twice. People and appliances never wait for it.
 */
export function createWebhookDispatcher({
  journal,
  receiver,
  post,
  tellAdmins,
  commandByPhrase,
  log,
  now,
  isStopping,
}: WebhookParts): { readonly tick: () => Promise<void> } {
  let isBusy = false;
  /** While nothing is taken, it is not asked for everything that waits. */
  let restsUntil = 0;
  let failures = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  let givenUp = 0;

  return {
    tick: async () => {
      if (isBusy || receiver() === undefined || now() < restsUntil) return;
      isBusy = true;
      try {
        const due = [...(await journal.actionsWithWebhooks(mostAtHand))];
        const worker = async () => {
          for (let action = due.shift(); action !== undefined; action = due.shift()) {
            if (now() < restsUntil || isStopping()) return;
            await tellOf(action);
          }
        };
        await Promise.all(Array.from({ length: mostAtOnce }, worker));
      } catch (error) {
        if (!(error instanceof JournalUnavailable)) throw error;
      } finally {
        isBusy = false;
      }
    },
  };

  async function tellOf(action: string): Promise<void> {
    const claimed = [...(await journal.claimWebhooks(action))];
    for (let next = claimed.shift(); next !== undefined; next = claimed.shift()) {
      if ((await tell(next)) && !isStopping()) continue;
      // What comes after it waits with it.
      return journal.releaseWebhooks(claimed.map(({ id }) => id));
    }
  }

  /** Whether it is over: taken, or given up. */
  async function tell(pending: PendingWebhook): Promise<boolean> {
    const { id, key, event, at, tries } = pending;
    const to = receiver();
    const action = await journal.byId(pending.action);
    if (to === undefined) {
      await journal.releaseWebhooks([id]);
      return false;
    }
    if (action === undefined) {
      // Its records were pruned: there is nothing to tell any more.
      await journal.finishWebhook(id);
      return true;
    }
    const body = bodyOf(pending, action, commandByPhrase);
    const posted = await post(to.url, headersOf(pending, body, to.keys, now()), body);
    if (posted.kind === 'answered' && posted.status >= 200 && posted.status < 300) {
      await journal.finishWebhook(id);
      if (failures > 0) log.info('Webhooks are taken again');
      failures = 0;
      return true;
    }
    const why = posted.kind === 'answered' ? `HTTP ${posted.status}` : posted.reason;
    const about = { key, event, action: pending.action, ticket: action.ticket, tries: tries + 1, why };
    // The receiver says that it is gone for good; another try would say no more.
    const isGone = posted.kind === 'answered' && posted.status === 410;
    if (isGone || now() - at >= timeout) {
      await journal.finishWebhook(id);
      givenUp += 1;
      log.error(about, 'A webhook was never taken, and is given up');
      await tellOfTrouble(why, isGone);
      return true;
    }
    const asked = posted.kind === 'answered' ? (posted.retryAfter ?? 0) : 0;
    await journal.retryWebhook(id, now() + Math.max(asked, pauseAfter(tries + 1, 'webhooks')));
    log.warn(about, 'A webhook was not taken, and is tried again');
    failures += 1;
    restsUntil = now() + Math.max(asked, Math.min(pauseAfter(failures, 'webhooks'), longestRest));
    if (tries + 1 >= triesUntilTold) await tellOfTrouble(why, false);
    return false;
  }

  /** In the words of what was in the way last; not for each of them. */
  async function tellOfTrouble(why: string, isGone: boolean): Promise<void> {
    if (now() - toldAt < toldEvery) return;
    toldAt = now();
    const lost =
      givenUp === 0 ? '' : ` ${plural(givenUp, 'delivery', 'deliveries')} given up: the log has each.`;
    givenUp = 0;
    const next = isGone
      ? say`It says that it is gone for good, so nothing is sent twice. Change or remove ${code('webhook')} in the policy file.`
      : say`Each delivery is tried for ${elapsed(timeout)}. Check the receiver and ${code('webhook')} in the policy file.`;
    await tellAdmins({
      headline: say`The webhook receiver doesn’t take what it is told of changes: ${why}.${lost} ${next} Changes are not affected.`,
    }).catch((error: unknown) => log.warn({ err: error }, 'The admins could not be notified about webhooks'));
  }
}

/** In milliseconds: what is new is tried soon after the receiver is back. */
const longestRest = 60_000;
