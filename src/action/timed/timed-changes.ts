import type { AnyChange, Timed } from '../../handlers/command.ts';
import { areaOf } from '../../handlers/command-name.ts';
import { type Offer, plainText, say, type Text } from '../../handlers/reply.ts';
import type { Lasting } from '../../handlers/results.ts';
import { pauseAfter } from '../../journal/claims.ts';
import type { Action, TimedChangeRow } from '../../journal/journal.ts';
import { inAction } from '../base/request-log.ts';
import { appliancesOf, argsOf, changeOf, targetsIn } from '../base/stored.ts';
import type { WorkInFlight } from '../base/work-in-flight.ts';
import type { Conclusion } from '../change/outcome.ts';
import type { Supervision } from '../change/supervision.ts';
import type { Parts } from '../ground/ground.ts';
import { createTryToEnd } from './end.ts';
import { lookAt } from './look.ts';
import { createTimedNotices, type TimedOrigin } from './notices.ts';

/**
 * What must not last: changes that say when they are over (`Timed`). Their end is written down before the order
 * leaves, and from then on nothing but being seen over ends it: not a restart, not a failure, not the time.
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

export function createTimedChanges(parts: Parts, later: WorkInFlight['later']): TimedChanges {
  const { commandByPhrase, journal, appliances, now } = parts;
  const tryToEnd = createTryToEnd(parts);
  const telling = createTimedNotices(parts);
  /** Those whose order is under way: ended before it has arrived, it would begin after its end. */
  const beginning = new Map<string, PromiseWithResolvers<void>>();
  let stopped = false;

  return {
    begin: async (running, { timed }) => {
      if (timed === undefined) return undefined;
      const { id: action, channel, person } = running;
      const at = now();
      const targets = targetsIn(running);
      beginning.set(action, Promise.withResolvers());
      for (const target of targets) {
        const { appliance } = target;
        const args = argsOf(target);
        const timedChange = await journal.startTimedChange({
          ...{ action, channel, person, appliance, reason: timed.reason(args) },
          endsAt: at + timed.lasts(args),
        });
        if (timedChange !== undefined) continue;
        for (const other of targets) await journal.voidTimedChange(action, other.appliance);
        begun(action);
        return appliance;
      }
      return undefined;
    },

    supervises: async ({ phrase }, appliance) => {
      const timedChange = await journal.timedChange(appliance);
      return timedChange !== undefined && (await originOf(timedChange)).command?.timed?.end === phrase;
    },

    settle: async (action, command, results) => {
      for (const { appliance, conclusion } of results) {
        if (command.timed !== undefined && conclusion.state === 'failed') {
          await journal.voidTimedChange(action.id, appliance);
        }
        const timedChange = await journal.timedChange(appliance);
        const begun = timedChange && (await originOf(timedChange)).command;
        if (timedChange === undefined || begun === undefined) continue;
        if (begun.timed?.end === command.phrase) await endedBy(timedChange, action, conclusion);
        // Whatever is done in its area may have made the way free.
        else if (timedChange.action !== action.id && areaOf(begun) === areaOf(command)) {
          await journal.expediteTimedChanges(appliance);
        }
      }
      begun(action.id);
    },

    after: async (action, command) => {
      if (command.timed !== undefined) await see(action, command);
      for (const appliance of appliancesOf(action)) {
        const timedChange = await journal.timedChange(appliance);
        const extension = timedChange?.extensions.find((one) => one.action === action.id);
        if (timedChange !== undefined && extension !== undefined)
          await telling.extended(timedChange, extension);
      }
      await mind();
    },

    resume: async () => {
      await Promise.all((await journal.claimEnds()).map(end));
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
    for (const timedChange of await journal.claimEnds()) later(() => end(timedChange));
    for (const timedChange of await journal.claimReports()) later(() => report(timedChange));
  }

  /** Whether it is on, once it should be: then not to see it any more means that it is over. */
  async function see(action: Action, { timed }: AnyChange): Promise<void> {
    for (const timedChange of await journal.timedChangesOf(action.id)) {
      if (timed === undefined || timedChange.state !== 'on') continue;
      const found = await lookAgain(timedChange, action, timed);
      if (found?.kind === 'lasts') await journal.sawTimedChange(timedChange.id);
    }
  }

  /** Undefined when the appliance cannot be asked. */
  async function lookAgain(
    { appliance: name, seen }: TimedChangeRow,
    action: Action,
    timed: Timed<never>,
  ): Promise<Lasting | undefined> {
    const appliance = appliances.get(name);
    return appliance && lookAt(parts, appliance, action, timed, seen);
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
    const { action, command } = await originOf(timedChange);
    const timed = command?.timed;
    if (timed === undefined) return;
    const found = await lookAgain(timedChange, action, timed);
    if (found?.kind === 'over') {
      // Somebody has ended it elsewhere, so there is nothing to wait for.
      await journal.endTimedChange(timedChange.id, { how: 'found', says: plainText(found.evidence) });
      return mind();
    }
    const message = await telling.remind(timedChange, action, timed);
    await journal.reminded(timedChange.id, timedChange.endsAt, message);
    const current = (await journal.timedChangesOf(action.id)).find(({ id }) => id === timedChange.id);
    // While that was told, it may have come to its end, or got another one.
    if (current && (current.state !== 'on' || current.endsAt !== timedChange.endsAt))
      await telling.draw(current);
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
      if (tried.kind === 'over') await journal.endTimedChange(timedChange.id, tried.ended);
    } catch (error) {
      await fail(timedChange, origin, say`An internal error occurred.`, []);
      throw error;
    }
    for (const over of await journal.claimReports()) await report(over);
  }

  async function fail(
    timedChange: TimedChangeRow,
    origin: TimedOrigin,
    problem: Text,
    offers: readonly Offer[],
  ): Promise<void> {
    const pause = pauseAfter(timedChange.tries + 1, 'timed_changes');
    const failed = await journal.failTimedEnd(timedChange.id, plainText(problem), now() + pause);
    if (failed === undefined) return;
    await telling.trouble(failed, origin, problem, { offers, hourly: pause === 60 * minutes });
  }

  /** Where nobody could be told, it is claimed for this in vain, and again after a minute. */
  async function report(timedChange: TimedChangeRow): Promise<void> {
    const origin = await originOf(timedChange);
    const { action } = origin;
    if (timedChange.ended === undefined) throw new Error(`Lease ${timedChange.id} is not over`);
    const isLeft = action.state === 'running' && !(await journal.alive()).includes(action.replica);
    if (isLeft) await giveUp(action, timedChange);
    if (await telling.report(timedChange, timedChange.ended, origin)) await journal.reported(timedChange.id);
  }

  /** An action that a crash has left running is not looked after any more when what it began is over. */
  async function giveUp(action: Action, { appliance }: TimedChangeRow): Promise<void> {
    const says = `The bot was stopped while this was in progress. What it may have started on ${appliance} is over.`;
    await journal.move(action, 'unknown', { outcome: { code: 'over', says } });
  }

  async function originOf(timedChange: TimedChangeRow): Promise<TimedOrigin> {
    const action = await journal.byId(timedChange.action);
    if (action === undefined) throw new Error(`There is no action ${timedChange.action}`);
    return { action, command: changeOf(commandByPhrase, action) };
  }
}
