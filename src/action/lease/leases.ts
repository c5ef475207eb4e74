import { isApplianceFailure } from '../../api/index.ts';
import { covers } from '../../auth/rule.ts';
import { type AnyChange, areaOf, type Lasting, type Temporary } from '../../handlers/command.ts';
import {
  channel as channelSpan,
  type Offer,
  person,
  plainText,
  type Reply,
  say,
  type Text,
} from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import type { Action, Lease } from '../../journal/journal.ts';
import { consentOf } from '../approval/consent.ts';
import { subjectOf } from '../authority/authority.ts';
import { gotOut } from '../chat.ts';
import { changeOf } from '../confirm.ts';
import type { Conclusion } from '../outcome.ts';
import type { Parts } from '../parts.ts';
import { appliancesOf, argsOf, targetsIn } from '../stored.ts';
import type { Work } from '../work.ts';
import { createTryToEnd } from './end.ts';
import { closing, type Named, reminder, trouble } from './words.ts';

/**
 * What must not last: changes that say when they are over (`Temporary`). Their end is written down before the order
 * leaves, and from then on nothing but being seen over ends it: not a restart, not a failure, not the time.
 */
export interface Leases {
  /** Before the order leaves: from now on it has an end. */
  readonly begin: (running: Action, command: AnyChange) => Promise<void>;
  /** What came of a change, before the journal says so: it may have begun nothing, or ended what was on. */
  readonly settle: (action: Action, command: AnyChange, results: readonly Settled[]) => Promise<void>;
  /** When it was told: what follows from it for what is on. */
  readonly after: (action: Action, command: AnyChange) => Promise<void>;
  /** At the start and before anything else: what is over by now is ended. */
  readonly resume: () => Promise<void>;
  /** Reminds, ends and reports what is due. */
  readonly tick: () => Promise<void>;
  /** Begins nothing more; what is on stays in the journal. */
  readonly stop: () => void;
}

export interface Settled {
  readonly appliance: string;
  readonly conclusion: Conclusion;
}

const minutes = 60_000;
/** In milliseconds: how long before the end people are reminded of it. */
const ahead = 5 * minutes;
/** After so long somebody else takes up what was claimed: whoever claimed it is gone. */
const claims = { remind: 1 * minutes, end: 5 * minutes, report: 2 * minutes };
/** When it is tried again after the first failure, the second … and every one after those. */
const pauses = [1, 2, 5, 10, 15, 30, 60].map((pause) => pause * minutes);
const longestPause = 60 * minutes;

export function createLeases(parts: Parts, later: Work['later']): Leases {
  const { authority, commandByPhrase, journal, chat, present, story, appliances, contexts, now } = parts;
  const tryToEnd = createTryToEnd(parts);
  /** Those whose order is under way: ended before it has arrived, it would begin after its end. */
  const beginning = new Map<string, PromiseWithResolvers<void>>();
  let stopped = false;

  return {
    begin: async (running, { temporary }) => {
      if (temporary === undefined) return;
      beginning.set(running.id, Promise.withResolvers());
      const { id: action, channel, person: asker } = running;
      const at = now();
      for (const target of targetsIn(running)) {
        const args = argsOf(target);
        await journal.startLease({
          ...{ action, channel, person: asker, appliance: target.appliance },
          reason: temporary.reason(args),
          endsAt: at + temporary.lasts(args),
        });
      }
    },

    settle: async (action, command, results) => {
      for (const { appliance, conclusion } of results) {
        if (command.temporary !== undefined && conclusion.state === 'failed') {
          await journal.voidLease(action.id, appliance);
        }
        const lease = await journal.lease(appliance);
        const of = lease && (await nameOf(lease));
        if (lease === undefined || of === undefined) continue;
        if (of.temporary.end === command.phrase) await endedBy(lease, action, conclusion);
        // Whatever is done in its area may have made the way free.
        else if (lease.action !== action.id && areaOf(of.command) === areaOf(command)) {
          await journal.hurryLeases(appliance);
        }
      }
      beginning.get(action.id)?.resolve();
      beginning.delete(action.id);
    },

    after: async (action, command) => {
      if (command.temporary !== undefined) await see(action, command);
      for (const appliance of appliancesOf(action)) {
        const lease = await journal.lease(appliance);
        const extension = lease?.extensions.find((one) => one.action === action.id);
        if (lease === undefined || extension === undefined) continue;
        const origin = await redraw(lease);
        const words = say`Extended by ${person(action.person)} until ${when(extension.until, now())}.`;
        if (origin !== undefined) await story.add(origin, words);
      }
      await mind();
    },

    resume: async () => {
      await journal.resumeLeases();
      await Promise.all((await journal.claimEnds(now() + claims.end)).map(end));
      await Promise.all((await journal.claimReports(now() + claims.report)).map(report));
      // What changed right before a crash may not stand on its card yet.
      for (const lease of await journal.leases()) later(async () => void (await redraw(lease)));
    },

    tick: mind,

    stop: () => {
      stopped = true;
    },
  };

  async function mind(): Promise<void> {
    if (stopped) return;
    for (const lease of await journal.claimReminders(ahead, now() + claims.remind))
      later(() => remind(lease));
    for (const lease of await journal.claimEnds(now() + claims.end)) later(() => end(lease));
    for (const lease of await journal.claimReports(now() + claims.report)) later(() => report(lease));
  }

  /** Whether it is on, once it should be: then not to see it any more means that it is over. */
  async function see(action: Action, { temporary }: AnyChange): Promise<void> {
    for (const lease of await journal.leasesOf(action.id)) {
      if (temporary === undefined || lease.state !== 'on') continue;
      const found = await lookAt(lease, action, temporary);
      if (found?.kind === 'lasts') await journal.sawLease(lease.id);
    }
  }

  /** Undefined when the appliance cannot be asked. */
  async function lookAt(
    lease: Lease,
    action: Action,
    temporary: Temporary<never>,
  ): Promise<Lasting | undefined> {
    const appliance = appliances.get(lease.appliance);
    if (appliance === undefined) return undefined;
    try {
      const context = contexts.acting(action, { appliance, args: {} as never });
      return await temporary.look(context, lease.seen);
    } catch (error) {
      if (!isApplianceFailure(error)) throw error;
      return undefined;
    }
  }

  /** Somebody's own order to end it. Only what was seen to be over is. */
  async function endedBy(lease: Lease, action: Action, conclusion: Conclusion): Promise<void> {
    if (conclusion.state === 'failed') return;
    if (conclusion.outcome.code === 'checked') {
      const { says } = conclusion.outcome;
      await journal.endLease(lease.id, { how: 'person', person: action.person, says });
    } else if ((await journal.cutLease(lease.id)) !== undefined) await redraw(lease);
    else await journal.hurryLeases(lease.appliance);
  }

  async function remind(lease: Lease): Promise<void> {
    const { action, command } = await originOf(lease);
    const temporary = command?.temporary;
    if (action === undefined || temporary === undefined) return;
    const found = await lookAt(lease, action, temporary);
    if (found?.kind === 'over') {
      // Somebody has ended it elsewhere, so there is nothing to wait for.
      await journal.endLease(lease.id, { how: 'found', says: plainText(found.evidence) });
      return mind();
    }
    const approvers = (await approvalsOf(action)).map(({ person: by }) => by);
    await tell(action, reminder(temporary, lease, approvers, now()), { broadcast: true });
    await journal.reminded(lease.id, lease.endsAt);
  }

  async function end(lease: Lease): Promise<void> {
    await beginning.get(lease.action)?.promise;
    const { action, command } = await originOf(lease);
    if (action === undefined) throw new Error(`There is no action ${lease.action}`);
    try {
      const tried = await tryToEnd(lease, action, command);
      if (tried.kind === 'not_over') return await fail(lease, action, command, tried.problem, tried.offers);
      if (tried.kind === 'over') await journal.endLease(lease.id, tried.ended);
    } catch (error) {
      await fail(lease, action, command, say`Something went wrong inside the bot.`, []);
      throw error;
    }
    for (const over of await journal.claimReports(now() + claims.report)) await report(over);
  }

  async function fail(
    lease: Lease,
    action: Action,
    command: AnyChange | undefined,
    problem: Text,
    offers: readonly Offer[],
  ): Promise<void> {
    const pause = pauses[lease.failures] ?? longestPause;
    const failed = await journal.failLeaseEnd(lease.id, plainText(problem), now() + pause);
    if (failed === undefined) return;
    const people = await concerned(failed, action, command);
    const reply = trouble(namedOf(command, action), failed, problem, people, offers, now());
    await redraw(failed);
    await tell(action, reply);
    // In person when it begins, and then with every hour.
    if (failed.failures === 1 || pause === longestPause) {
      await notify(people, say`${reply.headline} It was enabled in ${channelSpan(failed.channel)}.`);
    }
  }

  /** Its last word, once: on the card, and as a message in its thread that a repetition only writes again. */
  async function report(lease: Lease): Promise<void> {
    const { action, command } = await originOf(lease);
    const { ended } = lease;
    if (action === undefined || ended === undefined) return journal.reported(lease.id);
    if (action.state === 'running' && !beginning.has(action.id)) await giveUp(action, lease);
    const named = namedOf(command, action);
    const reply = await reportOf(named, lease, ended, action);
    await redraw(lease);
    let { report: message } = lease;
    const thread = action.card === undefined ? undefined : { channel: action.channel, card: action.card };
    if (message === undefined && thread !== undefined) {
      const announced = chat.tell(thread, { headline: say`${reply.headline} The report follows.` });
      if (await gotOut(announced)) {
        message = await announced;
        await journal.placedReport(lease.id, message);
      }
    }
    const said = await present(reply, { channel: action.channel });
    const isWritten =
      message !== undefined && (await gotOut(chat.amend({ channel: action.channel, ts: message }, said)));
    const people = await concerned(lease, action, command);
    // What could not be said where it belongs is said to each of them; if that fails, too, it is tried again.
    if (!isWritten && !(await notify(people, said))) return;
    await journal.reported(lease.id);
    if (isWritten && lease.failures > 0) await notify(people, reply.headline);
  }

  /** An action that a crash has left running is not looked after any more when what it began is over. */
  async function giveUp(action: Action, { appliance }: Lease): Promise<void> {
    const says = `I was stopped while this was under way. What it may have begun on ${appliance} is over.`;
    await journal.move(action, 'unknown', { outcome: { code: 'over', says } });
  }

  async function reportOf(
    named: Named,
    lease: Lease,
    ended: NonNullable<Lease['ended']>,
    action: Action,
  ): Promise<Reply> {
    const extensions = await Promise.all(
      lease.extensions.map(async ({ action: id, at, until }) => ({
        ...{ at, until },
        action: await journal.byId(id),
      })),
    );
    const own = new Set([lease.action, ...lease.extensions.map(({ action: id }) => id)]);
    const others = (await journal.changesIn(lease.startedAt, ended.at)).filter(
      (one) => !own.has(one.id) && appliancesOf(one).includes(lease.appliance) && !isAboutIt(one, named),
    );
    return closing(named, lease, ended, action, await approvalsOf(action), extensions, others);
  }

  async function redraw(lease: Lease): Promise<Action | undefined> {
    const action = await journal.byId(lease.action);
    if (action !== undefined) await story.draw(action);
    return action;
  }

  async function originOf(lease: Lease) {
    const action = await journal.byId(lease.action);
    return { action, command: changeOf(commandByPhrase, action) };
  }

  async function nameOf(lease: Lease) {
    const { command } = await originOf(lease);
    return command?.temporary === undefined ? undefined : { command, temporary: command.temporary };
  }

  async function approvalsOf({ id, token, consent }: Action) {
    return consent === undefined || token === undefined ? [] : journal.approvalsOf(id, token);
  }

  /** Whoever asked for it, and everybody who could have approved it. */
  async function concerned(
    lease: Lease,
    action: Action,
    command: AnyChange | undefined,
  ): Promise<readonly string[]> {
    const consented = consentOf(action)?.needs.flatMap(({ by }) => by) ?? [];
    const subject = command && subjectOf(command);
    const rule =
      subject &&
      authority.policy().approvals.find(({ commands }) => commands.some((one) => covers(one, subject)));
    const roles = [...new Set([...consented, ...(rule?.by ?? ['approver'])])];
    const people = await authority.people(roles, lease.channel);
    return [...new Set([lease.person, ...(people === 'everyone' ? [] : people)])];
  }

  async function tell(
    { channel, card }: Action,
    reply: Reply,
    how: { readonly broadcast?: true } = {},
  ): Promise<void> {
    if (card === undefined) return;
    await gotOut(chat.tell({ channel, card, ...how }, await present(reply, { channel })));
  }

  /** False when nobody could be told. */
  async function notify(people: readonly string[], words: Text | Awaited<ReturnType<typeof present>>) {
    const said = 'headline' in words ? words : { headline: words };
    const told = await Promise.all(people.map((one) => chat.notify(one, said)));
    return told.some(Boolean);
  }
}

const namedOf = (command: AnyChange | undefined, { phrase = '' }: Action): Named =>
  command?.temporary ?? { name: `What ${phrase} began`, end: '', extend: '', confirm: '' };

/** What ended it or confirmed its end is told as that. */
const isAboutIt = ({ phrase = '', state }: Action, { end, confirm }: Named): boolean =>
  state === 'done' && (phrase === end || phrase.startsWith(`${confirm} `));
