import { isApplianceFailure } from '../../../api/index.ts';
import type { Fingerprint } from '../../../handlers/results.ts';
import type { Action } from '../../../journal/journal.ts';
import { appliancesOf } from '../../base/stored.ts';
import type { Parts } from '../../ground/ground.ts';
import { offerIn, undoBehind } from '../../showing/kept-offer.ts';
import { createLookAtUndo } from '../../timed/look.ts';

/** The line that takes back what an action did, and the appliances on which it does. */
export interface UndoLine {
  readonly line: string;
  readonly on: readonly string[];
}

/** What takes an action back, as it was kept when the action was done; those that nobody has taken so far. */
export async function undoLinesOf(
  { journal }: Pick<Parts, 'journal'>,
  action: Action,
): Promise<readonly UndoLine[]> {
  const kept = await journal.keptOf(action.id, 'offer');
  return kept.flatMap((one) => {
    const offer = offerIn(one);
    const behind = offer?.undo === true ? undoBehind(offer.line) : undefined;
    return behind === undefined ? [] : [behind];
  });
}

/**
 * Sees what a step has left, right after it was read back, and notes it: when it is taken back, whatever is not like that any more
 * is somebody else's. Where it cannot be seen, its undo is shown before it is run.
 */
export type SeeLeft = (step: Action) => Promise<void>;

export function createSeeLeft(parts: Parts): SeeLeft {
  const { journal, appliances } = parts;
  const lookAtUndo = createLookAtUndo(parts);

  return async (step) => {
    const before = step.left as Readonly<Record<string, Fingerprint>> | undefined;
    const left: Record<string, Fingerprint> = { ...before };
    for (const { line, on } of await undoLinesOf(parts, step)) {
      for (const name of on.filter((one) => appliancesOf(step).includes(one) && left[one] === undefined)) {
        const appliance = appliances.get(name);
        if (appliance === undefined) continue;
        try {
          const found = await lookAtUndo(line, appliance, step);
          if (found.kind === 'lasts') left[name] = found.fingerprint;
        } catch (error) {
          if (!isApplianceFailure(error)) throw error;
        }
      }
    }
    await journal.leftByStep(step.id, left);
  };
}
