import { nameOf } from '../../handlers/command-name.ts';
import { type Offer, plainText, say, type Text } from '../../handlers/reply.ts';
import { pauseAfter } from '../../journal/claims.ts';
import type { Action, Ended, TimedChangeRow } from '../../journal/journal.ts';
import { rowNow } from '../../journal/timed/timed-change-row.ts';
import { endFailed, leftToPeople, peopleCalled, timedOver } from '../../telemetry/events/actions.ts';
import type { Log } from '../../telemetry/log.ts';
import { inAction } from '../base/request-log.ts';
import { appliancesOf, changeOf, shownOf } from '../base/stored.ts';
import type { WorkInFlight } from '../base/work-in-flight.ts';
import type { Applies } from '../change/apply.ts';
import type { Conclusion } from '../change/outcome.ts';
import type { Supervision } from '../change/supervision.ts';
import type { Parts } from '../ground/ground.ts';
import { endWithRecord, recordOfTry, type TimedOrigin } from '../history/end-record.ts';
import type { ApplianceLocks } from '../lock/appliance-locks.ts';
import { isTimed, writeEnds } from './begin.ts';
import { createTryToEnd } from './end.ts';
import { createTimedNotices } from './notices.ts';
import { createEndTogether, inTurns } from './of-plan.ts';
import { tellWhatIsShared } from './pass-on.ts';
import { createLookAtChange } from './put-back.ts';
import { createLookAgain, createTouched } from './touched.ts';

import { passOnUndone, tellKeepers } from './undone.ts';
import { createEndWaitingMoves } from './waiting-moves.ts';

/**
 * What must not last: changes that say when they are over (`Timed`), and those that somebody made temporary, which what takes
 * them back ends (`put-back.ts`). Their end is written down before the order leaves, and from then on nothing but being seen over ends it: not a restart, not a failure, not the time.
 */
export interface TimedChanges extends Supervision {
  /** At the start and before anything else: what is over by now is ended. */
  readonly resume: () => Promise<void>;
  /** Reminds, ends and reports what is due. */
  readonly tick: () => Promise<void>;
  /** Begins nothing more; what is on stays in the journal. */
  readonly stop: () => void;
}

const minutes = 60_000;
/** In milliseconds: how long before the end people are reminded of it. */
const ahead = 5 * minutes;

export function createTimedChanges(
  given: Parts & { readonly applies: Applies; readonly locks: ApplianceLocks; readonly log: Log },
  later: WorkInFlight['later'],
): TimedChanges {
  const lookAtChange = createLookAtChange(given);
  const parts = { ...given, lookAtChange };
  const { commandByPhrase, journal, now, log } = parts;
  const tryToEnd = createTryToEnd(parts);
  const telling = createTimedNotices(parts);
  const endEach = createEndTogether(parts, end);
  const endWaitingMoves = createEndWaitingMoves(parts);
  const lookAgain = createLookAgain(parts);
  const touched = createTouched({ ...parts, lookAgain });
  /** Those whose order is under way: ended before it has arrived, it would begin after its end. */
  const beginning = new Map<string, PromiseWithResolvers<void>>();
  let stopped = false;

  return {
    begin: async (running, { timed }) => {
      if (!isTimed(running, timed)) return undefined;
      beginning.set(running.id, Promise.withResolvers());
      const taken = await writeEnds(parts, running, timed);
      if (taken !== undefined) begun(running.id);
      return taken;
    },

    before: touched.before,

    // The phrase that ends it is what such a change is known by.
    supervises: async ({ phrase }, appliance) => (await journal.timedChange(appliance, phrase)) !== undefined,

    settle: async (action, command, results) => {
      const live = await journal.timedChanges();
      for (const { appliance, conclusion, undo } of results) {
        if (conclusion.state === 'failed') await journal.voidTimedChange(action.id, appliance);
        const there = live.filter((timedChange) => timedChange.appliance === appliance);
        const back = there.length === 0 || undo === undefined ? undefined : parts.match(undo);
        for (const timedChange of there) {
          if (timedChange.action === action.id) {
            if (undo !== undefined) await journal.undoesTimedChange(timedChange.id, undo);
          } else if (timedChange.subject === command.phrase) await endedBy(timedChange, action, conclusion);
          else await touched.by(timedChange, { action, command, state: conclusion.state, undo, back });
        }
        await passOnUndone(parts, action, appliance, conclusion);
        await tellKeepers(parts, action, appliance, conclusion);
      }
      touched.forget(action.id);
      begun(action.id);
    },

    after: async (action, { timed }) => {
      if (timed !== undefined || shownOf(action)?.temporary !== undefined) await see(action);
      const on = appliancesOf(action);
      const live = await journal.timedChanges();
      for (const timedChange of live) {
        const extension = timedChange.extensions.find((one) => one.action === action.id);
        if (extension === undefined || !on.includes(timedChange.appliance)) continue;
        await telling.extended(timedChange, extension);
        await endWaitingMoves(timedChange, action.person);
      }
      if (live.length > 0) await tellWhatIsShared(parts, action);
      await mind();
    },

    resume: async () => {
      await Promise.all((await inTurns(parts, await journal.claimEnds())).map(endEach));
      await Promise.all((await journal.claimReports()).map(report));
      // What changed right before a crash may not stand on its card yet.
      for (const timedChange of await journal.timedChanges()) later(() => telling.draw(timedChange));
    },

    tick: mind,

    stop: () => {
      stopped = true;
    },
  };

  function begun(action: string): void {
    beginning.get(action)?.resolve();
    beginning.delete(action);
  }

  async function mind(): Promise<void> {
    if (stopped) return;
    for (const timedChange of await journal.claimReminders(ahead)) later(() => remind(timedChange));
    for (const group of await inTurns(parts, await journal.claimEnds())) later(() => endEach(group));
    for (const timedChange of await journal.claimReports()) later(() => report(timedChange));
  }

  /** Whether it is on, once it should be: then not to see it any more means that it is over. */
  async function see(action: Action): Promise<void> {
    for (const timedChange of await journal.timedChangesOf(action.id)) {
      if (timedChange.state !== 'on') continue;
      const found = await lookAgain(timedChange, action, { isFresh: true });
      if (found?.kind === 'lasts') await journal.sawTimedChange(timedChange.id);
    }
  }

  /** Somebody's own order to end it. Only what was seen to be over is. */
  async function endedBy(timedChange: TimedChangeRow, action: Action, conclusion: Conclusion): Promise<void> {
    const { state, outcome, evidence } = conclusion;
    if (evidence !== undefined) {
      await journal.endTimedChange(timedChange.id, {
        how: 'person',
        person: action.person,
        says: plainText(evidence),
      });
      // An order that certainly did nothing can be given again, and until its time nothing has to end.
    } else if (state === 'failed' && outcome.code !== 'not_happened') return;
    else if ((await journal.cutTimedChange(timedChange.id)) !== undefined) await telling.draw(timedChange);
    else await journal.expediteTimedChanges(timedChange.appliance);
  }

  async function remind(timedChange: TimedChangeRow): Promise<void> {
    const origin = await originOf(timedChange);
    const found = await lookAgain(timedChange, origin.action);
    if (found?.kind === 'over') {
      // Somebody has ended it elsewhere, so there is nothing to wait for.
      const over = { how: 'found', says: plainText(found.evidence) } as const;
      await endWithRecord(parts, origin.action, timedChange, over);
      return mind();
    }
    const message = await telling.remind(timedChange, origin);
    await journal.reminded(timedChange.id, timedChange.endsAt, message);
    const current = await rowNow(journal, timedChange);
    // While that was told, it may have come to its end, or got another one.
    if (current.state !== 'on' || current.endsAt !== timedChange.endsAt) await telling.draw(current);
  }

  async function end(timedChange: TimedChangeRow): Promise<void> {
    await beginning.get(timedChange.action)?.promise;
    const origin = await originOf(timedChange);
    try {
      // It looks again and again; what it orders is noted with what it ends.
      const { action, command } = origin;
      const tried = await inAction(parts, [action.id], () => tryToEnd(timedChange, action, command), {
        reads: false,
      });
      if (tried.kind === 'not_over') return await fail(timedChange, origin, tried.problem, tried.offers);
      if (tried.kind === 'covered') return await waitFor(timedChange, origin, tried.problem, tried.until);
      if (tried.kind === 'changed') return await leaveToPeople(timedChange, origin, tried.problem);
      if (tried.kind === 'over') {
        const ended = await withWhoever(timedChange, tried.ended);
        await endWithRecord(parts, action, timedChange, ended);
        log.tell(timedOver, { ...about(timedChange, origin), tries: timedChange.tries + 1, how: ended.how });
        // What lies under it may have waited for that.
        await journal.expediteTimedChanges(timedChange.appliance);
        later(mind);
      }
    } catch (error) {
      await fail(timedChange, origin, say`An internal error occurred.`, []);
      throw error;
    }
    for (const over of await journal.claimReports()) await report(over);
  }

  /** Whose *End now* it was, where it ends before its time. */
  async function withWhoever(row: TimedChangeRow, ended: Omit<Ended, 'at'>): Promise<Omit<Ended, 'at'>> {
    const cut = row.extensions.findLast(({ at, until }) => until <= at);
    const isOwn = ended.how === 'ended' || (ended.how === 'replaced' && ended.stays !== undefined);
    return !isOwn || cut === undefined
      ? ended
      : { ...ended, person: (await journal.byId(cut.action))?.person };
  }

  /** Something else ends first; people are told once. */
  async function waitFor(row: TimedChangeRow, origin: TimedOrigin, why: Text, until: number): Promise<void> {
    const says = plainText(why);
    const waiting = await journal.putOffTimedEnd(row.id, says, Math.max(until, now() + minutes));
    if (waiting !== undefined && row.lastProblem !== says) await telling.waits(waiting, origin, why);
  }

  /** It is looked at again, in case somebody takes it back by hand; people are asked once. */
  async function leaveToPeople(timedChange: TimedChangeRow, origin: TimedOrigin, why: Text): Promise<void> {
    const says = plainText(why);
    const isNews = timedChange.lastProblem !== says;
    const record = isNews ? recordOfTry(origin, timedChange, why, 'changed') : undefined;
    const failed = await journal.failTimedEnd(timedChange.id, says, now() + 60 * minutes, record);
    if (failed === undefined || !isNews) return;
    log.tell(leftToPeople, { ...about(timedChange, origin), reason: says });
    await telling.changed(failed, origin, why);
  }

  async function fail(
    timedChange: TimedChangeRow,
    origin: TimedOrigin,
    problem: Text,
    offers: readonly Offer[],
  ): Promise<void> {
    const pause = pauseAfter(timedChange.tries + 1, 'timed_changes');
    const says = plainText(problem);
    // The same again is counted, and told with how it ended.
    const isNews = timedChange.lastProblem !== says;
    const record = isNews ? recordOfTry(origin, timedChange, problem, 'failed') : undefined;
    const failed = await journal.failTimedEnd(timedChange.id, says, now() + pause, record);
    if (failed === undefined) return;
    const hourly = pause === 60 * minutes;
    const tries = timedChange.tries + 1;
    log.tell(hourly ? peopleCalled : endFailed, {
      ...about(timedChange, origin),
      tries,
      reason: says,
      pause,
    });
    await telling.trouble(failed, origin, problem, { offers, hourly });
  }

  /** Where nobody could be told, it is claimed for this in vain, and again after a minute. */
  async function report(timedChange: TimedChangeRow): Promise<void> {
    const origin = await originOf(timedChange);
    const { action } = origin;
    if (timedChange.ended === undefined) throw new Error(`Lease ${timedChange.id} is not over`);
    const isLeft = action.state === 'running' && !(await journal.alive()).includes(action.replica);
    if (isLeft) await giveUp(action, timedChange);
    await endWaitingMoves(timedChange, timedChange.ended.person);
    if (await telling.report(timedChange, timedChange.ended, origin)) await journal.reported(timedChange.id);
  }

  /** An action that a crash has left running is not looked after any more when what it began is over. */
  async function giveUp(action: Action, { appliance }: TimedChangeRow): Promise<void> {
    const says = `The bot was stopped while this was in progress. What it may have started on ${appliance} is over.`;
    await journal.move(action, 'unknown', { outcome: { code: 'over', says } });
  }

  /** For the log. */
  function about({ action, appliance }: TimedChangeRow, { command }: TimedOrigin) {
    return { action, appliance, command: command && nameOf(command) };
  }

  async function originOf(timedChange: TimedChangeRow): Promise<TimedOrigin> {
    const action = await journal.byId(timedChange.action);
    if (action === undefined) throw new Error(`There is no action ${timedChange.action}`);
    return { action, command: changeOf(commandByPhrase, action) };
  }
}
