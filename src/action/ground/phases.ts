import type { Action, Changes, Journal } from '../../journal/journal.ts';
import { approvalOver, phaseOver } from '../../telemetry/events/actions.ts';
import type { Log } from '../../telemetry/log.ts';

/** What an action is in by its state, until it moves on. What it is at while it runs, its record tells. */
const phases: Readonly<Partial<Record<Action['state'], string>>> = {
  asked: 'preview',
  planned: 'planned',
  approved: 'recheck',
};

/** Whom an action waits for; undefined where it waits for nobody. */
const waitsFor = ({ state, consent }: Action): 'confirmation' | 'approval' | undefined =>
  state === 'waiting' ? (consent === undefined ? 'confirmation' : 'approval') : undefined;

/** Its record tells how long it waited. */
function withWait(action: Action | undefined, changes: Changes): Changes {
  const whom = action && waitsFor(action);
  if (action === undefined || whom === undefined) return changes;
  const content = { for: whom, from: new Date(action.changedAt).toISOString() };
  return { ...changes, events: [...(changes.events ?? []), { kind: 'waited', content }] };
}

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
    const phase = waitsFor(action) ?? phases[state];
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
    move: async (action, to, changes = {}, ...more) => {
      // Who moves it has it whole, and says so where nothing else of it counts.
      const before = 'changedAt' in action ? (action as Action) : undefined;
      const moved = await journal.move(action, to, withWait(before, changes), ...more);
      if (moved !== undefined && before !== undefined) over(before, to, moved.changedAt, moved.decidedBy);
      return moved;
    },
    expireOverdue: async (...given) => {
      const expired = await journal.expireOverdue(...given);
      for (const action of expired) over(action, 'expired', now(), undefined);
      return expired;
    },
  };
}
