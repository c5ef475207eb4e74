import { isApplianceFailure } from '../../../api/index.ts';
import { say, type Text } from '../../../handlers/reply.ts';
import type { Action } from '../../../journal/journal.ts';
import type { PlanStep } from '../../base/stored.ts';
import { changeOf, targetsIn } from '../../base/stored.ts';
import { answerIn } from '../../change/order.ts';
import type { Parts } from '../../ground/ground.ts';
import { otherAmong } from '../../target/identity.ts';
import { isSame, resolvedFrom } from '../../target/target.ts';
import { isSameKind } from './look.ts';

/**
 * What takes something back must find it as it was left, unless what is taken back before it lies on top of it: nobody's edit is
 * overwritten. `made`: what it takes back, where what that has left was not seen.
 */
export type AsLeft = (
  step: PlanStep,
  before: readonly PlanStep[],
  made: Action | undefined,
) => Promise<PlanStep>;

export function createAsLeft(
  parts: Pick<Parts, 'appliances' | 'commandByPhrase' | 'contexts' | 'journal'>,
): AsLeft {
  const { appliances, commandByPhrase, contexts, journal } = parts;

  return async (step, before, made) => {
    if (step.kind !== 'ready' || before.some((earlier) => liesOn(earlier, step))) return step;
    const other = otherAmong(expected(step), step.targets);
    if (other !== undefined) return { ...changed(step), says: other };
    if (!isAsSeen(step)) return changed(step);
    const how = made === undefined ? 'happened' : await stillThere(made, step);
    if (how === 'happened') return step;
    // It is not looked at any more, as it is told by what it was then.
    if (how === 'not_happened') return { ...changed(step), stays: true };
    return { ...step, details: say`${step.details}${step.details.length === 0 ? '' : '. '}${inPart}` };
  };

  /** Whether all that it did can still be read back. What nothing shows is undone as by its button. */
  async function stillThere(made: Action, step: PlanStep): Promise<'happened' | 'in_part' | 'not_happened'> {
    const command = changeOf(commandByPhrase, made);
    if (command === undefined || typeof command.verify !== 'function') return 'happened';
    const events = await journal.eventsOf(made.id);
    for (const target of targetsIn(made)) {
      const appliance = appliances.get(target.appliance);
      const isMeant = step.targets.some((one) => one.appliance === target.appliance);
      if (appliance === undefined || !isMeant || step.expects?.[target.appliance] !== undefined) continue;
      const { learned } = answerIn(events, target.appliance);
      try {
        const context = contexts.asking(made, resolvedFrom(target, appliance));
        const { kind } = await command.verify(context, { ...target.fingerprint, ...learned });
        if (kind === 'not_happened' || kind === 'in_part') return kind;
      } catch (error) {
        if (!isApplianceFailure(error)) throw error;
      }
    }
    return 'happened';
  }
}

/** What it is to find, on the appliances where that is known. */
const expected = ({ expects = {}, targets }: PlanStep) =>
  targets.map((target) => ({ ...target, fingerprint: expects[target.appliance] ?? {} }));

function isAsSeen({ expects, targets }: PlanStep): boolean {
  return targets.every(({ appliance, fingerprint }) => {
    const left = expects?.[appliance];
    const as = (shown: typeof fingerprint) => [{ appliance, args: {}, fingerprint: shown }];
    return left === undefined || isSame(as(left), as(fingerprint));
  });
}

const inPart: Text = say`Somebody has changed a part of it since.`;

const changed = (step: PlanStep): PlanStep => ({
  ...step,
  kind: 'idle',
  says: say`Somebody has changed it since, and that is not overwritten.`,
  details: [],
});

/** Whether what one has changed may be what the other is about: the same kind of thing on one of its appliances. */
const liesOn = (one: PlanStep, other: PlanStep): boolean =>
  one.kind !== 'idle' &&
  isSameKind(one.phrase, other.phrase) &&
  one.targets.some(({ appliance }) => other.targets.some((target) => target.appliance === appliance));
