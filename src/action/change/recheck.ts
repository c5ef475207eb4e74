import { allowedIn } from '../../auth/targets.ts';
import { inWords } from '../../handlers/audit/recalled.ts';
import type { AnyChange, AnyCommand } from '../../handlers/command.ts';
import { startInWords } from '../../handlers/planned/words.ts';
import { enumerate, person, say, type Text } from '../../handlers/reply.ts';
import type { Action } from '../../journal/journal.ts';
import { JournalUnavailable } from '../../journal/unavailable.ts';
import type { Alarm } from '../approval/alarm.ts';
import type { Approvals } from '../approval/approvals.ts';
import type { Listener, Press } from '../base/chat.ts';
import { consentOf } from '../base/consent.ts';
import { inAction } from '../base/request-log.ts';
import { siteRequestOf } from '../base/site-request.ts';
import {
  appliancesOf,
  argsOf,
  holdsSecret,
  isOrder,
  isReadable,
  shownOf,
  targetsIn,
} from '../base/stored.ts';
import type { After } from '../base/timeout.ts';
import type { Parts } from '../ground/ground.ts';
import type { DryRuns } from '../lookup/dry-run.ts';
import type { Infos } from '../lookup/info.ts';
import type { Lookups, ResolutionOn } from '../lookup/lookup.ts';
import { lookAtSite } from '../lookup/site-look.ts';
import { hold, startOf } from '../planned/hold.ts';
import { mentionedOfApproved } from '../showing/mentioned.ts';
import { drawCard, tellBelow } from '../showing/messages.ts';
import { otherAmong } from '../target/identity.ts';
import { faultIn, isSame, resolvedFrom } from '../target/target.ts';
import { explain, type Fault, journalFault } from '../wording/faults.ts';
import { inView, newQuestion, previewOf, shownNow } from './question.ts';
import type { Run } from './run.ts';
import type { Gathering } from './supervision.ts';
import { lateEnd } from './temporary.ts';

/** Everything is looked at once more, before anything is sent. */
export interface Recheck {
  /** From the click that was the last one needed to the run, or until its time. */
  readonly afterClick: (press: Press, approved: Action, command: AnyCommand) => Promise<void>;
  /** Nothing stands in its way any more. */
  readonly begin: Begin;
}

/** `instead`: what it has become, where what was agreed to is reached in another way. */
export type Begin = (
  to: Listener,
  approved: Action,
  command: AnyChange,
  instead?: Action['preview'],
) => Promise<void>;

export interface RecheckParts extends Parts {
  readonly approvals: Approvals;
  readonly run: Run;
  /** Asked for later than this is built: it builds on it. */
  readonly gathering: () => Gathering;
  readonly lookups: Lookups;
  readonly dryRuns: DryRuns;
  readonly infos: Infos;
  readonly alarm: Alarm;
  readonly after: After;
}

/** In milliseconds: whoever waits is told that it runs, where the outcome takes longer. */
const soon = 20_000;

export function createRecheck(parts: RecheckParts): Recheck {
  const { approvals, authority, appliances, journal, notifications, outbox, secretStore, now, run, after } =
    parts;

  return {
    afterClick: (press, approved, command) =>
      inAction(parts, [approved.id], () => act(press, approved, command)),
    begin,
  };

  async function act(press: Press, approved: Action, command: AnyCommand): Promise<void> {
    try {
      if (!isReadable(approved)) {
        return await giveUp(press, approved, { code: 'unreadable' });
      }
      const { targets = [], fields = [] } = shownOf(approved) ?? {};
      // What was typed named nothing anywhere: those who have approved it were shown why.
      if (targets.length === 0) {
        const words = fields.flatMap(({ value }, index) => [...(index > 0 ? [' '] : []), ...value]);
        return await giveUp(press, approved, { code: 'nothing_to_act_on', why: words }, words);
      }
      const here = authority.channel(approved.channel);
      const allowed = here === undefined ? [] : allowedIn(here, parts.fleet, approved.channel);
      const gone = targets.find(({ appliance }) => !allowed.includes(appliance));
      if (command.kind !== 'info' && gone !== undefined) {
        return await giveUp(press, approved, { code: 'no_appliance', appliance: gone.appliance });
      }
      if (!isOrder(command, approved)) return await answer(press, approved, command);
      await (command.gathers === undefined
        ? lookAgain(press, approved, command)
        : lookAtLines(press, approved, command));
    } catch (error) {
      if (error instanceof JournalUnavailable) {
        return await giveUp(press, approved, journalFault(error));
      }
      await giveUp(press, approved, { code: 'internal' });
      throw error;
    }
  }

  /** What somebody has stood up for: the answer takes the place of the card. */
  async function answer(press: Press, approved: Action, command: AnyCommand): Promise<void> {
    if (await isForgotten(press, approved, command)) return;
    const running = await journal.move(approved, 'running');
    if (running === undefined) return;
    const { team, channel, line, person: asker } = running;
    const to = { team, channel, line, person: asker };
    const targets = targetsIn(running);
    if (command.kind === 'info') {
      const [first] = targets;
      if (first === undefined) throw new Error('What was agreed to has a target');
      const on = first.fingerprint.on?.toString();
      await parts.infos.tell(to, running, command, { args: argsOf(first), on });
    } else {
      const resolutions = targets.map((target): ResolutionOn => {
        const resolved = resolvedOf(target);
        return { appliance: resolved.appliance, result: { ok: true, resolved } };
      });
      await (command.kind === 'lookup'
        ? parts.lookups.answer(to, running, command, resolutions)
        : parts.dryRuns.show(to, running, command, resolutions));
    }
    const given = await journal.approvalsOf(running.id, running.token ?? '');
    const approvers = enumerate(given.map(({ person: id }) => person(id)));
    await notifications.add(running, say`${approvers} approved this for ${person(running.person)}.`);
  }

  /** Passwords are kept for a while only, and without them nothing goes on. */
  async function isForgotten(press: Press, approved: Action, command: AnyCommand): Promise<boolean> {
    if (!holdsSecret(command, approved.args) || (await secretStore.fetch(approved.id)) !== undefined)
      return false;
    await giveUp(press, approved, { code: 'secret_forgotten' });
    return true;
  }

  /** The card may be hours old: nothing may block the site any more, or it may be one by now that nobody may ask for. */
  async function isSiteOver(press: Press, approved: Action): Promise<boolean> {
    const request = siteRequestOf(approved);
    if (request === undefined) return false;
    const look = await inView(parts, press, lookAtSite(parts, request, appliancesOf(approved)));
    if (look.kind === 'open') return false;
    if (look.kind === 'over') await endAs(press, approved, look.code, look.says);
    else
      await askAgain(
        approved,
        newQuestion(now(), undefined, consentOf(approved), shownOf(approved)),
        say`It was not allowed: ${look.says}. Approve it again in a minute.`,
      );
    return true;
  }

  /** You confirm what you saw (docs/decisions, rule 7): only what is there now and was shown then is acted upon. */
  async function lookAgain(press: Press, approved: Action, command: AnyChange): Promise<void> {
    if (await isForgotten(press, approved, command)) return;
    if (await isSiteOver(press, approved)) return;
    const then = targetsIn(approved);
    const looks = await inView(parts, press, previewOf(parts, approved, command));
    const before = shownOf(approved);
    const late = lateEnd(before?.temporary, now());
    if (late !== undefined) return giveUp(press, approved, late);
    const shown = shownNow(approved, command, looks, now());
    if (shown === undefined) {
      const fault = faultIn(looks);
      if (fault.code === 'nothing_to_act_on') return giveUp(press, approved, fault);
      // The appliance did not show what would be hit, so the same question stands again, with buttons that work.
      const same = newQuestion(now(), undefined, consentOf(approved), before);
      return askAgain(approved, same, explain(fault).headline);
    }
    if (!isSame(then, shown.targets)) {
      return askAgain(
        approved,
        newQuestion(now(), shown, consentOf(approved)),
        changedSince(approved, otherAmong(then, shown.targets)),
      );
    }
    return goOnWith(press, approved, command);
  }

  /** The same of what gathers several changes: every line of it must be as it was shown. */
  async function lookAtLines(press: Press, approved: Action, command: AnyChange): Promise<void> {
    const gathering = parts.gathering();
    const looked = await inView(parts, press, gathering.lookAgain(approved, command));
    if ('code' in looked) return giveUp(press, approved, looked);
    if (looked.kind === 'same') return goOnWith(press, approved, command);
    const other = otherAmong(targetsIn(approved), looked.shown.targets);
    const terms = await looked.terms();
    if (terms.kind === 'fault') return giveUp(press, approved, terms.fault);
    const consent = terms.kind === 'consent' ? terms.consent : consentOf(approved);
    const question = newQuestion(now(), looked.shown, consent);
    await askAgain(approved, question, changedSince(approved, other));
    await outbox.send(...looked.more);
  }

  /** It is as it was shown: it runs now, or is held until its time. */
  async function goOnWith(press: Press, approved: Action, command: AnyChange): Promise<void> {
    // The look took its time, and a role may be gone since the click.
    const obstacle = await approvals.obstacle(approved, command);
    if (obstacle !== undefined) return giveUp(press, approved, obstacle);
    const later = startOf(approved, now());
    if (later !== undefined) {
      const mention = await mentionedOfApproved(parts, approved);
      const told = mention && say`${mention.opening} It is planned for ${startInWords(later)}.`;
      return hold(parts, press, approved, later, {}, told && tellBelow(approved, { headline: told }));
    }
    const { start } = shownOf(approved) ?? {};
    if (start !== undefined && now() > start.latest)
      return giveUp(press, approved, { code: 'too_late', at: start.at, cause: [] });
    return begin(press, approved, command);
  }

  async function begin(...[to, approved, command, preview]: Parameters<Begin>): Promise<void> {
    const messages = [drawCard(approved, 'running'), ...(await parts.alarm(approved))];
    const running = await journal.move(approved, 'running', { ...(preview && { preview }), messages });
    if (running === undefined) return;
    // The buttons go away while the appliance works; neither waits for the other.
    const drawn = outbox.deliver(messages);
    // It may fail before the run is over, and is awaited only then.
    drawn.catch(() => undefined);
    const does = command.gathers === undefined ? run : parts.gathering().run;
    const callOff = after(soon, () => void tellApproved(running).catch(() => undefined));
    await does(to, running, command).finally(callOff);
    await drawn;
  }

  /** Whoever asked hears of the outcome alone where that comes soon. */
  async function tellApproved(running: Action): Promise<void> {
    if (running.runAt !== undefined) return;
    const mention = await mentionedOfApproved(parts, running);
    if (mention !== undefined)
      await notifications.add(running, say`${mention.opening} It is running; the outcome follows here.`);
  }

  function changedSince({ consent }: Action, other?: Text): Text {
    const asks = consent === undefined ? 'clicker' : 'approvers';
    return explain({ code: 'preview_changed', other, asks }).headline;
  }

  async function askAgain(
    approved: Action,
    again: ReturnType<typeof newQuestion>,
    notice: Text,
  ): Promise<void> {
    const isOther = 'preview' in again && approved.preview !== undefined;
    const events = isOther ? [{ kind: 'shown', content: approved.preview ?? null } as const] : [];
    await notifications.transitionAndNotify(approved, 'waiting', { ...again, events }, { notice });
  }

  /** A confirmed action that must not run after all. */
  function giveUp(
    press: Press,
    approved: Action,
    fault: Fault,
    why = explain(fault).headline,
  ): Promise<void> {
    return endAs(press, approved, fault.code, why);
  }

  async function endAs(press: Press, approved: Action, code: string, why: Text): Promise<void> {
    const outcome = { code, ...inWords(why) };
    const words = { headline: why, threadReply: { headline: why }, asker: press };
    const cancelled = await notifications.transitionAndNotify(approved, 'cancelled', { outcome }, words);
    if (cancelled !== undefined) await secretStore.forget(approved.id);
  }

  function resolvedOf(target: ReturnType<typeof targetsIn>[number]) {
    const appliance = appliances.get(target.appliance);
    if (appliance === undefined) throw new Error(`${target.appliance} is not connected`);
    return resolvedFrom(target, appliance);
  }
}
