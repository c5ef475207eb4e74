import type { AnyChange } from '../../handlers/command.ts';
import { type Asked, lineOf, lineOptions, withoutReason } from '../../handlers/language/asked.ts';
import type { Match } from '../../handlers/language/match.ts';
import type { TypedStart } from '../../handlers/language/times/start.ts';
import { wordsAmong } from '../../handlers/lists/posted-file.ts';
import { hasDryRun, linesIn } from '../../handlers/plan/lines.ts';
import { code, plural, type Span, say, strong, type Text } from '../../handlers/reply.ts';
import type { Action } from '../../journal/journal.ts';
import { startIn } from '../authority/starts.ts';
import { askerIn, askerOf, isForOthers, saidIn, saidOf, type Terms } from '../authority/terms.ts';
import type { Invocation } from '../base/chat.ts';
import { type Consent, consentOf, isDelegated, isLentFor } from '../base/consent.ts';
import { isKeptOn, type PlanStep, type Shown, shownOf, stepsIn, withSources } from '../base/stored.ts';
import type { After } from '../base/timeout.ts';
import type { Proposals } from '../change/propose.ts';
import { inView } from '../change/question.ts';
import type { Runner } from '../change/run.ts';
import type { Gathering } from '../change/supervision.ts';
import { withStart } from '../change/temporary.ts';
import { askedIn, tellBelow } from '../showing/messages.ts';
import { sourceOf } from '../showing/pages.ts';
import { allLines, hasLongPreview } from '../showing/plans/plan-preview.ts';
import type { Understood } from '../taking/asking.ts';
import type { Requests } from '../taking/requests.ts';
import { isSame } from '../target/target.ts';
import type { Fault, LineFault } from '../wording/faults.ts';
import { createSeeLeft } from './back/left.ts';
import { createPlanSources, type PlanLines } from './back/sources.ts';
import { allConsents, consentToPlan, createLookAtLines, lineAgain } from './looking/lines.ts';
import { createLookAtLine } from './looking/look.ts';
import { createLookAtStep } from './looking/turn.ts';
import { isRead, mostLines, type PlanLine, readLines } from './read.ts';
import { createRunPlan, type RunPlanParts } from './run.ts';
import { allLinesField, isBack, notesOf, showPlan } from './words.ts';

/** What was asked for as one, line by line. */
interface GatheredPlan extends Omit<PlanLines, 'root'> {
  readonly root: Action | undefined;
  readonly faults: readonly LineFault[];
  readonly isSecret: boolean;
  /** The options for all of its lines, as they are typed. */
  readonly forAll: string;
  /** When all of it is to run. */
  readonly start: TypedStart | undefined;
}

/** Several changes that are looked at, agreed to and run as one. */
export interface Plans extends Gathering {
  /** The lines that are meant, each understood or not; or why there are none. */
  readonly gather: (
    asker: Pick<Invocation, 'person' | 'channel'>,
    found: Understood<AnyChange>,
    read: (line: string) => Promise<Match>,
  ) => Promise<GatheredPlan | Fault>;
  /** Looks at all of them and puts them before whoever must agree; or tells why not, which is so where one of them may not be run. */
  readonly propose: (
    to: Invocation,
    action: Action,
    found: Asked,
    gathered: GatheredPlan,
  ) => Promise<Fault | undefined>;
}

export function createPlans(
  parts: Omit<RunPlanParts, 'lookAtStep' | 'seeLeft' | 'running'> & {
    readonly running: Runner;
    readonly proposals: Pick<Proposals, 'put'>;
    readonly after: After;
    readonly admit: Requests['admit'];
  },
): Plans {
  const { commandByPhrase, present, proposals } = parts;
  const lookAtLine = createLookAtLine(parts);
  const lookAtLines = createLookAtLines({ ...parts, lookAtLine });
  const seeLeft = createSeeLeft(parts);
  const sources = createPlanSources({ ...parts, seeLeft });
  const lookAtStep = createLookAtStep({ ...parts, lookAtLine });
  const run = createRunPlan({ ...parts, lookAtStep, seeLeft });

  return {
    run,

    gather: async (asker, found, read) => {
      const { command, typed, on, reason, term, start } = found;
      const { gathers } = command;
      if (found.dryRun) return nothing(noDryRun);
      if (gathers === 'typed') {
        const text = wordsAmong(typed.lines).join(' ');
        const { lines, options } = linesIn(text);
        if (hasDryRun(options)) return nothing(noDryRun);
        const count = lines.length;
        if (count === 0)
          return nothing(
            say`This plan has no lines. Type ${strong('plan')}, and a command in each line below it.`,
          );
        if (count > mostLines)
          return nothing(say`This plan has ${count} lines, and one takes at most ${mostLines}. Split it.`);
        const all = await readLines(parts, { lines, options }, { on, reason, term, start }, asker, read);
        const own = lineOptions(found);
        const forAll = [options, own].filter((one) => one !== '').join(' ');
        return { ...all, forAll, root: undefined, notes: [], isWhole: false };
      }
      const reference = wordsAmong(typed.plan).join('').toUpperCase();
      const gathered = await (gathers === 'rest' ? sources.rest : sources.undos)(reference, asker.channel);
      return 'why' in gathered
        ? nothing(gathered.why)
        : { ...withReasons(gathered, reason), start, forAll: '', faults: [], isSecret: false };
    },

    propose: async (to, action, found, gathered) => {
      const command = found.command as AnyChange;
      const start = startIn(gathered.start, parts);
      if (start !== undefined && 'code' in start) return start;
      const asker = askerOf(to);
      const lines = gathered.lines.map(
        (line): PlanLine => (asker.accessRequest && isRead(line) ? { ...line, isLent: true } : line),
      );
      const looked = await inView(parts, to, lookAtLines(action, asker, lines, start));
      const faults = [...gathered.faults, ...looked.faults].toSorted(
        (one, other) => one.number - other.number,
      );
      if (faults.length > 0) {
        const [{ fault: first }] = faults as [LineFault];
        // Its lines are typed by nobody: the reason stands behind the plan.
        if (command.gathers !== 'typed' && faults.every(({ fault }) => fault.code === 'reason_wanted'))
          return { ...first, line: lineOf(withoutReason(found)) } as Fault;
        const of = gathered.lines.length + gathered.faults.length;
        const forOthers = faults.every(({ fault }) => isForOthers(fault));
        return { code: 'plan_refused', lines: faults, of, gathers: command.gathers ?? 'typed', forOthers };
      }
      const bare = shownFor(command, looked.steps, gathered.notes);
      const shown = withStart(withSources(bare, to.sources), start);
      const own = await consentToPlan(parts, action, command, { ...asker, ...saidIn(found) }, shown);
      if ('code' in own) return own;
      const consent = allConsents([...looked.consents, ...own]);
      if (shown.targets.length === 0 && !isDelegated({ consent }))
        return nothing(say`There is nothing to do: ${whyIdle(looked.steps)}`);
      const isClear = looked.steps.every((step) => isAgreed(step, gathered.agreed)) && gathered.isWhole;
      const admitted = await parts.admit(action, consent, to);
      if (admitted.fault !== undefined) return admitted.fault;
      const isSettled = to.agreed === true && isClear && start === undefined;
      const more = await below(action, shown, admitted.consent);
      await proposals
        .put(to, action, isDelegated({ consent }) ? alone(shown) : shown, admitted.consent, {
          isAgreed: isSettled,
          more,
        })
        .finally(admitted.over);
      return undefined;
    },

    lookAgain: async (plan, command) => {
      const lines = stepsIn(plan).map((step, index) => lineAgain(parts, step, isLentFor(plan, index + 1)));
      const known = lines.flatMap((line): PlanLine[] =>
        line === undefined ? [] : isRead(line) ? [{ ...line, isAgreed: true }] : [line],
      );
      const { start, sources } = shownOf(plan) ?? {};
      const looked = await lookAtLines(plan, askerIn(plan), known, start);
      const [fault] = looked.faults;
      if (fault !== undefined) return fault.fault;
      if (known.length < lines.length)
        return nothing(say`This version of the bot doesn’t know all of its lines.`);
      const before = stepsIn(plan);
      const notes = notesOf(plan);
      const isThere = looked.steps.map((step, index) => isThereBy(before[index], step));
      const isSameStill = looked.steps.every(
        (step, index) => isThere[index] || isStill(before[index], step, isThere.slice(0, index)),
      );
      if (isSameStill && looked.steps.every(({ kind }) => kind === 'idle'))
        return nothing(say`Nothing of this plan is left to do: ${whyIdle(looked.steps)}`);
      const shown = withStart(withSources(shownFor(command, looked.steps, notes), sources), start);
      const terms = async (): Promise<Terms> => {
        const asked = { ...askerIn(plan), ...saidOf(plan), accessRequest: isLentFor(plan, 0) };
        const own = await consentToPlan(parts, plan, command, asked, shown);
        if ('code' in own) return { kind: 'fault', fault: own };
        const consent = allConsents([...looked.consents, ...own]);
        return consent === undefined ? { kind: 'own' } : { kind: 'consent', consent };
      };
      if (isSameStill) return { kind: 'same', terms };
      return { kind: 'changed', shown, more: await below(plan, shown, consentOf(plan)), terms };
    },
  };

  /** What only those who decide are shown has no thread. */
  function alone(shown: Shown): Shown {
    const fields = shown.fields.filter(({ name }) => name !== allLinesField);
    return shown.targets.length > 0
      ? { ...shown, fields }
      : { ...shown, fields, question: say`Nothing of this plan can be done now.` };
  }

  /** The card has no room for more than a few. */
  async function below(action: Action, shown: Shown, consent: Consent | undefined) {
    const { steps = [] } = shown;
    // Whoever may not run it is shown nothing of it before somebody has agreed.
    if (!hasLongPreview(steps) || isDelegated({ consent })) return [];
    const { channel, id } = action;
    const source = sourceOf(action, shown.targets);
    return tellBelow(
      action,
      await present(allLines(steps), { channel, action: id, source, askedIn: askedIn(action) }),
    );
  }

  function shownFor(command: AnyChange, steps: readonly PlanStep[], notes: Shown['fields']): Shown {
    const question = {
      typed: (count: number, on: Text) => say`Run this plan of ${manyLines(count)} on ${on}?`,
      rest: (count: number, on: Text) =>
        say`Go on with the plan, which has ${manyLines(count)} left, on ${on}?`,
      undos: (count: number, on: Text) => say`Roll back ${manyLines(count)} on ${on}?`,
    }[command.gathers === 'rest' && isBack(steps) ? 'undos' : (command.gathers ?? 'typed')];
    return showPlan(question, steps, commandByPhrase, notes);
  }
}

const manyLines = (count: number): Span => strong(plural(count, 'line'));

const noDryRun = say`${code('--dry-run')} is not needed for a plan: it shows what each line would change, and sends nothing until somebody agrees. Send it without.`;

const nothing = (why: Text): Fault => ({ code: 'nothing_to_act_on', why });

const whyIdle = (steps: readonly PlanStep[]): Text => steps[0]?.says ?? [];

/** Why it is asked: what takes something back is done for the reason of that, unless another one is given for all of it. */
const withReasons = <Lines extends PlanLines>(gathered: Lines, given: string | undefined): Lines => ({
  ...gathered,
  lines: gathered.lines.map((line): PlanLine => {
    if (!isRead(line) || line.found.command.args.reason !== undefined) return line;
    const reason = line.takesBack === undefined ? (line.found.reason ?? given) : (given ?? line.found.reason);
    return reason === undefined ? line : { ...line, found: { ...line.found, reason } };
  }),
});

/**
 * Somebody else has done meanwhile what it was to do, and it has that stay where it would end too early: that is nothing that has to be
 * agreed to, and is told in its turn.
 */
const isThereBy = (before: PlanStep | undefined, now: PlanStep): boolean =>
  before?.kind === 'ready' && (now.kind === 'idle' || isKeptOn(now)) && now.takesBack === undefined;

/** Whether a line is as it was shown. What lines before it were to make, and is there by now, can be looked at by now. */
const isStill = (before: PlanStep | undefined, now: PlanStep, isThere: readonly boolean[]): boolean =>
  before?.kind === 'inTurn' && now.kind === 'ready'
    ? isThere.includes(true)
    : now.kind === before?.kind && isSame(before.targets, now.targets);

/** Whether what it would do is what somebody has agreed to before, or takes back just what that has done. */
function isAgreed(step: PlanStep, agreed: ReadonlyMap<number, PlanStep> | undefined): boolean {
  if (agreed === undefined) return step.kind !== 'idle';
  const before = agreed.get(step.number);
  return before?.kind === step.kind && isSame(before.targets, step.targets);
}
