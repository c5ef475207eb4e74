import type { AnyChange } from '../../handlers/command.ts';
import { plainText, type Text } from '../../handlers/reply.ts';
import type { Action } from '../../journal/journal.ts';
import type { Parts } from '../ground/ground.ts';
import type { ApplianceLocks, ApplianceTurn } from '../lock/appliance-locks.ts';
import type { ResolvedTarget } from '../target/target.ts';
import { explain, type Fault } from '../wording/faults.ts';
import { whyChanged } from './question.ts';
import type { Supervision } from './supervision.ts';

/** The turn of a confirmed change on one of its appliances. `progress` says what it waits for. */
export type TurnOf = (
  running: Action,
  command: AnyChange,
  resolved: ResolvedTarget,
  progress: (words: Text) => void,
) => ApplianceTurn;

export function createTurnOf(
  parts: Parts & {
    readonly supervision: Pick<Supervision, 'before'>;
    readonly locks: ApplianceLocks;
    /** Why somebody must not have it run any more. */
    readonly obstacle: (action: Action, command: AnyChange) => Promise<Fault | undefined>;
  },
): TurnOf {
  const { locks, supervision } = parts;

  return (running, command, { appliance: { name }, args }, progress) => {
    const turn = locks.forChange(name, running, command, args, {
      progress,
      isFresh: running.runAt === undefined,
      obstacle: (isLate) => sinceAgreed(running, command, name, isLate),
    });
    const alone: ApplianceTurn['alone'] = (task) =>
      turn.alone(async () => {
        await supervision.before(running, command, name);
        return task();
      });
    return { ...turn, alone };
  };

  /** You confirm what you saw, also where it had to wait: what it hits, and after long who may, is looked at once more. */
  async function sinceAgreed(
    running: Action,
    command: AnyChange,
    appliance: string,
    isLate: boolean,
  ): Promise<string | undefined> {
    // What a plan runs, its plan has been allowed.
    const fault = isLate && running.plan === undefined ? await parts.obstacle(running, command) : undefined;
    return fault === undefined
      ? whyChanged(parts, running, command, appliance)
      : `It waited for other changes, and may not be run any more. ${plainText(explain(fault).headline)}`;
  }
}
