import { shortened } from '../../../graphemes.ts';
import { recalled } from '../../../handlers/audit/recalled.ts';
import { linesOf } from '../../../handlers/plan/line-numbers.ts';
import { code, type Field, plural, say, strong, type Text } from '../../../handlers/reply.ts';
import { referenceOf } from '../../../journal/actions/reference.ts';
import type { Action } from '../../../journal/journal.ts';
import { isDelegated, isLentFor } from '../../base/consent.ts';
import { type PlanStep, stepsIn } from '../../base/stored.ts';

/** So many lines stand on the card of a plan that has ended, each with what became of it. */
const mostOnCard = 10;
/** Of what a line says no more stands there. */
const longest = 240;

/**
 * Its lines as they were asked for, by somebody who may not run some of them: what they would hit is shown to nobody but those who may
 * agree. Which of them these are, and where all are read.
 */
export function linesAsked(plan: Action): readonly Field[] {
  const lines = stepsIn(plan);
  if (!isDelegated(plan) || lines.length === 0) return [];
  const lent = lines.flatMap(({ number }, index) => (isLentFor(plan, index + 1) ? [number] : []));
  const typed = lines
    .slice(0, mostOnCard)
    .map(({ number, line }): Field => ({ name: `Line ${number}`, value: say`${code(line)}` }));
  const more = lines.length - typed.length;
  if (plan.state !== 'waiting') return typed;
  return [
    ...typed,
    ...(more === 0
      ? []
      : [{ name: 'More', value: say`${plural(more, 'more line')}: ${strong('Approve')} shows all` }]),
    ...(lent.length === lines.length || lent.length === 0
      ? []
      : [{ name: 'Lacks a role for', value: say`${linesOf(lent)}` }]),
  ];
}

/** Whether its card tells of each of its lines all that is told of it. */
export const haveRoom = (lines: readonly PlanStep[], begun: readonly Action[]): boolean =>
  lines.length <= mostOnCard && begun.every(({ outcome }) => (outcome?.says.length ?? 0) <= longest);

/** What became of its lines; where to read of those that have no room. */
export function endedLines(plan: Action, begun: readonly Action[]): readonly Text[] {
  const lines = stepsIn(plan);
  const more = lines.length - mostOnCard;
  const told = lines.slice(0, mostOnCard).map((line, index) => {
    const { mark, says } = endOf(
      line,
      begun.findLast(({ step }) => step === index + 1),
    );
    return say`${mark} Line ${line.number}: ${says}`;
  });
  const name = code(`show ${referenceOf(plan.id)}`);
  return more <= 0 ? told : [...told, say`and ${plural(more, 'more line')}: in the thread, and with ${name}`];
}

function endOf(line: PlanStep, action: Action | undefined): { readonly mark: string; readonly says: Text } {
  if (line.kind === 'idle') return { mark: '➖', says: say`skipped. ${line.says}` };
  const { state, outcome } = action ?? {};
  if (outcome === undefined || outcome.code === 'not_begun')
    return { mark: '⏸', says: say`not run: ${code(line.line)}` };
  const says = recalled(shortened(outcome.says, longest), outcome.named);
  if (state === 'done') return { mark: '✅', says };
  if (state === 'failed') return { mark: '❌', says };
  if (state === 'unknown') return { mark: '❓', says };
  return outcome.code === 'nothing_to_act_on'
    ? { mark: '➖', says: say`skipped. ${says}` }
    : { mark: '✋', says: say`not run. ${says}` };
}
