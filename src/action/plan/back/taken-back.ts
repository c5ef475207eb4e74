import { code, moment, say, type Text } from '../../../handlers/reply.ts';
import { referenceOf } from '../../../journal/actions/reference.ts';
import type { Action } from '../../../journal/journal.ts';
import { isLeftToItsUndo } from '../../../journal/timed/timed-change-row.ts';
import { appliancesActedOn, targetsIn } from '../../base/stored.ts';
import type { Parts } from '../../ground/ground.ts';

/** What of some actions was taken back since, or takes back something else of them. */
export interface TakenBack {
  /** It took back another one of them, which says so itself. */
  readonly isAnswer: (action: Action) => boolean;
  /** Why nothing of it is to be taken back. */
  readonly whyNot: (action: Action) => Text | undefined;
  readonly isOn: (action: Action, appliance: string) => boolean;
}

export function createTakenBack({
  journal,
}: Pick<Parts, 'journal'>): (channel: string, since: number, of: readonly Action[]) => Promise<TakenBack> {
  return async (channel, since, of) => {
    const undos = Map.groupBy(await journal.undosSince(channel, since), ({ undoes }) => undoes ?? '');
    const among = new Set(of.map(({ id }) => id));
    const timed = new Map(
      await Promise.all(of.map(async ({ id }) => [id, await journal.timedChangesOf(id)] as const)),
    );

    return {
      isAnswer: ({ undoes }) => undoes !== undefined && among.has(undoes),
      whyNot: (action) => {
        const { state, id } = action;
        if (state === 'running') return say`It is still under way.`;
        if (state === 'unknown')
          return say`Its outcome is unknown: look at ${code(`show ${referenceOf(id)}`)} first.`;
        const undo = undosOf(action)[0];
        const names = targetsIn(action).map(({ appliance }) => appliance);
        if (undo !== undefined && names.every((name) => isUndoneOn(action, name)))
          return undo.state === 'done'
            ? say`It was undone already, with ${code(referenceOf(undo.id))}.`
            : say`It is being undone, with ${code(referenceOf(undo.id))}.`;
        const ended = (timed.get(id) ?? []).filter((row) => !isLeftToItsUndo(row));
        const [last] = ended;
        if (last?.ended !== undefined && names.every((name) => ended.some((row) => row.appliance === name)))
          return say`It was temporary, and ended ${moment(last.ended.at)}.`;
        return undefined;
      },
      isOn: (action, appliance) =>
        isUndoneOn(action, appliance) ||
        (timed.get(action.id) ?? []).some((row) => row.appliance === appliance && !isLeftToItsUndo(row)),
    };

    /** What takes it back, and was not taken back itself. */
    function undosOf({ id }: Action): readonly Action[] {
      return (undos.get(id) ?? []).filter((undo) => undosOf(undo).length === 0);
    }

    function isUndoneOn(action: Action, appliance: string): boolean {
      return undosOf(action).some((undo) => appliancesActedOn(undo).includes(appliance));
    }
  };
}
