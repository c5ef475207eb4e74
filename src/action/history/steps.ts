import type { StepEntry } from '../../handlers/audit/history.ts';
import { say } from '../../handlers/reply.ts';
import { referenceOf } from '../../journal/actions/reference.ts';
import type { State } from '../../journal/actions/states.ts';
import type { Action, Journal } from '../../journal/journal.ts';
import { type PlanStep, stepsIn } from '../base/stored.ts';

/** The lines of a plan, and what became of each so far; none of anything else. */
export async function stepEntries(
  journal: Pick<Journal, 'stepsOf'>,
  plan: Action,
  mayRead: (appliances: readonly string[]) => boolean,
): Promise<readonly StepEntry[]> {
  const steps = stepsIn(plan);
  if (steps.length === 0) return [];
  const begun = await journal.stepsOf(plan.id);
  return steps.map((step, index) => {
    const { number, line, targets } = step;
    if (!mayRead(targets.map(({ appliance }) => appliance)))
      return { number, line: '•••', result: say`It is about an appliance that you have no access to.` };
    const own = begun.findLast((one) => one.step === index + 1);
    return {
      ...{ number, line, result: resultOf(plan, step, own) },
      ...(own !== undefined && { reference: referenceOf(own.id) }),
    };
  });
}

function resultOf(plan: Action, { kind, says }: PlanStep, own: Action | undefined) {
  if (own !== undefined) return say`${marks[own.state] ?? '⏳'} ${own.outcome?.says ?? 'under way'}`;
  if (kind === 'idle') return say`➖ ${says}`;
  return isOpen.has(plan.state) ? says : say`⏸ not run`;
}

const marks: Readonly<Partial<Record<State, string>>> = {
  done: '✅',
  failed: '❌',
  unknown: '❓',
  refused: '✋',
};

/** Nothing of it has begun, or what has not may still come. */
const isOpen: ReadonlySet<State> = new Set(['asked', 'waiting', 'planned', 'approved', 'running']);
