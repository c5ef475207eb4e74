import { isChange } from '../../journal/audit/record.ts';
import type { AuditRecord } from '../../journal/journal.ts';
import { commandOver, outcomeUnknown, phaseOver } from '../../telemetry/events/actions.ts';
import type { Log } from '../../telemetry/log.ts';

/** Tells the log of what is over, once; and again where that turns out otherwise, as an outcome that was unknown. */
export function tellLog(log: Log): (record: AuditRecord, earlier: AuditRecord | undefined) => void {
  return (record, earlier) => {
    if (record.state === earlier?.state) return;
    const { action, channel, person, appliances, outcome } = record;
    const about = {
      ...{ action, channel, person, appliances },
      command: record.command ?? undefined,
      code: outcome?.code,
    };
    log.tell(commandOver, {
      ...about,
      effect: record.effect ?? undefined,
      outcome: record.state,
      durationMs: Date.parse(record.ended) - agreedAt(record),
    });
    if (record.state === 'unknown') log.tell(outcomeUnknown, about);
    if (earlier === undefined)
      for (const phase of phasesIn(record)) log.tell(phaseOver, { action, ...phase });
  };
}

/** What it was at while it ran: what was ordered, and then read back. */
function phasesIn({ requests, effect, ended, verification }: AuditRecord) {
  const orders = requests.filter((one) => one.effect !== 'read');
  if (!isChange(effect) || orders.length === 0) return [];
  const ends = orders.map(({ at }) => Date.parse(at));
  const begins = orders.map(({ durationMs }, index) => (ends[index] ?? 0) - durationMs);
  const answered = Math.max(...ends);
  const order = { phase: 'order', durationMs: answered - Math.min(...begins) };
  return verification === null || verification === 'accepted'
    ? [order]
    : [order, { phase: 'verification', durationMs: Math.max(0, Date.parse(ended) - answered) }];
}

/** Since when the bot was at it: what waits for a click, or for other people, is not its own time. */
function agreedAt({ asked, approvals, earlierPreviews }: AuditRecord): number {
  const moments = [asked, ...approvals.map(({ at }) => at), ...earlierPreviews.map(({ at }) => at)];
  return Math.max(...moments.map((moment) => Date.parse(moment)));
}
