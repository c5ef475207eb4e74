import type { WorkInFlight } from '../base/work-in-flight.ts';
import { createEndNotRun } from '../planned/not-run.ts';
import { type AtItsTimeParts, createRunAtItsTime } from './at-its-time.ts';
import { createPlannedChanges, type PlannedChanges } from './due.ts';
import { createMoving } from './reschedule.ts';
import { createTellFrozen } from './tell-frozen.ts';
import { createReschedule, type Reschedule } from './time-form.ts';

/** What becomes of what is planned: at its time, and until then. */
export interface DueStage {
  readonly plannedChanges: PlannedChanges;
  readonly reschedule: Reschedule;
  /** Tells those whose planned changes the policy keeps from running by now. */
  readonly tellFrozen: () => Promise<void>;
}

export function createDueStage(
  parts: Omit<AtItsTimeParts, 'endNotRun'>,
  later: WorkInFlight['later'],
): DueStage {
  const endNotRun = createEndNotRun(parts);
  const runAtItsTime = createRunAtItsTime({ ...parts, endNotRun });
  return {
    plannedChanges: createPlannedChanges({ ...parts, runAtItsTime, endNotRun }, later),
    reschedule: createReschedule({ ...parts, moving: createMoving(parts) }),
    tellFrozen: createTellFrozen(parts),
  };
}
