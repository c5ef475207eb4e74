import type { AnyCommand } from '../../handlers/command.ts';
import { pauseAfter } from '../../journal/claims.ts';
import { type Journal, JournalUnavailable, type PendingWebhook } from '../../journal/journal.ts';
import { webhookFailed, webhookGivenUp, webhookGone } from '../../telemetry/events/webhooks.ts';
import type { Log } from '../../telemetry/log.ts';
import type { TellAdmins } from '../authority/admins.ts';
import { bodyOf, headersOf } from './webhook-message.ts';
import { createWebhookOutage } from './webhook-outage.ts';

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

interface Receiver {
  readonly url: string;
  readonly keys: readonly Buffer[];
}

/** Whom others are told of changes by, and how. */
export interface WebhookOptions {
  /** Where others are told of changes now; undefined where nobody is. Another one only where the policy says something else of it. */
  readonly receiver: () => Receiver | undefined;
  readonly post: PostWebhook;
  readonly tellAdmins: TellAdmins;
}

export interface WebhookParts extends WebhookOptions {
  readonly journal: Pick<
    Journal,
    | 'actionsWithWebhooks'
    | 'claimWebhooks'
    | 'finishWebhook'
    | 'retryWebhook'
    | 'releaseWebhooks'
    | 'expediteWebhooks'
    | 'byId'
    | 'tellOnce'
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
  /** Whom was told last, and whom nobody is told any more: it is gone for good. */
  let last: Receiver | undefined;
  let gone: Receiver | undefined;
  const outage = createWebhookOutage(tellAdmins, journal, log, now, timeout);

  return {
    tick: async () => {
      const current = receiver();
      if (isBusy || current === undefined) return;
      const isOther = last !== undefined && last !== current;
      if (!isOther && now() < restsUntil) return;
      isBusy = true;
      try {
        last = current;
        if (isOther) {
          // What waits for the one before need not wait as long for this one.
          [failures, restsUntil] = [0, 0];
          outage.forget();
          await journal.expediteWebhooks();
        }
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
    if (to === undefined || (to === gone && now() - at < timeout)) {
      restsUntil = now() + longestRest;
      await journal.releaseWebhooks([id]);
      return false;
    }
    if (action === undefined) {
      // Its records were pruned: there is nothing to tell any more.
      await journal.finishWebhook(id);
      return true;
    }
    const body = bodyOf(pending, action, commandByPhrase);
    const posted: Posted =
      to === gone
        ? { kind: 'answered', status: 410, retryAfter: undefined }
        : await post(to.url, headersOf(pending, body, to.keys, now()), body);
    if (posted.kind === 'answered' && posted.status >= 200 && posted.status < 300) {
      await journal.finishWebhook(id);
      failures = 0;
      await outage.over(to.url);
      return true;
    }
    const why = posted.kind === 'answered' ? `HTTP ${posted.status}` : posted.reason;
    const about = {
      ...{ delivery: key, webhook: event, action: pending.action },
      ...{ ticket: action.ticket, tries: tries + 1, why },
    };
    if (now() - at >= timeout) {
      await journal.finishWebhook(id);
      outage.lost();
      log.tell(webhookGivenUp, about);
      await outage.goesOn(to.url, why, true);
      return true;
    }
    if (posted.kind === 'answered' && posted.status === 410) {
      // Until the policy says something else of it.
      const isNews = gone !== to;
      gone = to;
      restsUntil = now() + longestRest;
      await journal.releaseWebhooks([id]);
      if (isNews) {
        log.tell(webhookGone, about);
        await outage.isGone(to.url);
      }
      return false;
    }
    const asked = posted.kind === 'answered' ? (posted.retryAfter ?? 0) : 0;
    await journal.retryWebhook(id, now() + Math.max(asked, pauseAfter(tries + 1, 'webhooks')));
    log.tell(webhookFailed, about);
    failures += 1;
    restsUntil = now() + Math.max(asked, Math.min(pauseAfter(failures, 'webhooks'), longestRest));
    await outage.goesOn(to.url, why, tries + 1 >= triesUntilTold);
    return false;
  }
}

/** In milliseconds: what is new is tried soon after the receiver is back. */
const longestRest = 60_000;
