import { recalled } from '../../handlers/audit/recalled.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import { linesOf } from '../../handlers/plan/line-numbers.ts';
import {
  code,
  enumerate,
  type Field,
  type Part,
  person,
  plural,
  say,
  strong,
  type Text,
} from '../../handlers/reply.ts';
import { referenceOf } from '../../journal/actions/reference.ts';
import type { Action } from '../../journal/journal.ts';
import { isKeptOn, type PlanStep, type Shown, shownOf } from '../base/stored.ts';
import { areSeveral, fewLines, whatOf } from '../showing/plans/plan-preview.ts';

/** What a plan is about, for its card and its thread. */

export const allLinesField = 'All lines';
/** As many appliances have a line each on the card. */
const mostAppliances = 10;

const created: ReadonlySet<string> = new Set(['Add', 'Create', 'Install', 'Grant']);
const removed: ReadonlySet<string> = new Set(['Delete', 'Remove', 'Uninstall', 'Revoke']);

/** All that a plan would change, as those who agree to it see it. */
export function showPlan(
  question: (count: number, on: Text) => Text,
  steps: readonly PlanStep[],
  commandByPhrase: ReadonlyMap<string, AnyCommand>,
  notes: readonly Field[] = [],
): Shown {
  const working = steps.filter(({ kind }) => kind !== 'idle');
  const names = [...new Set(working.flatMap(({ targets }) => targets.map(({ appliance }) => appliance)))];
  const sums = names.map((name): Field => ({ name: `On ${name}`, value: sumOn(name) }));
  const rest = sums
    .slice(mostAppliances)
    .map(({ name, value }) => say`${name.slice('On '.length)}: ${value}`);
  const numbers = (kind: (step: PlanStep) => boolean) => steps.filter(kind).map(({ number }) => number);
  const forGood = numbers(
    (step) => step.kind !== 'idle' && !step.isUndoable && step.takesBack === undefined && !isKeptOn(step),
  );
  const idle = numbers(({ kind }) => kind === 'idle');
  const inTurn = numbers(({ kind }) => kind === 'inTurn');
  return {
    question: question(working.length, namesOf(names)),
    fields: [
      ...(steps.length <= fewLines ? steps.map((step) => lineField(step, areSeveral(steps))) : []),
      // What is one thing is told by its line.
      ...(working.length > 1 ? sums.slice(0, mostAppliances) : []),
      ...(rest.length === 0 ? [] : [{ name: 'On others', value: enumerate(rest) }]),
      ...(forGood.length === 0
        ? []
        : [{ name: 'No way back', value: say`⚠ ${linesOf(forGood)} can’t be undone` }]),
      ...(idle.length === 0 ? [] : [{ name: 'Skipped', value: say`${linesOf(idle)}` }]),
      ...(inTurn.length === 0
        ? []
        : [
            {
              name: 'Checked in turn',
              value: say`${linesOf(inTurn)}, because of what lines before ${inTurn.length === 1 ? 'it' : 'them'} change`,
            },
          ]),
      ...notes,
      ...(steps.length <= fewLines ? [] : [{ name: allLinesField, value: say`in the thread` }]),
    ],
    targets: working.flatMap(({ targets }) => targets),
    steps,
  };

  function sumOn(name: string): Text {
    const here = working.filter(({ targets }) => targets.some(({ appliance }) => appliance === name));
    const count = (verbs: (verb: string) => boolean) =>
      here.filter(({ phrase }) => {
        const command = commandByPhrase.get(phrase);
        return verbs(command?.kind === 'change' ? command.verb : '');
      }).length;
    const counts = [
      [count((verb) => created.has(verb)), 'created'],
      [count((verb) => !created.has(verb) && !removed.has(verb)), 'changed'],
      [count((verb) => removed.has(verb)), 'removed'],
    ] as const;
    return say`${counts.flatMap(([many, word]) => (many === 0 ? [] : [`${many} ${word}`])).join(', ')}`;
  }
}

const namesOf = (names: readonly string[]): Text =>
  names.length > 4 ? say`${strong(plural(names.length, 'appliance'))}` : enumerate(names.map(strong));

const lineField = (step: PlanStep, isNamed: boolean): Field => ({
  name: `Line ${step.number}`,
  value: whatOf(step, isNamed),
});

/** Whether it takes something back: a rollback, or what goes on with one. */
export const isBack = (steps: readonly PlanStep[]): boolean =>
  steps.some(({ takesBack }) => takesBack !== undefined);

/** What became of each line. */
export type LineEnd =
  | { readonly kind: 'done' | 'failed' | 'unknown'; readonly action: Action }
  /** There was nothing to do. */
  | { readonly kind: 'idle'; readonly why: Text }
  /** It was not begun, and why. */
  | { readonly kind: 'stopped'; readonly why: Text; readonly by?: string };

/** The journal's code for a step that a crash came before: it was not sent, and is begun once more. */
export const notBegun = 'not_begun';

/** Whether nothing of a step was sent, because the bot was stopped before: it is begun once more. */
export const wasNotBegun = ({ outcome }: Pick<Action, 'outcome'>): boolean =>
  outcome?.code === notBegun || outcome?.code === 'restarting';

/** Why a plan that has stopped is nobody's to decide about any more. */
export const decidedWith = (other: Action): Text =>
  say`${person(other.person)} was first: this plan has been continued or rolled back since, with ${code(referenceOf(other.id))}.`;

export const leftBy = (by: string): Text => say`${person(by)} has left the plan as it is before.`;

const marks: Readonly<Record<LineEnd['kind'] | 'rest', string>> = {
  done: '✅',
  failed: '❌',
  unknown: '❓',
  idle: '➖',
  stopped: '✋',
  rest: '⏸',
};

/** What stands on the card of a plan beside its lines, and is not computed from them. */
export const notesOf = (plan: Pick<Action, 'preview'>): readonly Field[] =>
  (shownOf(plan)?.fields ?? []).filter(({ name }) => noteNames.has(name));

const noteNames: ReadonlySet<string> = new Set(['Stays', 'Done', 'Left out', 'Read back']);

/** What became of each line, in one table. */
export function endTable(steps: readonly PlanStep[], ends: readonly (LineEnd | undefined)[]): Part {
  return {
    kind: 'table',
    columns: ['Line', 'Command', 'Result'],
    rows: steps.map((step, index) => {
      const end = ends[index];
      return [say`${step.number}`, say`${step.line}`, say`${marks[end?.kind ?? 'rest']} ${endInWords(end)}`];
    }),
  };
}

export function endInWords(end: LineEnd | undefined): Text {
  if (end === undefined) return say`not run`;
  if (end.kind === 'idle') return say`skipped: ${end.why}`;
  if (end.kind === 'stopped') return end.by === undefined ? say`not run: ${end.why}` : say`not run`;
  const { outcome } = end.action;
  return recalled(outcome?.says ?? end.kind, outcome?.named);
}
