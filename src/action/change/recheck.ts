import { allowedIn } from '../../auth/targets.ts';
import type { AnyChange, AnyCommand } from '../../handlers/command.ts';
import { startInWords } from '../../handlers/planned/words.ts';
import { enumerate, person, plainText, say, type Text } from '../../handlers/reply.ts';
import type { Action } from '../../journal/journal.ts';
import { JournalUnavailable } from '../../journal/unavailable.ts';
import type { Alarm } from '../approval/alarm.ts';
import type { Approvals } from '../approval/approvals.ts';
import type { Listener, Press } from '../base/chat.ts';
import { consentOf } from '../base/consent.ts';
import { inAction } from '../base/request-log.ts';
import { argsOf, holdsSecret, isOrder, isReadable, shownOf, targetsIn } from '../base/stored.ts';
import type { After } from '../base/timeout.ts';
import type { Parts } from '../ground/ground.ts';
import type { DryRuns } from '../lookup/dry-run.ts';
import type { Infos } from '../lookup/info.ts';
import type { Lookups, ResolutionOn } from '../lookup/lookup.ts';
import { hold, startOf } from '../planned/hold.ts';
import { tooLate } from '../planned/not-run.ts';
import { mentionedOfApproved } from '../showing/mentioned.ts';
import { drawCard, tellBelow } from '../showing/messages.ts';
import { otherAmong } from '../target/identity.ts';
import { faultIn, isSame, resolvedFrom } from '../target/target.ts';
import { explain } from '../wording/faults.ts';
import { journalFault } from '../wording/journal-trouble.ts';
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
        return await giveUp(press, approved, 'unreadable', unreadable);
      }
      const { targets = [], fields = [] } = shownOf(approved) ?? {};
      // What was typed named nothing anywhere: those who have approved it were shown why.
      if (targets.length === 0) {
        const words = fields.flatMap(({ value }, index) => [...(index > 0 ? [' '] : []), ...value]);
        return await giveUp(press, approved, 'nothing_to_act_on', words);
      }
      const here = authority.channel(approved.channel);
      const allowed = here === undefined ? [] : allowedIn(here, parts.fleet, approved.channel);
      const gone = targets.find(({ appliance }) => !allowed.includes(appliance));
      if (command.kind !== 'info' && gone !== undefined) {
        return await giveUp(press, approved, 'no_appliance', notHere(gone.appliance));
      }
      if (!isOrder(command, approved)) return await answer(press, approved, command);
      await (command.gathers === undefined
        ? lookAgain(press, approved, command)
        : lookAtLines(press, approved, command));
    } catch (error) {
      if (error instanceof JournalUnavailable) {
        const fault = journalFault(error);
        return await giveUp(press, approved, fault.code, explain(fault).headline);
      }
      await giveUp(press, approved, 'internal', internal);
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
    const words = say`Passwords are kept for half an hour at most, and the one from the form is gone. No changes were made. Type the command again.`;
    await giveUp(press, approved, 'secret_forgotten', words);
    return true;
  }

  /** You confirm what you saw (docs/decisions, rule 7): only what is there now and was shown then is acted upon. */
  async function lookAgain(press: Press, approved: Action, command: AnyChange): Promise<void> {
    if (await isForgotten(press, approved, command)) return;
    const then = targetsIn(approved);
    const looks = await inView(parts, press, previewOf(parts, approved, command));
    const before = shownOf(approved);
    const late = lateEnd(before?.temporary, now());
    if (late !== undefined) return giveUp(press, approved, 'nothing_to_act_on', late);
    const shown = shownNow(approved, command, looks, now());
    if (shown === undefined) {
      const fault = faultIn(looks);
      const words = explain(fault).headline;
      if (fault.code === 'nothing_to_act_on') return giveUp(press, approved, fault.code, words);
      // The appliance did not show what would be hit, so the same question stands again, with buttons that work.
      return askAgain(approved, newQuestion(now(), undefined, consentOf(approved)), words);
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
    if ('code' in looked) return giveUp(press, approved, looked.code, explain(looked).headline);
    if (looked.kind === 'same') return goOnWith(press, approved, command);
    const other = otherAmong(targetsIn(approved), looked.shown.targets);
    const question = newQuestion(now(), looked.shown, consentOf(approved));
    await askAgain(approved, question, changedSince(approved, other));
    await outbox.send(...looked.more);
  }

  /** It is as it was shown: it runs now, or is held until its time. */
  async function goOnWith(press: Press, approved: Action, command: AnyChange): Promise<void> {
    // The look took its time, and a role may be gone since the click.
    const obstacle = await approvals.obstacle(approved, command);
    if (obstacle !== undefined) return giveUp(press, approved, obstacle.code, explain(obstacle).headline);
    const later = startOf(approved, now());
    if (later !== undefined) {
      const mention = await mentionedOfApproved(parts, approved);
      const told = mention && say`${mention.opening} It is planned for ${startInWords(later)}.`;
      return hold(parts, press, approved, later, {}, told && tellBelow(approved, { headline: told }));
    }
    const { start } = shownOf(approved) ?? {};
    if (start !== undefined && now() > start.latest)
      return giveUp(press, approved, 'too_late', tooLate(start.at).why);
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
    const again = consent === undefined ? '' : ' Whoever approved it before must approve it again.';
    return other === undefined
      ? say`This is not what you were shown a moment ago, so no changes were made. Look again before you press.${again}`
      : say`${other} No changes were made. Look again before you press.${again}`;
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
  async function giveUp(press: Press, approved: Action, code: string, why: Text): Promise<void> {
    const outcome = { code, says: plainText(why) };
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

export const unreadable = say`What was agreed to can no longer be read, so no changes were made. Please type the command again.`;
export const internal = say`An internal error occurred before anything was sent, so no changes were made.`;
export const notHere = (appliance: string): Text =>
  say`${appliance} is no longer configured for this channel. No changes were made.`;
