import { inWords } from '../../handlers/audit/recalled.ts';
import type { Timed } from '../../handlers/command.ts';
import { nameOf } from '../../handlers/command-name.ts';
import { type Offer, person, plainText, say, type Text } from '../../handlers/reply.ts';
import type { Lasting } from '../../handlers/results.ts';
import { when } from '../../handlers/wording/when.ts';
import { pauseAfter } from '../../journal/claims.ts';
import type { Action, Ended, Extension, TimedChangeRow } from '../../journal/journal.ts';
import { isPutBack, rowNow } from '../../journal/timed/timed-change-row.ts';
import { endFailed, leftToPeople, peopleCalled, timedOver } from '../../telemetry/events/actions.ts';
import type { Log } from '../../telemetry/log.ts';
import { consentOf } from '../base/consent.ts';
import { inAction, isUnderWay } from '../base/request-log.ts';
import { appliancesOf, argsOf, changeOf, shownOf, type Temporary, targetsIn } from '../base/stored.ts';
import type { WorkInFlight } from '../base/work-in-flight.ts';
import type { Applies } from '../change/apply.ts';
import type { Conclusion } from '../change/outcome.ts';
import type { Supervision } from '../change/supervision.ts';
import type { Parts } from '../ground/ground.ts';
import { endWithRecord, recordOfTry, type TimedOrigin } from '../history/end-record.ts';
import { tellWhatIsHeld } from '../holding/holders.ts';
import type { ApplianceLocks } from '../lock/appliance-locks.ts';
import { createTryToEnd } from './end.ts';
import { freeThings, tellKeepers } from './freed.ts';
import { createLookAtChange, lookAt, type UndoLook, unlessAway } from './look.ts';
import { createTimedNotices } from './notices.ts';
import { createEndTogether, inTurns } from './of-plan.ts';

/**
 * What must not last: changes that say when they are over (`Timed`), and those that somebody made temporary, which what takes
 * them back ends (`look.ts`). Their end is written down before the order leaves, and from then on nothing but being seen over ends it: not a restart, not a failure, not the time.
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
/** How often it is looked whether what began it has an outcome, and for how long at most, in milliseconds. */
const lookEvery = 500;
const longestReadBack = minutes;

export function createTimedChanges(
  given: Parts & { readonly applies: Applies; readonly locks: ApplianceLocks; readonly log: Log },
  later: WorkInFlight['later'],
): TimedChanges {
  const lookAtChange = createLookAtChange(given);
  const parts = { ...given, lookAtChange };
  const { appliances, commandByPhrase, journal, now, sleep, log } = parts;
  const tryToEnd = createTryToEnd(parts);
  const telling = createTimedNotices(parts);
  const endEach = createEndTogether(parts, end);
  /** Those whose order is under way: ended before it has arrived, it would begin after its end, and be told before its outcome. */
  const beginning = new Map<string, PromiseWithResolvers<void>>();
  /**
   * What this process is at: `end 12`. After a jump of the clock, or a long pause of the process, its own claim looks like one that
   * somebody has forgotten, and would be taken a second time.
   */
  const underWay = new Set<string>();
  let stopped = false;

  return {
    begin: async (running, { timed }) => {
      if (!isTimed(running, timed)) return undefined;
      beginning.set(running.id, Promise.withResolvers());
      return writeEnds(parts, running, timed);
    },

    // The phrase that ends it is what such a change is known by.
    supervises: async ({ phrase }, appliance) => (await journal.timedChange(appliance, phrase)) !== undefined,

    settle: async (action, command, results) => {
      const live = await journal.timedChanges();
      for (const { appliance, conclusion, undo } of results) {
        if (conclusion.state === 'failed') await journal.voidTimedChange(action.id, appliance);
        const there = live.filter((timedChange) => timedChange.appliance === appliance);
        const own = there.find((timedChange) => timedChange.action === action.id);
        if (own !== undefined && undo !== undefined) await journal.undoesTimedChange(own.id, undo);
        const back = there.length === 0 || undo === undefined ? undefined : parts.match(undo);
        for (const timedChange of there) {
          if (timedChange === own) continue;
          if (timedChange.subject === command.phrase) await endedBy(timedChange, action, conclusion);
          else await freeThings(parts, timedChange, { action, command, conclusion, undo, back });
        }
        await tellKeepers(parts, action, appliance, conclusion);
      }
    },

    released: ({ id }) => {
      beginning.get(id)?.resolve();
      beginning.delete(id);
    },

    after: async (action, { timed }) => {
      if (timed !== undefined || shownOf(action)?.temporary !== undefined) await see(action);
      const on = appliancesOf(action);
      const live = await journal.timedChanges();
      for (const timedChange of live) {
        const extension = timedChange.extensions.find((one) => one.action === action.id);
        if (extension === undefined || !on.includes(timedChange.appliance)) continue;
        await telling.extended(timedChange, extension);
        await endWaitingMoves(parts, timedChange, action.person);
      }
      if (live.length > 0) await tellWhatIsHeld(parts, action);
      await mind();
    },

    resume: async () => {
      await Promise.all((await ends()).map((begin) => begin()));
      await Promise.all((await reports()).map((begin) => begin()));
      // What changed right before a crash may not stand on its card yet.
      for (const timedChange of await journal.timedChanges()) later(() => telling.draw(timedChange));
    },

    tick: mind,

    stop: () => {
      stopped = true;
    },
  };

  async function mind(): Promise<void> {
    if (stopped) return;
    for (const row of await journal.claimReminders(ahead))
      later(() => once('remind', [row], () => remind(row)));
    for (const begin of await ends()) later(begin);
    for (const begin of await reports()) later(begin);
  }

  /** What is to end now, put together, each as what ends it. */
  async function ends(): Promise<readonly (() => Promise<void>)[]> {
    const claimed = (await journal.claimEnds()).filter(({ id }) => !underWay.has(`end ${id}`));
    const groups = await inTurns(parts, claimed);
    return groups.map((rows) => () => once('end', rows, () => endEach(rows)));
  }

  async function reports(): Promise<readonly (() => Promise<void>)[]> {
    return (await journal.claimReports()).map((row) => () => once('report', [row], () => report(row)));
  }

  /** Unless this process is at any of them. */
  async function once(
    what: 'remind' | 'end' | 'report',
    rows: readonly TimedChangeRow[],
    task: () => Promise<void>,
  ): Promise<void> {
    const names = rows.map(({ id }) => `${what} ${id}`);
    if (names.some((name) => underWay.has(name))) return;
    for (const name of names) underWay.add(name);
    await task().finally(() => {
      for (const name of names) underWay.delete(name);
    });
  }

  /** Undefined when the appliance cannot be asked. */
  async function lookAgain(
    row: TimedChangeRow,
    action: Action,
    how?: Parameters<typeof lookAtChange>[2],
  ): Promise<Lasting | UndoLook | undefined> {
    const appliance = appliances.get(row.appliance);
    if (appliance === undefined) return undefined;
    const timed = changeOf(commandByPhrase, action)?.timed;
    if (timed !== undefined) return lookAt(parts, appliance, action, timed, row.seen);
    // What takes it back may have been learned since the row was read.
    const current = await rowNow(journal, row);
    return isPutBack(current) && current.undoLine !== undefined
      ? unlessAway(() => lookAtChange(current, action, how))
      : undefined;
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
    await outcomeOf(timedChange);
    const origin = await originOf(timedChange);
    try {
      // It looks again and again; what it orders is noted with what it ends.
      const { action, command } = origin;
      const tried = await inAction(parts, [action.id], () => tryToEnd(timedChange, action, command), {
        reads: false,
      });
      if (tried.kind === 'not_over') return await fail(timedChange, origin, tried.problem, tried.offers);
      if (tried.kind === 'changed') return await leaveToPeople(timedChange, origin, tried.problem);
      if (tried.kind === 'over') {
        const ended = await withWhoever(timedChange, tried.ended);
        await giveUpLeft(action, timedChange);
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
    for (const begin of await reports()) await begin();
  }

  /** What began it comes to its outcome first: here, or by whoever reads back after a crash what was sent. */
  async function outcomeOf({ action: id }: TimedChangeRow): Promise<void> {
    await beginning.get(id)?.promise;
    for (let waited = 0; waited < longestReadBack && isUnderWay(id); waited += lookEvery) {
      if ((await journal.byId(id))?.state !== 'running') return;
      await sleep(lookEvery);
    }
  }

  /** Whose *End now* it was, where it ends before its time. */
  async function withWhoever(row: TimedChangeRow, ended: Omit<Ended, 'at'>): Promise<Omit<Ended, 'at'>> {
    const cut = row.extensions.findLast(({ at, until }) => until <= at);
    return ended.how !== 'ended' || cut === undefined
      ? ended
      : { ...ended, person: (await journal.byId(cut.action))?.person };
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
    await giveUpLeft(action, timedChange);
    await endWaitingMoves(parts, timedChange, timedChange.ended.person);
    if (await telling.report(timedChange, timedChange.ended, origin)) await journal.reported(timedChange.id);
  }

  /** An action that a crash has left running is not looked after any more when what it began is over. */
  async function giveUpLeft(action: Action, { appliance }: TimedChangeRow): Promise<void> {
    if (action.state !== 'running' || (await journal.alive()).includes(action.replica)) return;
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

type BeginParts = Pick<Parts, 'journal' | 'match' | 'now'>;

/** Whether something ends by itself that this action changes; where only an end moves, nothing new does. */
export function isTimed(action: Action, timed: Timed<never> | undefined): boolean {
  const { temporary: { extends: of, lasts, until } = {} } = shownOf(action) ?? {};
  return timed !== undefined || (of === undefined && (lasts !== undefined || until !== undefined));
}

/** Writes down when it ends, on each of its appliances or on none; resolves to the one on which the same is on already. */
async function writeEnds(
  parts: BeginParts,
  running: Action,
  timed: Timed<never> | undefined,
): Promise<string | undefined> {
  const { journal, now } = parts;
  const { temporary } = shownOf(running) ?? {};
  const { id: action, channel, person } = running;
  const at = now();
  const until = temporary?.until ?? at + (temporary?.lasts ?? 0);
  const wishes = await broughtBack(parts, running);
  const { taken } = await journal.startTimedChanges(
    targetsIn(running).map((target) => {
      const { appliance } = target;
      const args = argsOf(target);
      const wish = wishes.find((one) => one.appliance === appliance);
      return {
        action,
        channel,
        appliance,
        subject: timed?.end ?? action,
        person: wish?.person ?? person,
        reason: wish?.reason ?? timed?.reason(args) ?? saidReason(parts, running),
        endsAt: timed === undefined ? until : at + timed.lasts(args),
      };
    }),
  );
  return taken;
}

/** Those whose temporary changes come back with it, because what had ended them is undone: that it is on is their wish still. */
async function broughtBack({ journal }: BeginParts, { undoes }: Action): Promise<readonly TimedChangeRow[]> {
  if (undoes === undefined) return [];
  const ended = (await journal.timedChangesEndedBy(undoes)).filter(isPutBack);
  // That end is the one that has come back, too (`change/undo.ts`).
  return ended.filter(({ endsAt }) => endsAt === ended[0]?.endsAt);
}

/** Why, in the words of whoever asked: before those who had to agree, or behind `--reason`. */
function saidReason({ match }: BeginParts, action: Action): string {
  const agreed = consentOf(action)?.reason;
  if (agreed) return agreed;
  const typed = match(action.understoodAs ?? action.line);
  return typed.kind === 'command' ? (typed.reason ?? '') : '';
}

/** More do not wait in a channel. */
const most = 200;

/**
 * Of one temporary change several moves of its end can wait at once: an Extend for its approval, and Keep for its click. What one of
 * them has left nothing to do for ends with a sentence of its own, instead of standing there to be pressed.
 */
async function endWaitingMoves(
  { journal, notifications, now }: Pick<Parts, 'journal' | 'notifications' | 'now'>,
  row: TimedChangeRow,
  by: string | undefined,
): Promise<void> {
  for (const waiting of await journal.waitingIn([row.channel], most)) {
    const { temporary } = shownOf(waiting) ?? {};
    if (temporary?.extends !== row.action || !appliancesOf(waiting).includes(row.appliance)) continue;
    const why = whyInVain(temporary, row, by, waiting.createdAt, now());
    if (why === undefined) continue;
    const headline = say`${why} No changes were made.`;
    const outcome = { code: 'nothing_to_act_on', ...inWords(headline) };
    // Whoever asked for a site hears it in person.
    const isCalled = waiting.consent !== undefined && waiting.request === undefined && by !== waiting.person;
    await notifications.transitionAndNotify(
      waiting,
      'cancelled',
      { outcome, ...(by !== undefined && { decidedBy: by }) },
      {
        headline,
        token: waiting.token,
        ...(isCalled && { threadReply: { headline: say`${person(waiting.person)}: ${headline}` } }),
      },
    );
  }
}

function whyInVain(
  { until, early, shortens }: Temporary,
  row: TimedChangeRow,
  by: string | undefined,
  asked: number,
  now: number,
): Text | undefined {
  const who = by === undefined ? [] : say` by ${person(by)}`;
  switch (row.state) {
    case 'over':
      return row.ended?.how === 'kept'
        ? say`It was kept for good${who} meanwhile.`
        : say`It was undone${who} meanwhile, and is over.`;
    case 'ending':
      // It can still be kept.
      return until === undefined ? undefined : say`Its time is over, and it is being undone.`;
    default: {
      // Whoever has shortened it since has decided that it ends.
      if (until === undefined && row.extensions.some((one) => isShorterSince(one, asked)))
        return say`Its end was moved to ${when(row.endsAt, now)}${who} meanwhile. To keep it for good all the same, ask again.`;
      const isThere = until !== undefined && !early && (shortens ? until >= row.endsAt : until <= row.endsAt);
      return isThere ? say`Its end was moved to ${when(row.endsAt, now)}${who} meanwhile.` : undefined;
    }
  }
}

const isShorterSince = ({ at, until, from }: Extension, asked: number): boolean =>
  at >= asked && from !== undefined && until < from;
