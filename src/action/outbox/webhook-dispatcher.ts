import { createHash, createHmac } from 'node:crypto';
import type { CertainTime } from '../../certain-time.ts';
import { isNamed } from '../../handlers/argument.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import { nameOf } from '../../handlers/command-name.ts';
import { code, elapsed, plural, say } from '../../handlers/reply.ts';
import { referenceOf } from '../../journal/actions/reference.ts';
import { pauseAfter } from '../../journal/claims.ts';
import { type Action, type Journal, JournalUnavailable, type PendingWebhook } from '../../journal/journal.ts';
import { jsonToRead } from '../../journal/json.ts';
import {
  adminsNotToldOfWebhooks,
  webhookFailed,
  webhookGivenUp,
  webhookGone,
  webhooksBack,
} from '../../telemetry/events/webhooks.ts';
import type { Log } from '../../telemetry/log.ts';
import type { TellAdmins } from '../authority/admins.ts';
import { appliancesActedOn } from '../base/stored.ts';

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

interface WebhookParts extends WebhookOptions {
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
  /** By which alone anything is given up for good (`CertainTime`). */
  readonly certainlyOver: CertainTime['over'];
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
  certainlyOver,
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

  function isTooOld(at: number): boolean {
    return (certainlyOver() ?? at) - at >= timeout;
  }

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
    if (to === undefined || (to === gone && !isTooOld(at))) {
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
      delivery: key,
      webhook: event,
      action: pending.action,
      ticket: action.ticket,
      tries: tries + 1,
      why,
    };
    if (isTooOld(at)) {
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

/**
 * What is told of a change, as it is sent: the same with every try, however the change has gone on since. Of its arguments no
 * more than a record has of them: no secrets.
 */
function bodyOf(
  { event, at, content }: Pick<PendingWebhook, 'event' | 'at' | 'content'>,
  action: Action,
  commandByPhrase: ReadonlyMap<string, AnyCommand>,
): string {
  const { id, ticket, line, phrase, effect, args, person, channel, team, plan, undoes, createdAt } = action;
  const command = commandByPhrase.get(phrase ?? '');
  return jsonToRead({
    type: event,
    timestamp: new Date(at).toISOString(),
    data: {
      action: id,
      reference: referenceOf(id),
      ticket: ticket ?? null,
      line,
      command: command ? nameOf(command) : null,
      effect: effect ?? null,
      args: inText(args),
      appliances: appliancesActedOn(action),
      requester: person,
      channel,
      team,
      asked: new Date(createdAt).toISOString(),
      ...(plan !== undefined && { plan }),
      ...(undoes !== undefined && { undoes }),
      ...content,
    },
  });
}

/** As people type it, whether it was looked up already or not: what has a number and a name goes by its number. */
function inText(args: unknown): unknown {
  if (Array.isArray(args)) return args.map(inText);
  if (isNamed(args)) return String(args.id);
  if (typeof args === 'number') return String(args);
  return typeof args === 'object' && args !== null
    ? Object.fromEntries(Object.entries(args).map(([name, value]) => [name, inText(value)]))
    : args;
}

/** By Standard Webhooks: the key of the delivery, when it is sent, and a signature of both with the body by each secret. */
function headersOf(
  { key }: Pick<PendingWebhook, 'key'>,
  body: string,
  keys: readonly Buffer[],
  now: number,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1_000));
  const signatures = keys.map((secret) => {
    const digest = createHmac('sha256', secret).update(`${key}.${timestamp}.${body}`).digest('base64');
    return `v1,${digest}`;
  });
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'appliance-bot',
    'webhook-id': key,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

/**
 * What the admins hear of a receiver that does not take what it is told: that it is so, once a day at most, and that it is over; from
 * one of the replicas, all of which find out.
 */
interface WebhookOutage {
  /** Something was not taken. Told only from `isLong` on, when there is still time to mend it. */
  readonly goesOn: (url: string, why: string, isLong: boolean) => Promise<void>;
  /** It says that it is gone for good: nothing is sent to it any more. */
  readonly isGone: (url: string) => Promise<void>;
  /** Something was lost for good. */
  readonly lost: () => void;
  /** Something was taken. */
  readonly over: (url: string) => Promise<void>;
  /** There is another receiver, of which nobody has heard anything. */
  readonly forget: () => void;
}

const day = 24 * 60 * 60_000;
/** An address may hold a secret in its path: people read its host, and the journal keeps a digest of the rest. */
const subject = (url: string): string => `webhook ${createHash('sha256').update(url).digest('hex')}`;

function createWebhookOutage(
  tellAdmins: TellAdmins,
  journal: Pick<Journal, 'tellOnce'>,
  log: Log,
  now: () => number,
  /** So long each delivery is tried, in milliseconds. */
  timeout: number,
): WebhookOutage {
  let began: number | undefined;
  let toldAt: number | undefined;
  /** Those that are known to take what they are told: another replica, or this one before its restart, may have told otherwise. */
  const known = new Set<string>();
  let lost = 0;

  const tell = (headline: ReturnType<typeof say>) =>
    tellAdmins({ headline }).catch((error: unknown) => log.tell(adminsNotToldOfWebhooks, { err: error }));
  /** What was lost since the admins were told last. */
  const lostSince = () => {
    const words = lost === 0 ? '' : ` ${plural(lost, 'delivery', 'deliveries')} given up: the log has each.`;
    lost = 0;
    return words;
  };

  return {
    goesOn: async (url, why, isLong) => {
      began ??= now();
      known.delete(url);
      if (!isLong || (toldAt !== undefined && now() - toldAt < day)) return;
      toldAt = now();
      if ((await journal.tellOnce(subject(url), 'away', day)) === undefined) return;
      await tell(
        say`The webhook receiver doesn’t take what it is told of changes: ${why}.${lostSince()} Each delivery is tried for ${elapsed(timeout)}. Check the receiver and ${code('webhook')} in the policy file. Changes are not affected.`,
      );
    },

    isGone: async (url) => {
      began ??= now();
      known.delete(url);
      toldAt = now();
      if ((await journal.tellOnce(subject(url), 'gone', day)) === undefined) return;
      await tell(
        say`The webhook receiver at ${code(new URL(url).host)} says that it is gone for good (HTTP 410), so it gets no more notifications. Those that wait are kept for ${elapsed(timeout)}. Change or remove ${code('webhook')} in the policy file. Changes are not affected.`,
      );
    },

    lost: () => {
      lost += 1;
    },

    over: async (url) => {
      if (known.has(url)) return;
      known.add(url);
      if (began !== undefined) log.tell(webhooksBack);
      const before = await journal.tellOnce(subject(url), 'taken');
      const since = began ?? before?.at ?? now();
      [began, toldAt] = [undefined, undefined];
      if (before?.words !== undefined)
        await tell(
          say`The webhook receiver takes what it is told of changes again, after ${elapsed(now() - since)}.${lostSince()}`,
        );
    },

    forget: () => {
      [began, toldAt] = [undefined, undefined];
    },
  };
}
