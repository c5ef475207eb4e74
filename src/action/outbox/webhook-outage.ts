import { code, elapsed, plural, say } from '../../handlers/reply.ts';
import type { Log } from '../../log.ts';
import type { TellAdmins } from '../authority/admins.ts';

/** What the admins hear of a receiver that does not take what it is told: that it is so, once a day at most, and that it is over. */
export interface WebhookOutage {
  /** Something was not taken. Told only from `isLong` on, when there is still time to mend it. */
  readonly goesOn: (why: string, isLong: boolean) => Promise<void>;
  /** It says that it is gone for good: nothing is sent to it any more. */
  readonly isGone: (url: string) => Promise<void>;
  /** Something was lost for good. */
  readonly lost: () => void;
  /** Something was taken. */
  readonly over: () => Promise<void>;
  /** There is another receiver, of which nobody has heard anything. */
  readonly forget: () => void;
}

const day = 24 * 60 * 60_000;

export function createWebhookOutage(
  tellAdmins: TellAdmins,
  log: Log,
  now: () => number,
  /** So long each delivery is tried, in milliseconds. */
  timeout: number,
): WebhookOutage {
  let began: number | undefined;
  let toldAt: number | undefined;
  let lost = 0;

  const tell = (headline: ReturnType<typeof say>) =>
    tellAdmins({ headline }).catch((error: unknown) =>
      log.warn({ err: error }, 'The admins could not be notified about webhooks'),
    );
  /** What was lost since the admins were told last. */
  const lostSince = () => {
    const words = lost === 0 ? '' : ` ${plural(lost, 'delivery', 'deliveries')} given up: the log has each.`;
    lost = 0;
    return words;
  };

  return {
    goesOn: async (why, isLong) => {
      began ??= now();
      if (!isLong || (toldAt !== undefined && now() - toldAt < day)) return;
      toldAt = now();
      await tell(
        say`The webhook receiver doesn’t take what it is told of changes: ${why}.${lostSince()} Each delivery is tried for ${elapsed(timeout)}. Check the receiver and ${code('webhook')} in the policy file. Changes are not affected.`,
      );
    },

    isGone: async (url) => {
      began ??= now();
      toldAt = now();
      await tell(
        say`The webhook receiver ${url} says that it is gone for good (HTTP 410), so it is not told of changes any more. What waits is kept for ${elapsed(timeout)}. Change or remove ${code('webhook')} in the policy file. Changes are not affected.`,
      );
    },

    lost: () => {
      lost += 1;
    },

    over: async () => {
      if (began === undefined) return;
      log.info('Webhooks are taken again');
      const wasTold = toldAt !== undefined;
      const since = began;
      [began, toldAt] = [undefined, undefined];
      if (wasTold)
        await tell(
          say`The webhook receiver takes what it is told of changes again, after ${elapsed(now() - since)}.${lostSince()}`,
        );
    },

    forget: () => {
      [began, toldAt] = [undefined, undefined];
    },
  };
}
