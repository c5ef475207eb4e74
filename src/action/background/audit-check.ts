import { setImmediate } from 'node:timers/promises';
import type { Journal } from '../../journal/journal.ts';
import { auditBroken, auditIntact } from '../../telemetry/events/journal.ts';
import type { Log } from '../../telemetry/log.ts';

/** Verifies some of the records at a look at the clock, and tells the log what it finds. */
export type AuditCheck = (isStopping: () => boolean) => Promise<void>;

/** So many at once, which takes some 2 ms: whoever asks something meanwhile comes in between. */
const piece = 25;
/** At one look: of 2 million records, all are verified within three hours. */
const mostAtOnce = 500;
/** When nothing is left, so many milliseconds pass until the next look. */
const pause = 10_000;

interface AuditCheckParts {
  readonly journal: Pick<Journal, 'verifyNext'>;
  readonly now: () => number;
}

export function createAuditCheck({ journal, now }: AuditCheckParts, log: Log): AuditCheck {
  let restedAt = Number.NEGATIVE_INFINITY;

  return async (isStopping) => {
    // Its clock may have been set back.
    if (now() >= restedAt && now() < restedAt + pause) return;
    for (let verified = 0; verified < mostAtOnce && !isStopping(); verified += piece) {
      const { isMore, news } = await journal.verifyNext(piece);
      if (news === 'intact') log.tell(auditIntact);
      else if (news !== undefined) log.tell(auditBroken, { record: news.seq, reason: news.says });
      if (!isMore) {
        restedAt = now();
        return;
      }
      await setImmediate();
    }
  };
}
