import type { CompileAnswer } from '../../handlers/applied.ts';
import type { AnyChange } from '../../handlers/command.ts';
import type { OnAppliance } from '../../handlers/context.ts';
import {
  enumerate,
  type Part,
  person,
  plainText,
  type Reply,
  say,
  strong,
  type Text,
} from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import { isLookedForAgain } from '../../journal/actions/states.ts';
import type { Action, Outcome, ToSend } from '../../journal/journal.ts';
import { JournalUnavailable } from '../../journal/unavailable.ts';
import type { Listener } from '../base/chat.ts';
import { replied, repliesOf } from '../base/request-log.ts';
import { siteRequestOf } from '../base/site-request.ts';
import { appliancesOf, shownOf, type Target, targetsIn } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import type { ApplianceLocks, ApplianceTurn } from '../lock/appliance-locks.ts';
import { doingIn } from '../showing/card.ts';
import { takenBackBy } from '../showing/kept-offer.ts';
import { doingOnAll } from '../showing/previews.ts';
import { overForAskers, tellAskers } from '../showing/site-askers.ts';
import { ofTheSame } from '../target/identity.ts';
import { type ResolvedTarget, resolvedFrom } from '../target/target.ts';
import { explain, type Fault, journalFault } from '../wording/faults.ts';
import { inFewLines, isRepetition, saidIn, saidParts } from '../wording/said.ts';
import type { Applies } from './apply.ts';
import {
  answerIn,
  type Execution,
  execute,
  isLost,
  isNeverSent,
  lookAgain,
  maybeShownLater,
  neverSent,
  type Order,
  readBack,
  Stopped,
  shownWithinOf,
  stoppable,
} from './execute.ts';
import {
  type Conclusion,
  conclude,
  concludeAll,
  interrupted,
  isLaunched,
  stumble,
  tooLate,
  unwritten,
} from './outcome.ts';
import { whyChanged } from './question.ts';
import type { Supervision } from './supervision.ts';
import { offerUndo } from './undo.ts';

/** Runs a confirmed change once on each of its appliances, and tells how it ended. The journal already says that it is running. */
export type Run = (asker: Listener, running: Action, command: AnyChange) => Promise<void>;

export interface Runner {
  readonly run: Run;
  /** Ends what a crash left behind, by reading back; nothing is sent again. */
  readonly lookAfter: (unknown: Action, command: AnyChange) => Promise<void>;
}

/** What became of a change on one appliance. */
interface Result {
  readonly resolved: ResolvedTarget;
  readonly execution: Execution;
  readonly conclusion: Conclusion;
  /** The bot itself goes on with it, until it is seen to have happened (`timed/`). */
  readonly minded: boolean;
}

const isLate = ({ execution, minded }: Result): boolean => !minded && maybeShownLater(execution);

/** How often the card says how far something has come, in milliseconds (slack-facts.md §4). */
const progressPace = 3_000;

export function createRunner(
  parts: Parts & {
    readonly applies: Applies;
    readonly supervision: Supervision;
    readonly locks: ApplianceLocks;
    readonly stopping: AbortSignal;
    /** Why somebody must not have it run any more. */
    readonly obstacle: (action: Action, command: AnyChange) => Promise<Fault | undefined>;
  },
): Runner {
  const { appliances, journal, notifications, contexts, secretStore, applies, supervision, now } = parts;
  const pause = stoppable(parts.sleep, parts.stopping);

  return {
    run: async (asker, running, command) => {
      try {
        const obstacle = await begin(running, command);
        if (obstacle !== undefined) return await close(asker, running, obstacle);
        const results = await onEach(running, command, (context, target, resolved) => {
          const turn = turnOf(parts, running, command, resolved, context.progress);
          return execute(ofTheSame(command), context, target.fingerprint, pause, turn);
        });
        await seeThrough(asker, running, command, results);
      } catch (error) {
        if (error instanceof Stopped) return;
        const { outcome } = stumble(running, command);
        const unknown = await journal.move(running, 'unknown', { outcome, held: true });
        const look = unknown && lookAt(asker, unknown, command, () => stumbled);
        const another = await look?.catch((second: unknown) => second);
        // It has been told what is certain; that nothing was done is not.
        if (!(error instanceof JournalUnavailable)) throw error;
        if (another !== undefined) throw another;
      } finally {
        supervision.released(running);
        await secretStore.forget(running.id);
      }
    },

    lookAfter: async (unknown, command) => {
      const events = await journal.eventsOf(unknown.id);
      const wasStopped = unknown.outcome?.code === interrupted;
      return lookAt(unknown, unknown, command, (appliance) => {
        const known = answerIn(events, appliance);
        return isLost(known.order) && !wasStopped ? { ...known, order: { kind: 'open' } } : known;
      });
    },
  };

  async function lookAt(
    asker: Listener,
    unknown: Action,
    command: AnyChange,
    answerOf: (appliance: string) => ReturnType<typeof answerIn>,
  ): Promise<void> {
    try {
      const results = await onEach(unknown, command, (context, { appliance, fingerprint }) => {
        const { order, learned, replies } = answerOf(appliance);
        for (const words of replies) replied({ appliance, words });
        const known = { ...fingerprint, ...learned };
        if (isNeverSent(command, order, known)) return neverSent(known);
        return readBack(ofTheSame(command), context, known, pause, order);
      });
      // Whoever looks at what has ended, looks once.
      const isOpen = unknown.outcome?.code === interrupted || isLookedForAgain(unknown);
      await (isOpen ? seeThrough : finish)(asker, unknown, command, results);
    } catch (error) {
      if (error instanceof Stopped) return;
      // Looking went wrong, too: it is left to people, and is over.
      await close(asker, unknown, stumble(unknown, command));
      throw error;
    }
  }

  /** What must end by itself has an end that is written down, or it does not begin. */
  async function begin(running: Action, command: AnyChange): Promise<Conclusion | undefined> {
    try {
      const taken = await supervision.begin(running, command);
      return taken === undefined ? undefined : tooLate(command, running, taken);
    } catch (error) {
      if (!(error instanceof JournalUnavailable)) throw error;
      const conclusion = unwritten(doingIn(command, targetsIn(running)), journalFault(error));
      const results = targetsIn(running).map(({ appliance }) => ({ appliance, conclusion }));
      await supervision.settle(running, command, results);
      return conclusion;
    }
  }

  /**
   * Ends a change, once all of it was seen. The bot looks again at what was accepted and is not visible yet, for as long as the command
   * declares. A stop breaks this off, and the next start goes on with it.
   */
  async function seeThrough(
    asker: Listener,
    action: Action,
    command: AnyChange,
    results: readonly Result[],
  ): Promise<void> {
    // So long it was looked at before.
    const { lasts = 0 } = command;
    const since = (isLookedForAgain(action) ? action.changedAt : now()) - lasts;
    const until = since + shownWithinOf(command);
    if (!results.some(isLate) || until <= now()) return finish(asker, action, command, results);
    const waiting = isLookedForAgain(action) ? action : await wait();
    if (waiting === undefined) return finish(asker, action, command, results);
    const seen = await onEach(waiting, command, (context, { appliance }) => {
      const before = results.find(({ resolved }) => resolved.appliance.name === appliance);
      if (before === undefined) throw new Error(`${appliance} was not looked at`);
      return isLate(before)
        ? lookAgain(ofTheSame(command), context, before.execution, pause, now() - since)
        : Promise.resolve(before.execution);
    });
    await finish(asker, waiting, command, seen);

    /** Says so on the card. The bot has the change compiled now: that need not wait until it is visible. */
    async function wait(): Promise<Action | undefined> {
      const changed = results.filter(mayHaveChanged);
      await noteApplies(changed, command, action);
      const { outcome, headline, threadReply } = concluded(command, results, action, until);
      const shown = { outcome: withEvidence(outcome, threadReply), held: true };
      const moved = await notifications.transitionAndNotify(action, 'unknown', shown, { headline, asker });
      if (action.step === undefined) for (const { resolved } of changed) applies.start(resolved.appliance);
      return moved;
    }
  }

  async function onEach(
    action: Action,
    command: AnyChange,
    does: (
      context: ReturnType<typeof contexts.acting>,
      target: Target,
      resolved: ResolvedTarget,
    ) => Promise<Execution>,
  ): Promise<readonly Result[]> {
    const tell = tellOn(action);
    // Where one breaks off, the others are still under way, and what they do is waited for.
    const results = await Promise.allSettled(
      targetsIn(action).map(async (target): Promise<Result> => {
        const appliance = appliances.get(target.appliance);
        if (appliance === undefined) throw new Error(`${target.appliance} is not connected`);
        const resolved = resolvedFrom(target, appliance);
        const minded = await supervision.supervises(command, appliance.name);
        const execution = await does(contexts.acting(action, resolved, tell), target, resolved);
        const conclusion = conclude(command, resolved.args, appliance.name, execution, { minded });
        return {
          resolved,
          execution,
          minded,
          conclusion: withWords(conclusion, wordsOn(appliance.name, execution, conclusion)),
        };
      }),
    );
    return results.map((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    });
  }

  /** Notes what must be compiled. An order that nobody answered, and that did nothing so far, leaves nothing to compile. */
  async function noteApplies(changed: readonly Result[], command: AnyChange, action: Action): Promise<void> {
    const there = changed.filter((result) => result.execution.kind !== 'not_yet' || isLate(result));
    for (const { resolved } of there) {
      await applies.add(resolved.appliance, command.requires?.(resolved.args) ?? [], action);
    }
  }

  /** What is told of all of them together. `until`: so long it is looked again. */
  function concluded(
    command: AnyChange,
    results: readonly Result[],
    action: Action,
    until?: number,
  ): Conclusion {
    const each = results.map(({ resolved: { args }, execution: { fingerprint } }) => ({ args, fingerprint }));
    return concludeAll(
      doingOnAll(command, each) ?? command.verb,
      results.map((result) => {
        const { resolved, execution, conclusion } = result;
        const { name } = resolved.appliance;
        return {
          appliance: name,
          conclusion:
            until !== undefined && isLate(result)
              ? conclude(command, resolved.args, name, execution, { until })
              : conclusion,
        };
      }),
      shownOf(action)?.left,
    );
  }

  async function finish(
    asker: Listener,
    running: Action,
    command: AnyChange,
    results: readonly Result[],
  ): Promise<void> {
    const ending = concluded(command, results, running);
    // What may have happened may have to be compiled, too.
    const changed = results.filter(mayHaveChanged);
    await offerUndo(
      parts,
      running,
      command,
      changed.filter(({ conclusion }) => conclusion.state !== 'unknown'),
    );
    // Before the journal says that it is over, so that a crash in between cannot lose it. For a change that was not visible at once,
    // `seeThrough` has noted it.
    if (!isLookedForAgain(running)) await noteApplies(changed, command, running);
    await supervision.settle(
      running,
      command,
      results.map(({ resolved, conclusion, execution: { fingerprint } }) => ({
        appliance: resolved.appliance.name,
        conclusion,
        undo: command.undo?.(resolved.args, fingerprint),
      })),
    );
    await close(asker, running, ending);
    await supervision.after(running, command);
    for (const { resolved, execution, conclusion } of changed) {
      const compiled =
        conclusion.state === 'done' ? command.satisfies?.(resolved.args, execution.fingerprint) : [];
      // Whatever was changed while it was under way may have come too late for it.
      const answer = 'order' in execution ? compileAnswerOf(execution.order) : 'unconfirmed';
      await applies.settled(resolved.appliance, compiled ?? [], running.createdAt, answer);
      if (running.step === undefined) applies.start(resolved.appliance);
    }
  }

  async function close(asker: Listener, running: Action, ending: Conclusion): Promise<void> {
    const { state, outcome, headline, threadReply: told } = ending;
    const also = state === 'done' ? await tellUndone(running) : [];
    const words = { headline, threadReply: told, asker, also };
    const shown = { outcome: withEvidence(outcome, told) };
    if ((await notifications.transitionAndNotify(running, state, shown, words)) === undefined) {
      // Another replica took this one for dead, and said that it is unknown: what corrects that is news, and told below the card.
      const current = await journal.byId(running.id);
      if (current?.state === 'unknown')
        await notifications.transitionAndNotify(current, state, { outcome }, words);
    }
    await drawUndone(running);
  }

  /** Who asked for a site that this takes back. Of what has an end of its own they hear when it is over. */
  async function tellUndone(undo: Action): Promise<readonly ToSend[]> {
    const { undoes, person: by } = undo;
    const undone = undoes === undefined ? undefined : await journal.byId(undoes);
    const request = undone && siteRequestOf(undone);
    if (undone === undefined || request === undefined) return [];
    if ((await journal.timedChangesOf(undone.id)).length > 0) return [];
    const on = appliancesOf(undo);
    const where = on.length === appliancesOf(undone).length ? [] : say` on ${enumerate(on.map(strong))}`;
    const how = say`${person(by)} undid it${where} at ${when(now(), now())}`;
    return tellAskers(undone, overForAskers(request, how));
  }

  /**
   * Whether a card is undone is told by how what takes it back has ended. Nothing hangs on it. Where nobody was asked before,
   * and nothing came in between, the click on Undo draws it (`offers.ts`).
   */
  async function drawUndone({ id, token, state }: Action): Promise<void> {
    if (token === undefined && state !== 'unknown') return;
    try {
      const undone = await takenBackBy(journal, id);
      if (undone !== undefined) await notifications.draw(undone);
    } catch (error) {
      if (!(error instanceof JournalUnavailable)) throw error;
    }
  }

  /** Says on the card how far it has come, now and then; and what has gone wrong, at once and from then on. */
  function tellOn(action: Action): Pick<OnAppliance<never>, 'progress' | 'trouble'> {
    let last = 0;
    let notice: Text | undefined;
    let progress: Text | undefined;
    const draw = () => void notifications.draw(action, { notice, progress }).catch(() => undefined);
    return {
      progress: (words) => {
        if (now() - last < progressPace) return;
        last = now();
        progress = words;
        draw();
      },
      trouble: (words) => {
        notice = notice === undefined ? words : say`${notice} ${words}`;
        progress = undefined;
        draw();
      },
    };
  }
}

const compileAnswerOf = (order: Order): CompileAnswer =>
  isLaunched(order) ? 'launched' : order.kind === 'accepted' ? 'accepted' : 'unconfirmed';

/** With what stands on the card itself, where it is short enough. */
function withEvidence(outcome: Outcome, told: Reply): Outcome {
  const evidence = inFewLines(told);
  return evidence === undefined ? outcome : { ...outcome, evidence };
}

const mayHaveChanged = ({ conclusion, execution }: Result): boolean =>
  conclusion.state !== 'failed' || execution.kind === 'in_part';

/** What the appliance itself said, where the sentence does not quote it already, and it adds to what was verified. */
function wordsOn(
  appliance: string,
  execution: Execution,
  { outcome, headline, evidence = [] }: Conclusion,
): readonly Part[] {
  const replies = repliesOf(appliance).filter(
    (reply) => outcome.code !== 'checked' || !isRepetition(reply, [headline, evidence]),
  );
  const order = 'order' in execution ? execution.order : undefined;
  return order?.kind === 'failed' && replies.length === 1
    ? saidIn(appliance, order.failure)
    : saidParts(appliance, replies);
}

/** With what the appliance itself said. A log that the command shows is all of that. */
function withWords(conclusion: Conclusion, said: readonly Part[]): Conclusion {
  const { headline, details = [] } = conclusion.threadReply;
  const isLogged = details.some(({ kind }) => kind === 'log');
  const words = isLogged ? said.filter(({ kind }) => kind !== 'log') : said;
  return { ...conclusion, threadReply: { headline, details: [...words, ...details] } };
}

const stumbled = { order: { kind: 'stumbled' }, learned: {}, replies: [] } as const;

interface TurnParts extends Parts {
  readonly locks: ApplianceLocks;
  /** Why somebody must not have it run any more. */
  readonly obstacle: (action: Action, command: AnyChange) => Promise<Fault | undefined>;
}

/** The turn of a confirmed change on one of its appliances. `progress` says what it waits for. */
const turnOf = (
  parts: TurnParts,
  running: Action,
  command: AnyChange,
  { appliance: { name }, args }: ResolvedTarget,
  progress: (words: Text) => void,
): ApplianceTurn =>
  parts.locks.forChange(name, running, command, args, {
    progress,
    isFresh: running.runAt === undefined,
    obstacle: (isLate) => sinceAgreed(parts, running, command, name, isLate),
  });

/** Checks once more what the change hits, and after a long wait whether its person may still run it. Resolves to why not. */
async function sinceAgreed(
  parts: TurnParts,
  running: Action,
  command: AnyChange,
  appliance: string,
  isLate: boolean,
): Promise<string | undefined> {
  // What a plan runs, its plan has been allowed.
  const fault = isLate && running.plan === undefined ? await parts.obstacle(running, command) : undefined;
  return fault === undefined
    ? whyChanged(parts, running, command, appliance)
    : `It waited for other changes, and you can no longer run it. ${plainText(explain(fault).headline)}`;
}
