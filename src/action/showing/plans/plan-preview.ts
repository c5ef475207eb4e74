import { code, enumerate, type Reply, say, type Text } from '../../../handlers/reply.ts';
import { isKeptOn, type PlanStep } from '../../base/stored.ts';

/** So many lines stand on the card itself; of more it has the sum, and the thread has all of them. */
export const fewLines = 8;

/** Whether its lines are done for several tickets, or some for none. */
export const areSeveral = (steps: readonly PlanStep[]): boolean =>
  new Set(steps.map(({ ticket }) => ticket)).size > 1;

/** What a line does, on one line; and for which ticket, where that is to be told. */
export const whatOf = (step: PlanStep, isNamed: boolean): Text => {
  const { kind, says, details, left = [], isUndoable, takesBack } = step;
  const where = step.targets.map(({ appliance }) => appliance);
  const ticket = isNamed && kind !== 'idle' ? ` (for ${step.ticket ?? 'no ticket'})` : '';
  const more = details.length === 0 ? [] : say`. ${details}`;
  const isOneWay = !isUndoable && takesBack === undefined && kind !== 'idle';
  const mark = !isOneWay ? '' : isKeptOn(step) ? '. Undo leaves that so.' : ' ⚠ Can’t be undone.';
  if (kind !== 'ready')
    return say`${code(step.line)}: ${kind === 'idle' ? 'skipped' : 'checked in turn'}. ${says}${mark}${ticket}`;
  const leaving = left.flatMap(({ name, value }) => say` ${name} is ${value}.`);
  return say`${says}${where.length === 1 ? '' : say` on ${enumerate(where)}`}${more}${leaving}${mark}${ticket}`;
};

/** All of its lines, for its thread. */
export function allLines(steps: readonly PlanStep[]): Reply {
  return {
    headline: say`Changes of this plan, line by line:`,
    details: [
      {
        kind: 'table',
        columns: ['Line', 'Command', 'On', 'What it does', 'Undo'],
        rows: steps.map((step) => [
          say`${step.number}`,
          say`${step.line}`,
          say`${step.targets.map(({ appliance }) => appliance).join(', ')}`,
          whatOf(step, areSeveral(steps)),
          say`${step.kind === 'idle' || step.takesBack !== undefined ? '' : step.isUndoable ? 'yes' : isKeptOn(step) ? 'no' : '⚠ no'}`,
        ]),
      },
    ],
  };
}

export const hasLongPreview = (steps: readonly PlanStep[]): boolean => steps.length > fewLines;
