import type { AnyChange } from '../../handlers/command.ts';
import { plainText, say, type Text } from '../../handlers/reply.ts';
import { isOnItsWay } from '../../journal/actions/states.ts';
import type { Action, JsonObject } from '../../journal/journal.ts';
import type { Approvals } from '../approval/approvals.ts';
import type { Listener } from '../base/chat.ts';
import { isLentFor } from '../base/consent.ts';
import { inAction } from '../base/request-log.ts';
import {
  appliancesOf,
  appliancesToStore,
  changeOf,
  type PlanStep,
  shownOf,
  shownToStore,
  stepsIn,
} from '../base/stored.ts';
import type { Applies } from '../change/apply.ts';
import type { Runner } from '../change/run.ts';
import type { Parts } from '../ground/ground.ts';
import { explain } from '../wording/faults.ts';
import { withoutPromise } from '../wording/misread/misfits.ts';
import type { SeeLeft } from './back/left.ts';
import { createUndoButtons } from './back/undo-buttons.ts';
import { createDecision } from './decision.ts';
import { concludePlan } from './end.ts';
import { type LookAtStep, type TouchedThings, touch } from './looking/turn.ts';
import { createStopButton } from './stop.ts';
import { type LineEnd, notBegun, wasNotBegun } from './words.ts';

/**
 * Runs the lines of a plan in their order, each once, as an action of its own: it is looked at once more right before, and stops the
 * plan where it is not what was agreed to, or did not work. The journal already says that the plan is running, and may say so
 * from before a crash: then it goes on where that came.
 */
export type RunPlan = (asker: Listener, plan: Action, command: AnyChange) => Promise<void>;

export interface RunPlanParts extends Parts {
  readonly running: Pick<Runner, 'run'>;
  readonly applies: Pick<Applies, 'release' | 'start'>;
  readonly obstacle: Approvals['obstacle'];
  readonly lookAtStep: LookAtStep;
  readonly seeLeft: SeeLeft;
  readonly stopping: AbortSignal;
}

export function createRunPlan(parts: RunPlanParts): RunPlan {
  const buttons = createUndoButtons(parts);
  const decision = createDecision(parts);
  const stop = createStopButton(parts);
  const { journal, commandByPhrase, notifications, sleep, stopping } = parts;

  /** When the card of a plan said last how far it has come. */
  const told = new Map<string, number>();

  return async (asker, plan) => {
    const steps = stepsIn(plan);
    const ends: (LineEnd | undefined)[] = [];
    /** Where lines before have changed something, and of which kind: what later ones hit may be another one because of that. */
    const touched: TouchedThings = new Set();
    const why = await decision.take(plan);
    if (why !== undefined) return turnAway(asker, plan, why);
    await stop.offer(plan);
    for (const [index, step] of steps.entries()) {
      const end = await endOf(asker, plan, step, index + 1, touched);
      // The bot is being stopped, or another replica is at it.
      if (end === 'left') return;
      ends.push(end);
      if (end.kind === 'done') for (const { appliance } of step.targets) touched.add(touch(step, appliance));
      if (end.kind !== 'done' && end.kind !== 'idle') break;
      const progress = say`${index + 1} of ${steps.length} lines done`;
      if (index + 1 < steps.length) tellProgress(plan, progress);
    }
    told.delete(plan.id);
    const begun = ends.flatMap((end) => (end !== undefined && 'action' in end ? [end.action] : []));
    await parts.applies.release(begun);
    await endTogether(begun);
    await concludePlan(parts, asker, plan, ends);
    await decision.settle(plan);
    for (const name of new Set(begun.flatMap(appliancesOf))) {
      const appliance = parts.appliances.get(name);
      if (appliance !== undefined) parts.applies.start(appliance);
    }
  };

  /** Somebody else has decided what becomes of the plan. */
  async function turnAway(asker: Listener, plan: Action, why: Text): Promise<void> {
    const headline = say`${why} No changes were made.`;
    const outcome = { code: 'plan_decided', says: plainText(headline) };
    const words = { headline, threadReply: { headline }, asker };
    await notifications.transitionAndNotify(plan, 'failed', { outcome }, words);
    await decision.settle(plan);
  }

  /** What is to last as long ends at one moment: the one at which the last of them does. */
  async function endTogether(steps: readonly Action[]): Promise<void> {
    const temporary = steps.filter((step) => shownOf(step)?.temporary?.lasts !== undefined);
    const rows = await Promise.all(
      temporary.map(async (step) =>
        (await journal.timedChangesOf(step.id)).map((row) => ({
          row,
          lasts: shownOf(step)?.temporary?.lasts,
        })),
      ),
    );
    for (const group of Map.groupBy(rows.flat(), ({ lasts }) => lasts).values()) {
      const last = Math.max(...group.map(({ row }) => row.endsAt));
      for (const { row } of group) await journal.alignTimedEnd(row.id, row.endsAt, last);
    }
  }

  /** Now and then, and nobody waits for it. */
  function tellProgress(plan: Action, progress: Text): void {
    if (parts.now() - (told.get(plan.id) ?? 0) < pace) return;
    told.set(plan.id, parts.now());
    void notifications.draw(plan, { progress }).catch(() => undefined);
  }

  async function endOf(
    asker: Listener,
    plan: Action,
    step: PlanStep,
    number: number,
    touched: TouchedThings,
  ): Promise<LineEnd | 'left'> {
    if (step.kind === 'idle') return { kind: 'idle', why: step.says };
    const before = (await journal.stepsOf(plan.id)).findLast((one) => one.step === number);
    const known = before && (await fromBefore(before));
    if (known !== undefined) return known;
    if (stopping.aborted) return 'left';
    const stopped = await stop.pressed(plan);
    if (stopped !== undefined) return stopped;
    return begin(asker, plan, step, number, touched);
  }

  /** What became of a step that was begun before a crash. What was sent is read back by whoever has taken it over (`recovery.ts`). */
  async function fromBefore(begun: Action): Promise<LineEnd | 'left' | undefined> {
    let action = begun;
    // The next line may need what this one does, so the plan waits until it was seen, or was never seen.
    for (let waited = 0; isOnItsWay(action) && waited < longestWait; waited += pause) {
      if (stopping.aborted) return 'left';
      await sleep(pause);
      action = (await journal.byId(action.id)) ?? action;
    }
    if (isOnItsWay(action)) return 'left';
    if (action.state === 'asked') {
      await journal.move(action, 'failed', {
        outcome: { code: notBegun, says: 'The bot was stopped before this was sent. No changes were made.' },
      });
      return undefined;
    }
    if (wasNotBegun(action)) return undefined;
    return endFrom(action);
  }

  async function begin(
    asker: Listener,
    plan: Action,
    step: PlanStep,
    number: number,
    touched: TouchedThings,
  ): Promise<LineEnd | 'left'> {
    const command = commandByPhrase.get(step.phrase);
    if (command?.kind !== 'change') {
      return { kind: 'stopped', why: say`This version of the bot has no such command.` };
    }
    const { team, channel, person, thread, direct } = plan;
    const action = await journal.write({
      ...{
        team,
        channel,
        person,
        thread,
        direct,
        line: step.line,
        phrase: step.phrase,
        effect: command.effect,
      },
      appliance: appliancesToStore(step.targets.map(({ appliance }) => appliance)),
      args: (step.targets[0]?.args ?? {}) as JsonObject,
      ...{ state: 'asked', plan: plan.id, step: number },
      ...{ ticket: step.ticket, undoes: step.takesBack },
    });
    return inAction(parts, [action.id], async () => {
      const ready = await parts.lookAtStep(action, step, command, touched, isLentFor(plan, number));
      if ('end' in ready) return turnDown(action, ready.end);
      // Whoever may not any more has it run by no plan.
      const { ticket } = action;
      const undoes = step.takesBack ?? plan.undoes;
      const preview = shownToStore(ready.shown);
      const asStep = { ...plan, step: number, ticket, undoes, preview };
      // What is on already may only have to end later.
      const does = changeOf(commandByPhrase, { ...action, preview }) ?? command;
      const others = stepsIn(plan).toSpliced(number - 1, 1);
      const obstacle = await parts.obstacle(asStep, does, others);
      if (obstacle !== undefined) {
        return turnDown(action, { kind: 'stopped', why: withoutPromise(explain(obstacle).headline) });
      }
      await buttons.take(action);
      const running = await journal.move(action, 'running', {
        preview,
        ofPlan: plan.id,
      });
      if (running === undefined) {
        await journal.releaseOf(action.id);
        return 'left';
      }
      await parts.running.run(asker, running, does);
      const over = (await journal.byId(running.id)) ?? running;
      if (isOnItsWay(over)) return 'left';
      return endFrom(over);
    });
  }

  async function endFrom(action: Action): Promise<LineEnd> {
    const { state, outcome } = action;
    await buttons.settle(action);
    if (state === 'done' || state === 'failed' || state === 'unknown') {
      await parts.seeLeft(action);
      return { kind: state, action };
    }
    const why = say`${outcome?.says ?? ''}`;
    return outcome?.code === 'nothing_to_act_on' ? { kind: 'idle', why } : { kind: 'stopped', why };
  }

  async function turnDown(action: Action, end: LineEnd): Promise<LineEnd> {
    const says = 'why' in end ? plainText(end.why) : '';
    const outcomeCode = end.kind === 'idle' ? 'nothing_to_act_on' : 'plan_stopped';
    await journal.move(action, 'refused', { outcome: { code: outcomeCode, says } });
    return end;
  }
}

/** How often the card says how far it has come, and how often it is looked whether a step is over, in milliseconds. */
const pace = 3_000;
const pause = 1_000;
const longestWait = 15 * 60_000;
