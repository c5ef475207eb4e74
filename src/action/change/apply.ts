import { type Appliance, isApplianceFailure } from '../../api/index.ts';
import {
  type Applied,
  answerOf,
  type CompileAnswer,
  compile,
  inOrder,
  type NamedApplied,
  namedIn,
  namesOfApplied,
} from '../../handlers/applied.ts';
import { enumerate, person, plainText, say, type Text } from '../../handlers/reply.ts';
import { pauseAfter } from '../../journal/claims.ts';
import type { Action, PendingApply, TimedChangeRow, ToSend } from '../../journal/journal.ts';
import { inAction } from '../base/request-log.ts';
import { siteRequestOf } from '../base/site-request.ts';
import { argsOn, shownOf } from '../base/stored.ts';
import type { WorkInFlight } from '../base/work-in-flight.ts';
import type { Parts } from '../ground/ground.ts';
import type { ApplianceLocks } from '../lock/appliance-locks.ts';
import { endOf } from '../lookup/for-a-time.ts';
import { type NotCompiled, tellLive, tellNotLive } from '../showing/live.ts';
import { mentionedAtEnd, type OutcomeMention } from '../showing/mentioned.ts';
import { allowedForAskers, tellAskers } from '../showing/site-askers.ts';
import { identityOn, otherAppliance } from '../target/identity.ts';
import { otherAt } from '../target/target.ts';
import { applianceFailure } from '../wording/appliance-failures.ts';

/**
 * Changes that are not live yet (docs/decisions, rule 8): one compile for a burst of changes per appliance, remembered across
 * restarts, and told in the thread of each change when it is live.
 */
export interface Applies {
  /** Notes that a change of this action must be applied. What is a step of a plan waits for the end of that, but not for ever. */
  readonly add: (
    appliance: Appliance,
    what: readonly Applied[],
    action: Pick<Action, 'id' | 'step'>,
  ) => Promise<void>;
  /** These steps wait for nothing any more: their plan is about to end. */
  readonly release: (steps: readonly Action[]) => Promise<void>;
  /** Applies what is pending on the appliance, when the burst is over. */
  readonly start: (appliance: Appliance) => void;
  /** Somebody has compiled these by hand, and with them all changes that were made before `since`. */
  readonly settled: (
    appliance: Appliance,
    what: readonly Applied[],
    since: number,
    answer: CompileAnswer,
  ) => Promise<void>;
  /** Applies what is due: what a stop, a crash or a failure has left. */
  readonly tick: () => Promise<void>;
  /** Starts nothing more; what is pending stays in the journal. */
  readonly stop: () => void;
}

/** In milliseconds: so long nothing must have changed, and so long the first change of a burst waits at most. */
const burst = { quiet: 5_000, longest: 30_000 };
/** So long a step of a plan is not compiled while its plan runs, at most: a plan may wait for somebody. In milliseconds. */
const longestHeld = 5 * 60_000;

export function createApplies(
  parts: Parts & { readonly locks: ApplianceLocks },
  later: WorkInFlight['later'],
): Applies {
  const { journal, appliances, outbox, locks, contexts, now, sleep } = parts;
  const busy = new Set<string>();
  /** Changed while this one was at it, so that it looks once more. */
  const again = new Set<string>();
  /** The waits that a stop ends. */
  const waits = new Set<() => void>();
  /** How many are settling what was compiled by hand. */
  let settling = 0;
  let stopped = false;

  return {
    add: async ({ name: appliance }, what, { id: action, step }) => {
      const later = step === undefined ? {} : { nextTryAt: now() + longestHeld };
      for (const one of what) await journal.addPendingApply({ appliance, what: one, action, ...later });
    },

    release: (steps) => journal.expediteApplies(steps.map(({ id }) => id)),

    start: wake,

    settled: async (appliance, what, since, answer) => {
      if (what.length === 0) return;
      const pending = await journal.pendingApplies(appliance.name);
      const isIn = (row: PendingApply) => row.since <= since && what.includes(whatOf(row));
      // Filtering rules that were compiled before their category were compiled too early.
      const early = new Set(
        pending.filter((row) => !isIn(row) && whatOf(row) !== 'filter').map(({ action }) => action),
      );
      const compiled = pending.filter(
        (row) => isIn(row) && !(whatOf(row) === 'filter' && early.has(row.action)),
      );
      settling += 1;
      try {
        await settle(
          appliance,
          await journal.startApply(appliance.name, idsOf(compiled)),
          new Map(what.map((one) => [one, answer])),
        );
      } finally {
        settling -= 1;
      }
    },

    tick: async () => {
      const pending = await journal.pendingApplies();
      await takeUp(pending);
      const due = pending.filter(isDue);
      for (const name of new Set(due.map(({ appliance }) => appliance))) {
        const appliance = appliances.get(name);
        if (appliance !== undefined) wake(appliance);
      }
    },

    stop: () => {
      stopped = true;
      for (const end of waits) end();
    },
  };

  /** What this one has claimed and nobody is at: whoever was has failed, or never heard that it was claimed. */
  async function takeUp(pending: readonly PendingApply[]): Promise<void> {
    if (settling > 0) return;
    for (const { id, appliance, heldBy, tries } of pending) {
      if (heldBy !== journal.replica || busy.has(appliance)) continue;
      await journal.failApply([id], 'It did not complete.', afterFailures(tries + 1));
    }
  }

  function afterFailures(tries: number): number {
    return now() + pauseAfter(tries, 'pending_applies');
  }

  function isDue({ state, nextTryAt }: PendingApply): boolean {
    return state === 'pending' && nextTryAt <= now();
  }

  /** One worker an appliance here, and one of all replicas at a time. */
  function wake(appliance: Appliance): void {
    const { name } = appliance;
    if (stopped) return;
    if (busy.has(name)) {
      again.add(name);
      return;
    }
    busy.add(name);
    later(async () => {
      try {
        // What was changed while it compiled is a burst of its own.
        while (await isQuiet(name)) {
          // Where its turn does not come, it is tried again with the next look at the clock.
          const done = await locks.forCompile(name, () => applyBurst(appliance));
          if (done?.value !== 'applied') break;
        }
      } finally {
        busy.delete(name);
      }
      if (again.delete(name)) wake(appliance);
    });
  }

  /** Resolves when nothing was changed for a while; to whether there is anything to be applied. */
  async function isQuiet(name: string): Promise<boolean> {
    const began = now();
    for (;;) {
      const due = (await journal.pendingApplies(name)).filter(isDue);
      if (stopped || due.length === 0) return false;
      const since = now() - Math.max(...due.map((row) => row.since));
      // Changed later than now: the clock was set back, and says nothing about it.
      if (since < 0 || since >= burst.quiet || now() - began >= burst.longest) return true;
      const halted = Promise.withResolvers<void>();
      waits.add(halted.resolve);
      await Promise.race([sleep(burst.quiet - since), halted.promise]);
      waits.delete(halted.resolve);
    }
  }

  /** `left`: another replica may have taken it over. */
  async function applyBurst(appliance: Appliance): Promise<'applied' | 'left'> {
    const { name } = appliance;
    const claimed = await journal.startApply(name);
    const compiled: PendingApply[] = [];
    const answers = new Map<Applied, CompileAnswer>();
    /** The actions of which something could not be compiled, and why: what comes after that has to wait for it. */
    const held = new Map<string, { readonly problem: string; readonly nextTryAt: number }>();
    const others = await madeElsewhere(appliance, claimed);
    for (const what of inOrder(claimed.map(whatOf))) {
      const rows = claimed.filter((row) => whatOf(row) === what);
      const [ready, waiting] = [
        rows.filter(({ action }) => !held.has(action)),
        rows.filter(({ action }) => held.has(action)),
      ];
      for (const row of waiting) {
        const { problem = '', nextTryAt = now() } = held.get(row.action) ?? {};
        await journal.failApply([row.id], problem, nextTryAt);
      }
      for (const [why, those] of Map.groupBy(ready, (row) => others.get(row.action)))
        if (why !== undefined) await fail(those, { why, mayBe: false });
      const own = ready.filter((row) => !others.has(row.action));
      if (own.length === 0) continue;
      const actions = [...new Set(own.map(({ action }) => action))];
      const answer = await inAction(parts, actions, () => tryCompile(appliance, what));
      if (answer === 'left') return 'left';
      if ('answer' in answer) {
        answers.set(what, answer.answer);
        compiled.push(...own);
      } else await fail(own, answer);
    }
    await settle(appliance, compiled, answers);
    return 'applied';

    async function fail(ready: readonly PendingApply[], answer: NotCompiled): Promise<void> {
      const tries = Math.max(...ready.map((row) => row.tries + 1));
      const nextTryAt = afterFailures(tries);
      const problem = plainText(answer.why);
      const failed = await actionsOf(ready);
      const messages =
        tries === 1
          ? tellNotLive(
              failed,
              { appliance: name, what: namesOfApplied(await namedOf(ready)) },
              answer,
              nextTryAt,
              await mentionsOf(failed.values()),
            )
          : [];
      await journal.failApply(idsOf(ready), problem, nextTryAt, messages);
      await outbox.deliver(messages);
      for (const { action } of ready) held.set(action, { problem, nextTryAt });
    }
  }

  /** Those of the actions that were carried out on another appliance than the one that answers there now, and how it differs. */
  async function madeElsewhere(
    appliance: Appliance,
    rows: readonly PendingApply[],
  ): Promise<ReadonlyMap<string, Text>> {
    const others = new Map<string, Text>();
    const { name } = appliance;
    const ids = [...new Set(rows.map(({ action }) => action))];
    const all = (await Promise.all(ids.map((id) => journal.byId(id)))).flatMap((action) => action ?? []);
    const told = all.filter((action) => identityOn(action, name) !== undefined);
    const [first] = told;
    if (first === undefined) return others;
    // One question for all of them, as long as nothing differs.
    const context = contexts.asking(first, { appliance, args: {} as never });
    const now = await context.identity(identityOn(first, name));
    for (const action of told) {
      if (otherAppliance(name, identityOn(action, name), now) === undefined) continue;
      const other = await otherAt(contexts, appliance, action);
      if (other !== undefined)
        others.set(action.id, say`${other} Nothing is compiled there for this change.`);
    }
    return others;
  }

  async function tryCompile(
    appliance: Appliance,
    what: Applied,
  ): Promise<{ readonly answer: CompileAnswer } | NotCompiled | 'left'> {
    try {
      return { answer: answerOf(await compile(appliance, what)) };
    } catch (error) {
      if (!isApplianceFailure(error)) throw error;
      if (error.code === 'withheld') return 'left';
      return { why: applianceFailure(appliance.name, error), mayBe: error.mayHaveHappened };
    }
  }

  /** With what their categories are called, which the changes know that they are pending for. */
  function namedOf(rows: readonly PendingApply[]): Promise<readonly NamedApplied[]> {
    return Promise.all(
      rows.map(async (row) => namedIn(whatOf(row), argsOn(await journal.byId(row.action), row.appliance))),
    );
  }

  async function settle(
    { name }: Appliance,
    compiled: readonly PendingApply[],
    answers: ReadonlyMap<Applied, CompileAnswer>,
  ): Promise<void> {
    let messages: readonly ToSend[] = [];
    const names = await namedOf(compiled);
    const actions = await actionsOf([...compiled, ...(await journal.pendingApplies())]);
    const undone = await undoneAmong(actions.values(), name);
    const mentions = await mentionsOf(actions.values());
    const allowed = await allowedSites(actions.values());
    await journal.settleApply(name, idsOf(compiled), now(), (live, left, isNoted) => {
      const told = tellLive({
        appliance: name,
        live,
        left,
        answers,
        names,
        undone,
        mentions,
        at: now(),
        actions: isNoted ? actions : new Map(),
      });
      // What the bot has undone at its end is compiled as well.
      const isLive = (id: string) =>
        live.some(({ action }) => action === id) &&
        !left.some(({ action }) => action === id) &&
        !undone.has(id);
      const askers = [...allowed].flatMap(([id, tell]) => (isLive(id) ? tell : []));
      messages = [...told.messages, ...askers];
      return { ...told, messages };
    });
    await outbox.deliver(messages);
  }

  /** The outcome of what has failed, or may have happened, was told when it ended. */
  async function mentionsOf(actions: Iterable<Action>): Promise<ReadonlyMap<string, OutcomeMention>> {
    const all = [...actions].filter(({ state }) => state === 'running' || state === 'done');
    const found = await Promise.all(
      all.map(async (action) => [action.id, await mentionedAtEnd(parts, action, 'done')] as const),
    );
    return new Map(found.flatMap(([id, mention]) => (mention === undefined ? [] : [[id, mention]])));
  }

  /** By action, what those are told who asked for the site that it allows. */
  async function allowedSites(actions: Iterable<Action>): Promise<ReadonlyMap<string, readonly ToSend[]>> {
    const told = new Map<string, readonly ToSend[]>();
    for (const action of actions) {
      const request = siteRequestOf(action);
      if (request === undefined || (action.state !== 'running' && action.state !== 'done')) continue;
      const until = endOf(await journal.timedChangesOf(action.id));
      const given = await journal.approvalsOf(action.id, action.token ?? '');
      const by = say`Approved by ${enumerate(given.map((one) => person(one.person)))}.`;
      told.set(action.id, tellAskers(action, allowedForAskers(request, until, by, now())));
    }
    return told;
  }

  async function undoneAmong(actions: Iterable<Action>, appliance: string): Promise<ReadonlySet<string>> {
    const temporary = [...actions].filter((action) => shownOf(action)?.temporary !== undefined);
    const rows = await Promise.all(temporary.map(({ id }) => journal.timedChangesOf(id)));
    const isOrdered = (row: TimedChangeRow) => row.appliance === appliance && row.orders > 0;
    return new Set(rows.flat().flatMap((row) => (isOrdered(row) ? [row.action] : [])));
  }

  /** Those that it is pending for, and the plans that they are steps of. */
  async function actionsOf(rows: readonly PendingApply[]): Promise<ReadonlyMap<string, Action>> {
    const ids = [...new Set(rows.map(({ action }) => action))];
    const found = (await Promise.all(ids.map((id) => journal.byId(id)))).flatMap((action) => action ?? []);
    const plans = new Set(found.flatMap(({ plan, step }) => (step === undefined ? [] : (plan ?? []))));
    const all = [...found, ...(await Promise.all([...plans].map((id) => journal.byId(id))))];
    return new Map(all.flatMap((action) => (action === undefined ? [] : [[action.id, action]])));
  }
}

// Only `Applied` values are ever pending.
const whatOf = ({ what }: PendingApply) => what as Applied;
const idsOf = (rows: readonly PendingApply[]) => rows.map(({ id }) => id);
