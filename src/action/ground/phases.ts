import type { Action, Journal } from '../../journal/journal.ts';
import { approvalOver, phaseOver } from '../../telemetry/events/actions.ts';
import type { Log } from '../../telemetry/log.ts';

/** What an action is in by its state, until it moves on. What it is at while it runs, its record tells. */
const phases: Readonly<Partial<Record<Action['state'], string>>> = {
  asked: 'preview',
  planned: 'planned',
  approved: 'recheck',
};

/** The same journal; the log is told how long each phase of an action took, and how its approval ended. */
export function withPhases<Kept extends Pick<Journal, 'move' | 'expireOverdue'>>(
  journal: Kept,
  log: Log,
  now: () => number,
): Kept {
  function over(action: Action, to: Action['state'], at: number, decidedBy: string | undefined): void {
    const { id, state, channel, person, changedAt, consent } = action;
    const about = { action: id, durationMs: at - changedAt };
    const isForOthers = state === 'waiting' && consent !== undefined;
    const phase = isForOthers ? 'approval' : state === 'waiting' ? 'confirmation' : phases[state];
    if (phase !== undefined && to !== 'refused') log.tell(phaseOver, { ...about, phase });
    if (!isForOthers || to === 'unknown') return;
    const isOwn = decidedBy === undefined || decidedBy === person;
    const called = to === 'approved' ? 'given' : isOwn ? 'withdrawn' : 'denied';
    log.tell(approvalOver, {
      ...{ ...about, channel, person: decidedBy },
      outcome: to === 'expired' ? to : called,
    });
  }

  return {
    ...journal,
    move: async (action, to, ...more) => {
      const moved = await journal.move(action, to, ...more);
      // Who moves it has it whole, and says so where nothing else of it counts.
      if (moved !== undefined && 'changedAt' in action)
        over(action as Action, to, moved.changedAt, moved.decidedBy);
      return moved;
    },
    expireOverdue: async (...given) => {
      const expired = await journal.expireOverdue(...given);
      for (const action of expired) over(action, 'expired', now(), undefined);
      return expired;
    },
  };
}
