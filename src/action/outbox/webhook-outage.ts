import { code, elapsed, plural, say } from '../../handlers/reply.ts';
import type { Journal } from '../../journal/journal.ts';
import { adminsNotToldOfWebhooks, webhooksBack } from '../../telemetry/events/webhooks.ts';
import type { Log } from '../../telemetry/log.ts';
import type { TellAdmins } from '../authority/admins.ts';

/**
 * What the admins hear of a receiver that does not take what it is told: that it is so, once a day at most, and that it is over; from
 * one of the replicas, all of which find out.
 */
export interface WebhookOutage {
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
const subject = (url: string): string => `webhook ${url}`;

export function createWebhookOutage(
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
        say`The webhook receiver ${url} says that it is gone for good (HTTP 410), so it is not told of changes any more. What waits is kept for ${elapsed(timeout)}. Change or remove ${code('webhook')} in the policy file. Changes are not affected.`,
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
