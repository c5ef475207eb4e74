import { inWords, recalled } from '../../handlers/audit/recalled.ts';
import type { AnyChange } from '../../handlers/command.ts';
import { person, say, type Text } from '../../handlers/reply.ts';
import { byRun } from '../../journal/actions/order.ts';
import { referenceOf } from '../../journal/actions/reference.ts';
import { isOnItsWay } from '../../journal/actions/states.ts';
import type { Action, JsonObject, Kept } from '../../journal/journal.ts';
import type { Approvals } from '../approval/approvals.ts';
import { askerIn } from '../authority/terms.ts';
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
import { isLeaving, isStopping, offerIn, offerToKeep, stopLabel, undoBehind } from '../showing/kept-offer.ts';
import { reasonFor } from '../wording/faults.ts';
import type { SeeLeft } from './back/left.ts';
import { concludePlan } from './end.ts';
import { type LookAtStep, type TouchedThings, touch } from './looking/turn.ts';
import { decidedWith, type LineEnd, leftBy, notBegun, wasNotBegun } from './words.ts';

/**
 * Runs the lines of a plan in their order, each once, as an action of its own: it is looked at once more right before, and stops the
 * plan where it is not what was agreed to, or did not work. The journal already says that the plan is running, and may say so
 * from before a crash: then it goes on where that came.
 */
type RunPlan = (asker: Listener, plan: Action, command: AnyChange) => Promise<void>;

export interface RunPlanParts extends Parts {
  readonly running: Pick<Runner, 'run'>;
  readonly applies: Pick<Applies, 'release' | 'start'>;
  readonly obstacle: Approvals['obstacle'];
  readonly lookAtStep: LookAtStep;
  readonly seeLeft: SeeLeft;
  readonly stopping: AbortSignal;
}

export function createRunPlan(parts: RunPlanParts): RunPlan {
  const { journal, commandByPhrase, notifications, sleep, stopping } = parts;

  /** When the card of a plan said last how far it has come. */
  const told = new Map<string, number>();

  return async (asker, plan) => {
    const steps = stepsIn(plan);
    const ends: (LineEnd | undefined)[] = [];
    /** Where lines before have changed something, and of which kind: what later ones hit may be another one because of that. */
    const touched: TouchedThings = new Set();
    const why = await takeDecision(parts, plan);
    if (why !== undefined) return turnAway(asker, plan, why);
    await offerStop(parts, plan);
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
    await settleDecision(parts, plan);
    for (const name of new Set(begun.flatMap(appliancesOf))) {
      const appliance = parts.appliances.get(name);
      if (appliance !== undefined) parts.applies.start(appliance);
    }
  };

  /** Somebody else has decided what becomes of the plan. */
  async function turnAway(asker: Listener, plan: Action, why: Text): Promise<void> {
    const headline = say`${why} No changes were made.`;
    const outcome = { code: 'plan_decided', ...inWords(headline) };
    const words = { headline, threadReply: { headline }, asker };
    await notifications.transitionAndNotify(plan, 'failed', { outcome }, words);
    await settleDecision(parts, plan);
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
    const stopped = await stopPressed(journal, plan);
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
      team,
      channel,
      person,
      thread,
      direct,
      line: step.line,
      phrase: step.phrase,
      effect: command.effect,
      appliance: appliancesToStore(step.targets.map(({ appliance }) => appliance)),
      args: (step.targets[0]?.args ?? {}) as JsonObject,
      state: 'asked',
      plan: plan.id,
      step: number,
      ticket: step.ticket,
      undoes: step.takesBack,
    });
    return inAction(parts, [action.id], async () => {
      const from = { ...askerIn(plan), accessRequest: isLentFor(plan, number) };
      const ready = await parts.lookAtStep(action, step, command, touched, from);
      if ('end' in ready) return turnDown(action, ready.end);
      // Whoever may not any more has it run by no plan.
      const { ticket } = action;
      const preview = shownToStore(ready.shown);
      const asStep = { ...plan, step: number, ticket, undoes: step.takesBack, preview };
      // What is on already may only have to end later.
      const does = changeOf(commandByPhrase, { ...action, preview }) ?? command;
      const others = stepsIn(plan).toSpliced(number - 1, 1);
      const obstacle = await parts.obstacle(asStep, does, others);
      if (obstacle !== undefined) {
        return turnDown(action, { kind: 'stopped', why: reasonFor(obstacle) });
      }
      await takeUndoButtons(journal, action);
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
    await settleUndoButtons(parts, action);
    if (state === 'done' || state === 'failed' || state === 'unknown') {
      await parts.seeLeft(action);
      return { kind: state, action };
    }
    const why = recalled(outcome?.says ?? '', outcome?.named);
    return outcome?.code === 'nothing_to_act_on' ? { kind: 'idle', why } : { kind: 'stopped', why };
  }

  async function turnDown(action: Action, end: LineEnd): Promise<LineEnd> {
    const outcomeCode = end.kind === 'idle' ? 'nothing_to_act_on' : 'plan_stopped';
    await journal.move(action, 'refused', {
      outcome: { code: outcomeCode, ...inWords('why' in end ? end.why : []) },
    });
    return end;
  }
}

/** How often the card says how far it has come, and how often it is looked whether a step is over, in milliseconds. */
const pace = 3_000;
const pause = 1_000;
const longestWait = 15 * 60_000;

/** What the buttons on the cards of plans and of their lines are looked up, taken and drawn with. */
type ButtonParts = Pick<Parts, 'journal' | 'notifications'>;

/** Offers Stop on the card of a running plan: the line under way is finished and read back, and no other begins. It survives a crash. */
async function offerStop(
  { journal, notifications, now }: ButtonParts & Pick<Parts, 'now'>,
  plan: Action,
): Promise<void> {
  if ((await stopButtonOf(journal, plan)) !== undefined) return;
  const content = offerToKeep({ line: `plan stop ${referenceOf(plan.id)}`, label: stopLabel });
  await journal.keep({
    kind: 'offer',
    content,
    channel: plan.channel,
    action: plan.id,
    until: now() + lifetime,
  });
  await notifications.draw(plan);
}

/** How the next line ends where somebody has pressed it. */
async function stopPressed(journal: Parts['journal'], plan: Action): Promise<LineEnd | undefined> {
  const by = (await stopButtonOf(journal, plan))?.takenBy;
  return by === undefined ? undefined : { kind: 'stopped', why: say`Stopped by ${person(by)}.`, by };
}

const stopButtonOf = async (journal: Parts['journal'], { id }: Action): Promise<Kept | undefined> =>
  (await journal.keptOf(id, 'offer')).find((kept) => isStopping(offerIn(kept)?.line ?? ''));

/** In milliseconds. */
const lifetime = 24 * 60 * 60_000;

/**
 * Of a plan that has stopped one decides: it is gone on with, rolled back, or left so. What stands for the last of these stands for the
 * decision: whoever takes it is the first, and the others are told who was. Called right before anything of the plan is sent; resolves
 * to why not, where somebody else was first.
 */
async function takeDecision({ journal }: Pick<Parts, 'journal'>, begun: Action): Promise<Text | undefined> {
  // What has begun before a crash goes on.
  if (begun.plan === undefined || (await journal.stepsOf(begun.id)).length > 0) return undefined;
  // The journal has counted it when it began to run.
  const mine = (await journal.byId(begun.id)) ?? begun;
  const runs = await runsBeside(journal, mine);
  const isNews = (one: Action) => one.state === 'running' || one.changedAt >= mine.createdAt;
  const other = runs.find((one) => one.id !== mine.plan && isNews(one) && isBefore(one, mine));
  if (other !== undefined) return decidedWith(other);
  // Whoever pressed a button has seen its card before anybody had decided.
  const card = (await journal.offerBehind(mine.id))?.action;
  for (const kept of await offersOf(journal, runs)) {
    const { line = '' } = offerIn(kept) ?? {};
    if (isLeaving(line)) {
      const why = await decide(journal, kept, mine, kept.action === card, runs);
      if (why !== undefined) return why;
    } else if (isMeant(line, mine) && kept.takenBy === undefined) {
      if ((await journal.take(kept.token, mine.person)) !== undefined)
        await journal.wasTaken(kept.token, mine.id);
    }
  }
  return undefined;
}

/** When it is over: where nothing came of it the decision is free again, and every card of the plan says how it stands. */
async function settleDecision({ journal, notifications }: ButtonParts, mine: Action): Promise<void> {
  if (mine.plan === undefined) return;
  const begun = await journal.stepsOf(mine.id);
  if (begun.every(({ state }) => state === 'refused')) await journal.releaseOf(mine.id);
  for (const run of await runsBeside(journal, mine)) await notifications.draw(run);
}

/** The plan itself, and all that has gone on with it or taken it back. */
async function runsBeside(journal: Parts['journal'], { id, plan = '' }: Action): Promise<readonly Action[]> {
  const root = await journal.byId(plan);
  const sequels = await journal.sequelsOf(plan);
  return [...(root === undefined ? [] : [root]), ...sequels.filter((one) => one.id !== id)];
}

async function offersOf(journal: Parts['journal'], runs: readonly Action[]): Promise<readonly Kept[]> {
  return (await Promise.all(runs.map(({ id }) => journal.keptOf(id, 'offer')))).flat();
}

async function decide(
  journal: Parts['journal'],
  kept: Kept,
  mine: Action,
  isOfItsCard: boolean,
  runs: readonly Action[],
): Promise<Text | undefined> {
  if (kept.became === mine.id) return undefined;
  if (kept.takenBy === undefined && (await journal.take(kept.token, mine.person)) !== undefined) {
    await journal.wasTaken(kept.token, mine.id);
    return undefined;
  }
  const taken = await journal.kept(kept.token);
  if (taken?.takenBy === undefined || taken.became === mine.id) return undefined;
  // What was left so some time ago can be taken back all the same, by whoever types that.
  if (!isOfItsCard && (taken.takenAt ?? 0) < mine.createdAt) return undefined;
  // What has just taken it may not have said so yet.
  const other =
    taken.became === undefined
      ? runs.find(({ state, person: by }) => state === 'running' && by === taken.takenBy)
      : await journal.byId(taken.became);
  if (other !== undefined) return decidedWith(other);
  return taken.became === undefined ? leftBy(taken.takenBy) : undefined;
}

/** Whether an offer is what that plan is itself: all that is done of one is rolled back, wherever its button stands. */
const isMeant = (line: string, { phrase, undoes }: Action): boolean =>
  undoes === undefined
    ? phrase?.startsWith('plan continue') === true && line.startsWith('plan continue ')
    : line.startsWith('plan rollback ');

/** Whether that one has decided what becomes of a plan before this one, which has just begun to run. */
const isBefore = (one: Action, mine: Action): boolean =>
  one.state === 'done' ||
  one.state === 'unknown' ||
  (one.state === 'running' && (byRun(one, mine) || (one.id < mine.id ? -1 : 1)) < 0);

/** Takes the button on the card of what a step takes back before the step is sent, so that nobody takes it back a second time. */
async function takeUndoButtons(journal: Parts['journal'], step: Action): Promise<void> {
  if (step.undoes === undefined) return;
  for (const kept of await journal.keptOf(step.undoes, 'offer')) {
    const offer = offerIn(kept);
    const on = undoBehind(offer?.line)?.on ?? [];
    const isItsOwn = on.length > 0 && on.every((name) => appliancesOf(step).includes(name));
    if (!offer?.undo || !isItsOwn || kept.takenBy !== undefined) continue;
    if ((await journal.take(kept.token, step.person)) !== undefined)
      await journal.wasTaken(kept.token, step.id);
  }
}

/** When it is over: what it did not take back can be undone by its button again, and its card says which it is. */
async function settleUndoButtons({ journal, notifications }: ButtonParts, step: Action): Promise<void> {
  if (step.undoes === undefined) return;
  if (step.state === 'failed' || step.state === 'refused') await journal.releaseOf(step.id);
  const origin = await journal.byId(step.undoes);
  if (origin?.card !== undefined) await notifications.draw(origin);
}
