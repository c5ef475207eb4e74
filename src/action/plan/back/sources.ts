import type { AnyChange } from '../../../handlers/command.ts';
import { type Asked, lineOf } from '../../../handlers/language/asked.ts';
import { linesOf } from '../../../handlers/plan/line-numbers.ts';
import { code, enumerate, type Field, say, type Text } from '../../../handlers/reply.ts';
import { byAsked } from '../../../journal/actions/order.ts';
import type { State } from '../../../journal/actions/states.ts';
import type { Action } from '../../../journal/journal.ts';
import { isLeftToItsUndo } from '../../../journal/timed/timed-change-row.ts';
import { isBack as takesBack } from '../../authority/freeze-over.ts';
import { consentOf } from '../../base/consent.ts';
import { inAction } from '../../base/request-log.ts';
import {
  appliancesActedOn,
  changeOf,
  failedInPart,
  type PlanStep,
  stepsIn,
  targetsIn,
} from '../../base/stored.ts';
import type { Runner } from '../../change/run.ts';
import { stillOwn, withFormerEnd } from '../../change/undo.ts';
import type { Parts } from '../../ground/ground.ts';
import { isLeaving, offerIn } from '../../showing/kept-offer.ts';
import { reasonFor } from '../../wording/faults.ts';
import { lineAgain } from '../looking/lines.ts';
import { isRead, type PlanLine, type ReadLine } from '../read.ts';
import { decidedWith, isBack, leftBy, wasNotBegun } from '../words.ts';
import { type SeeLeft, undoLinesOf } from './left.ts';

/** What is left of a plan, or takes it back. */
export interface PlanLines {
  readonly lines: readonly PlanLine[];
  /** The plan that it is about. */
  readonly root: Action;
  readonly notes: readonly Field[];
  /** What was agreed to before of each line, by its number. */
  readonly agreed?: ReadonlyMap<number, PlanStep>;
  /** Nothing is in it, or left out, that whoever has pressed its button does not know. */
  readonly isWhole: boolean;
}

/** Or why there is nothing of it. */
type Found = PlanLines | { readonly why: Text };

export interface PlanSources {
  /** What a plan has not come to: what comes after the line at which it has stopped. */
  readonly rest: (reference: string, channel: string) => Promise<Found>;
  /** What takes back all that was done of it, the last first. */
  readonly undos: (reference: string, channel: string) => Promise<Found>;
}

export function createPlanSources(
  parts: Parts & { readonly running: Pick<Runner, 'lookAfter'>; readonly seeLeft: SeeLeft },
): PlanSources {
  const { journal, match, commandByPhrase, notifications, running, seeLeft } = parts;

  return {
    rest: async (reference, channel) => {
      const plan = await planNamed(reference, channel);
      if ('why' in plan) return plan;
      const root = (await journal.byId(plan.plan ?? '')) ?? plan;
      const since = (await journal.sequelsOf(root.id)).filter((one) => byAsked(one, plan) >= 0);
      const other = await firstThatCame(since.filter(({ id }) => id !== plan.id));
      if (other !== undefined) return { why: decidedWith(other) };
      const leaving = (await journal.keptOf(plan.id, 'offer')).find((one) =>
        isLeaving(offerIn(one)?.line ?? ''),
      );
      if (leaving?.takenBy !== undefined && leaving.became === undefined)
        return { why: leftBy(leaving.takenBy) };
      const steps = stepsIn(plan);
      const begun = await journal.stepsOf(plan.id);
      const last = begun.at(-1);
      const at = last?.step ?? 0;
      const now = last && (await known(last, plan));
      const isLeft = last?.outcome?.code === 'plan_stopped' || (last !== undefined && wasNotBegun(last));
      // What has taken nothing back is left to be taken back.
      const isAgain = isBack(steps) && (now?.state === 'failed' || now?.state === 'unknown');
      const rest = steps.slice(isLeft || isAgain ? at - 1 : at);
      if (plan.state === 'done' || rest.length === 0)
        return { why: say`Nothing is left of this plan: it came to its last line.` };
      const lines = rest.flatMap((step) => lineAgain(parts, step) ?? []);
      const skipped = isLeft || isAgain || now === undefined ? [] : skippedBecause(now, last);
      const agreed = new Map(rest.map((step) => [step.number, step]));
      return { lines, root, notes: skipped, agreed, isWhole: true };
    },

    undos: async (reference, channel) => {
      const named = await planNamed(reference, channel);
      if ('why' in named) return named;
      const root = named.plan === undefined ? named : await journal.byId(named.plan);
      if (root === undefined) return { why: say`The plan is no longer kept.` };
      const runs = [root, ...(await journal.sequelsOf(root.id))];
      if (runs.some(({ state }) => state === 'approved' || state === 'running'))
        return { why: say`This plan is still under way. Roll it back when it has ended or stopped.` };
      const begun: { readonly action: Action; readonly number: number }[] = [];
      for (const run of runs) {
        const steps = stepsIn(run);
        for (const action of await journal.stepsOf(run.id)) {
          const step = steps[(action.step ?? 0) - 1];
          if (step === undefined || action.state === 'refused') continue;
          if (step.takesBack === undefined)
            begun.push({ action: await known(action, run), number: step.number });
        }
      }
      const actions = begun.map(({ action }) => action);
      const isTakenBack = await takenBackSince(root.createdAt, channel, actions);
      const lines: PlanLine[] = [];
      const forGood: number[] = [];
      const inPart: number[] = [];
      const unknown: number[] = [];
      const ended: number[] = [];
      for (const { action, number } of begun.toReversed()) {
        if (targetsIn(action).every(({ appliance }) => isTakenBack(action, appliance))) continue;
        // What has failed may have happened on some of its appliances, or in part, and that has its undo.
        const undos = await undoLinesOf(parts, action);
        if (action.state === 'unknown') unknown.push(number);
        else if (undos.length === 0 && action.state === 'done') forGood.push(number);
        else if (undos.length === 0 && failedInPart(action)) inPart.push(number);
        for (const { line, on } of undos) {
          const left = on.filter((appliance) => !isTakenBack(action, appliance));
          const back = left.length === 0 ? undefined : await lineBack(action, number, line, left);
          if (back === undefined) continue;
          lines.push(back);
          if (!isRead(back)) ended.push(number);
        }
      }
      const stays = enumerate([
        ...(forGood.length === 0 ? [] : [say`${linesOf(forGood)} can’t be undone`]),
        ...(inPart.length === 0 ? [] : [say`${linesOf(inPart)} happened in part, and can’t be undone`]),
        ...(unknown.length === 0 ? [] : [say`the outcome of ${linesOf(unknown)} is unknown`]),
      ]);
      if (lines.length === 0) {
        return {
          why:
            stays.length > 0
              ? say`Nothing of this plan can be rolled back: ${stays}.`
              : say`Nothing of this plan is left to roll back.`,
        };
      }
      const notes: readonly Field[] = stays.length === 0 ? [] : [{ name: 'Stays', value: say`⚠ ${stays}` }];
      return { lines, root, notes, isWhole: stays.length === 0 && ended.length === 0 };
    },
  };

  /** Whether an action was taken back on an appliance since, or has ended there by itself. */
  async function takenBackSince(since: number, channel: string, actions: readonly Action[]) {
    const undos = Map.groupBy(await journal.undosSince(channel, since), ({ undoes }) => undoes ?? '');
    const timed = new Map(
      await Promise.all(actions.map(async ({ id }) => [id, await journal.timedChangesOf(id)] as const)),
    );
    /** What takes it back, and was not taken back itself. */
    const undosOf = ({ id }: Action): readonly Action[] =>
      (undos.get(id) ?? []).filter((undo) => undosOf(undo).length === 0);
    return (action: Action, appliance: string): boolean =>
      undosOf(action).some((undo) => appliancesActedOn(undo).includes(appliance)) ||
      (timed.get(action.id) ?? []).some((row) => row.appliance === appliance && !isLeftToItsUndo(row));
  }

  /** The line that takes back what a step did there; where what it would bring back was temporary and is over, it is left out and named. */
  async function lineBack(
    action: Action,
    number: number,
    line: string,
    on: readonly string[],
  ): Promise<PlanLine | undefined> {
    const found = match(line);
    if (found.kind !== 'command' || found.command.kind !== 'change') return undefined;
    const { phrase } = found.command;
    const own = await stillOwn(parts, { ...found, on: on.join(',') }, action);
    const back = 'code' in own ? own : await withFormerEnd(parts, own, action);
    if ('code' in back)
      return {
        number,
        line,
        phrase,
        kind: 'idle',
        details: [],
        targets: [],
        isUndoable: false,
        stays: true,
        says: reasonFor(back),
      };
    const expects = action.left as ReadLine['expects'];
    const isSeen = expects !== undefined && Object.keys(expects).length > 0;
    // It is done for the reason and the ticket of what it takes back, where no others are given; to make a change again takes its own.
    const isUndo = await takesBack(journal, action.id);
    const typed = match(action.understoodAs ?? action.line);
    const reason = (typed.kind === 'command' ? typed.reason : undefined) ?? consentOf(action)?.reason;
    const asked = { ...back, ...(isUndo && reason && { reason }) };
    return {
      number,
      text: lineOf(asked as Asked),
      isExact: true,
      takesBack: action.id,
      ...(isUndo && action.ticket !== undefined && { ticket: action.ticket }),
      found: { ...asked, command: asked.command as AnyChange },
      ...(isSeen && { expects }),
    };
  }

  /** The first of which something came, or may: one that was stopped before its first line did nothing. */
  async function firstThatCame(sequels: readonly Action[]): Promise<Action | undefined> {
    for (const one of sequels) {
      if (came.has(one.state)) return one;
      if (one.state === 'failed' && (await journal.stepsOf(one.id)).length > 0) return one;
    }
    return undefined;
  }

  async function planNamed(reference: string, channel: string): Promise<Action | { readonly why: Text }> {
    const plan = await journal.byReference(reference);
    const command = commandByPhrase.get(plan?.phrase ?? '');
    if (
      plan === undefined ||
      plan.channel !== channel ||
      command?.kind !== 'change' ||
      command.gathers === undefined
    )
      return { why: reasonFor({ code: 'no_such_plan', plan: reference }) };
    return plan;
  }

  /** A step of which it is not known whether it happened is looked at once more, before anything comes after it, or takes it back. */
  async function known(step: Action, plan: Action): Promise<Action> {
    const command = changeOf(commandByPhrase, step);
    if (step.state !== 'unknown' || command === undefined) return step;
    await inAction(parts, [step.id], () => running.lookAfter(step, command));
    const looked = (await journal.byId(step.id)) ?? step;
    await seeLeft(looked);
    const number = stepsIn(plan)[(step.step ?? 0) - 1]?.number ?? step.step ?? 0;
    await notifications.add(plan, say`Line ${number} was read back. ${looked.outcome?.says ?? ''}`);
    await notifications.draw(plan);
    return (await journal.byId(step.id)) ?? looked;
  }

  /** What became of the line at which it has stopped: of one that was unknown, also that it happened after all. */
  function skippedBecause(now: Action, before: Action | undefined): readonly Field[] {
    const line = code(now.line);
    if (now.state === 'done')
      return before?.state === 'unknown' ? [{ name: 'Read back', value: say`${line}: it happened` }] : [];
    const how = now.state === 'unknown' ? 'its outcome is still unknown' : 'it failed';
    return [{ name: 'Left out', value: say`${line}: ${how}` }];
  }
}

const came: ReadonlySet<State> = new Set([
  'asked',
  'waiting',
  'planned',
  'approved',
  'running',
  'done',
  'unknown',
]);
