import { allowedIn, type Fleet } from '../auth/targets.ts';
import type { AnyChange, AnyCommand, AnyLookup } from '../handlers/command.ts';
import { code, person, plainText, type Reply, say, type Text } from '../handlers/reply.ts';
import { newId } from '../journal/id.ts';
import type { Action } from '../journal/journal.ts';
import { type Aim, aimOf, isSame, type Look, look } from './aim.ts';
import type { Alarm } from './alarm.ts';
import { createApprovals } from './approvals.ts';
import { changeCard } from './card.ts';
import {
  ChatRefused,
  type Invocation,
  type Listener,
  type Press,
  type Settled,
  type Submission,
} from './chat.ts';
import { type Consent, consentOf, consentToStore } from './consent.ts';
import { explain, type Fault } from './faults.ts';
import type { Aimed, Lookups } from './lookup.ts';
import type { Parts } from './parts.ts';
import { type After, saidWhenSlow } from './patience.ts';
import type { Run } from './run.ts';
import { showLooks } from './shown.ts';
import { argsToStore, holdsSecret, type Shown, shownToStore, targetsIn } from './stored.ts';

/** The second half of the way of a change: looked at, put before the person if it is dangerous, and run (`run.ts`). */
export interface Confirmation {
  /**
   * Takes the preview. What can be put back runs at once; anything else becomes a card with buttons in the channel, for
   * whoever asked or for those whose consent it takes.
   */
  readonly propose: (
    to: Invocation,
    action: Action,
    command: AnyChange,
    aims: readonly Aimed[],
    consent: Consent | undefined,
  ) => Promise<void>;
  /** Puts a lookup before those whose consent it takes; it is shown as it was typed. */
  readonly request: (
    to: Invocation,
    action: Action,
    command: AnyLookup,
    aims: readonly Aim[],
    consent: Consent,
  ) => Promise<void>;
  readonly press: (press: Press) => Promise<void>;
  /** Takes the form in which somebody says why they deny. Undefined when the submission is of another form. */
  readonly submit: (submission: Submission) => Promise<Settled | undefined>;
  /** Ends a card whose time is over. */
  readonly expire: (action: Action) => Promise<void>;
}

type Runnable = AnyChange | AnyLookup;

/** How long a card waits for the click of whoever asked, in milliseconds. */
const lifetime = 5 * 60_000;

export function createConfirmation(
  parts: Parts & {
    readonly run: Run;
    readonly lookups: Lookups;
    readonly after: After;
    readonly fleet: Fleet;
    readonly alarm: Alarm;
  },
): Confirmation {
  const { commandByPhrase, authority, appliances, journal, chat, whisper, story, contexts, vault, now, run } =
    parts;
  const approvals = createApprovals({ ...parts, end: endAs });

  return {
    propose: async (to, action, command, aims, consent) => {
      const looks = await inView(to, lookAt(action, command, aims));
      const shown = showLooks(command, looks);
      if (shown === undefined) return refuse(to, action, looks);
      // An undo was agreed to by its click. What hits several appliances is a question whatever its effect.
      const isAgreed = to.agreed === true || (command.effect === 'write' && looks.length === 1);
      return isAgreed && consent === undefined
        ? runAtOnce(to, action, command, shown)
        : ask(to, action, command, shown, consent);
    },

    request: (to, action, command, aims, consent) => {
      const targets = aims.map(({ appliance, args }) => ({
        appliance: appliance.name,
        args: argsToStore(command, args),
        subject: {},
      }));
      const question = say`Look this up for ${person(action.person)}: ${code(action.line)}?`;
      return ask(to, action, command, { question, fields: [], targets }, consent);
    },

    press: async (press) => {
      const action = await actionOf(press);
      const command = commandByPhrase.get(action?.phrase ?? '');
      if (action === undefined || command === undefined || command.kind === 'info') {
        return whisper(press, explain({ code: 'card_gone' }));
      }
      const isOthers = press.button === 'approve' || press.button === 'deny';
      // The buttons of one kind of card say nothing on the other.
      if (
        isOthers ? action.consent === undefined : press.button === 'confirm' && action.consent !== undefined
      ) {
        return whisper(press, explain({ code: 'card_gone' }));
      }
      if (!isOthers && press.person !== action.person) {
        const verb = command.kind === 'change' && action.consent === undefined ? command.verb : 'Withdraw';
        return whisper(press, explain({ code: 'not_yours', asker: action.person, verb }));
      }
      if (action.state !== 'waiting') return tellWhoWasFirst(press, action);
      switch (press.button) {
        case 'approve':
          return approve(press, action, command);
        case 'deny':
          return deny(press, action, command);
        case 'cancel':
          return cancel(press, action);
        default:
          return confirm(press, action, command);
      }
    },

    submit: approvals.submit,

    expire: (action) => expire(action),
  };

  /** An appliance may be slow, and a file long. */
  function inView<Seen>(to: Listener, looking: Promise<Seen>): Promise<Seen> {
    const words = say`I am still looking at what that would hit. Nothing was done so far.`;
    return saidWhenSlow(parts.after, () => whisper(to, { headline: words }), looking);
  }

  function lookAt(action: Action, command: AnyChange, aims: readonly Aimed[]): Promise<readonly Look[]> {
    return Promise.all(
      aims.map(
        async ({ appliance, aimed }): Promise<Look> =>
          aimed.ok
            ? look(command, aimed.aim, contexts.asking(action, aimed.aim))
            : { kind: 'fault', appliance: appliance.name, fault: aimed.fault },
      ),
    );
  }

  /** Nothing to act on anywhere. */
  async function refuse(to: Listener, action: Action, looks: readonly Look[]): Promise<void> {
    const fault = faultOf(looks);
    const reply = explain(fault);
    const state = fault.code === 'appliance' || fault.code === 'file' ? 'failed' : 'refused';
    await journal.move(action, state, { outcome: outcomeOf(fault, reply) });
    vault.forget(action.id);
    return whisper(to, reply, action.id);
  }

  async function runAtOnce(to: Listener, action: Action, command: AnyChange, shown: Shown): Promise<void> {
    const running = await journal.move(action, 'running', { preview: shownToStore(shown) });
    if (running === undefined) return;
    let card: string;
    try {
      card = await chat.show(changeCard(running, command));
    } catch (error) {
      if (!(error instanceof ChatRefused)) throw error;
      const reply = explain({ code: 'cannot_post', reason: error.code });
      const words = say`${reply.headline} Nothing was done.`;
      await journal.move(running, 'failed', { outcome: { code: 'cannot_post', says: plainText(words) } });
      vault.forget(running.id);
      return whisper(to, { headline: words });
    }
    await journal.placed(running.id, card);
    return run(to, { ...running, card }, command);
  }

  async function ask(
    to: Listener,
    action: Action,
    command: Runnable,
    shown: Shown,
    consent: Consent | undefined,
  ): Promise<void> {
    const waiting = await journal.move(action, 'waiting', {
      ...question(shown, consent),
      ...(consent !== undefined && { consent: consentToStore(consent) }),
    });
    if (waiting === undefined) return;
    try {
      await journal.placed(waiting.id, await chat.show(changeCard(waiting, command)));
    } catch (error) {
      if (!(error instanceof ChatRefused)) throw error;
      const fault: Fault = { code: 'cannot_post', reason: error.code };
      const reply = explain(fault);
      const cancelled = await journal.move(
        waiting,
        'cancelled',
        { outcome: outcomeOf(fault, reply) },
        waiting.token,
      );
      // A card can stand although its posting seemed to fail, and then somebody may have pressed it.
      if (cancelled !== undefined) await whisper(to, { headline: say`${reply.headline} Nothing was done.` });
    }
  }

  async function actionOf(press: Press): Promise<Action | undefined> {
    const action = await journal.byToken(press.token);
    if (action === undefined || action.channel !== press.channel) return undefined;
    if (action.card !== undefined) return action;
    // A click can overtake the note of where the card stands.
    await journal.placed(action.id, press.card);
    return { ...action, card: press.card };
  }

  async function approve(press: Press, action: Action, command: Runnable): Promise<void> {
    if (isOver(action)) return tooLate(press, action);
    const approved = await approvals.approve(press, action, command);
    if (approved.kind === 'fault') return whisper(press, explain(approved.fault));
    if (approved.kind === 'enough') return confirm(press, action, command);
    // Somebody else's click may have been enough meanwhile, and has drawn the card then.
    const current = await journal.byId(action.id);
    if (current?.state === 'waiting') await story.draw(current);
  }

  async function deny(press: Press, action: Action, command: Runnable): Promise<void> {
    if (isOver(action)) return tooLate(press, action);
    const fault = await approvals.askWhy(press, action, command);
    if (fault !== undefined) return whisper(press, explain(fault));
  }

  async function confirm(press: Press, action: Action, command: Runnable): Promise<void> {
    const obstacle = await approvals.obstacle(action, command);
    if (obstacle !== undefined) return whisper(press, explain(obstacle));
    if (isOver(action)) return tooLate(press, action);
    // By token: a click on an earlier question must not confirm the one that has taken its place.
    const decidedBy = press.person;
    const approved = await journal.move(action, 'approved', { decidedBy }, press.token);
    if (approved === undefined) return tellWhoWasFirst(press, action);
    try {
      await (command.kind === 'lookup'
        ? lookUp(press, approved, command)
        : lookAgain(press, approved, command));
    } catch (error) {
      const words = say`Something went wrong inside the bot before anything was sent, so nothing was done.`;
      await giveUp(press, approved, 'internal', words);
      throw error;
    }
  }

  async function tooLate(press: Press, action: Action): Promise<void> {
    await expire(action);
    return tellWhoWasFirst(press, action);
  }

  /** A lookup that somebody has stood up for: its answer takes the place of the card. */
  async function lookUp(press: Press, approved: Action, command: AnyLookup): Promise<void> {
    const running = await journal.move(approved, 'running');
    if (running === undefined) return;
    const { team, channel, line } = running;
    const aims = targetsIn(running).flatMap((target): Aimed[] => {
      const appliance = appliances.get(target.appliance);
      return appliance === undefined
        ? []
        : [{ appliance, aimed: { ok: true, aim: aimOf(target, appliance) } }];
    });
    await parts.lookups.answer({ team, channel, line, person: running.person }, running, command, aims);
    const approval = say`${person(press.person)} approved this for ${person(running.person)}.`;
    await story.add(running, approval);
  }

  /** You confirm what you saw (design, rule 7): only what is there now and was shown then is acted upon. */
  async function lookAgain(press: Press, approved: Action, command: AnyChange): Promise<void> {
    if (holdsSecret(command, approved.args) && vault.get(approved.id) === undefined) {
      const words = say`I was restarted since you filled in the form, and I keep no passwords. Nothing was done. Please type the command again.`;
      return giveUp(press, approved, 'secret_forgotten', words);
    }
    const then = targetsIn(approved);
    const here = authority.channel(approved.channel);
    const allowed = here === undefined ? [] : allowedIn(here, parts.fleet);
    const gone = then.find(({ appliance }) => !allowed.includes(appliance));
    if (gone !== undefined) {
      const words = say`${gone.appliance} is no longer configured for this channel. Nothing was done.`;
      return giveUp(press, approved, 'no_appliance', words);
    }
    const looks = await inView(
      press,
      Promise.all(
        then.map(async (target): Promise<Look> => {
          const aim = aimOf(target, appliances.get(target.appliance) as never);
          return look(command, aim, contexts.asking(approved, aim));
        }),
      ),
    );
    const shown = showLooks(command, looks);
    if (shown === undefined) {
      const fault = faultOf(looks);
      const words = explain(fault).headline;
      if (fault.code === 'nothing_to_act_on') return giveUp(press, approved, fault.code, words);
      // The appliance did not show what would be hit, so the same question stands again, with buttons that work.
      const { token, expiresAt } = question(undefined, consentOf(approved));
      return askAgain(approved, { token, expiresAt }, words);
    }
    if (!isSame(then, shown.targets)) {
      const notice = say`This is not what you were shown a moment ago, so nothing was done. Look again before you press.`;
      return askAgain(approved, question(shown, consentOf(approved)), notice);
    }
    // The look took its time, and a role may be gone since the click.
    const obstacle = await approvals.obstacle(approved, command);
    if (obstacle !== undefined) return giveUp(press, approved, obstacle.code, explain(obstacle).headline);
    const running = await journal.move(approved, 'running');
    if (running === undefined) return;
    const alarmed = parts.alarm(running);
    // The buttons go away while the appliance works; neither waits for the other.
    const drawn = Promise.allSettled([story.draw(running)]);
    await run(press, running, command);
    await Promise.all([drawn, alarmed]);
  }

  async function askAgain(
    approved: Action,
    again: Partial<ReturnType<typeof question>>,
    notice: Text,
  ): Promise<void> {
    const waiting = await journal.move(approved, 'waiting', again);
    if (waiting !== undefined) await story.draw(waiting, { notice });
  }

  async function cancel(press: Press, action: Action): Promise<void> {
    const headline = say`${action.consent === undefined ? 'Cancelled' : 'Withdrawn'} by ${person(press.person)}. Nothing was done.`;
    if (!(await endAs(action, press.person, 'cancelled', headline))) return tellWhoWasFirst(press, action);
  }

  /** Ends what waits for a click. False when somebody else was first, or its question is another one by now. */
  async function endAs(action: Action, by: string, code: string, headline: Text): Promise<boolean> {
    const outcome = { code, says: plainText(headline) };
    const ended = await journal.move(action, 'cancelled', { outcome, decidedBy: by }, action.token);
    if (ended === undefined) return false;
    vault.forget(action.id);
    await story.draw(ended, { headline });
    return true;
  }

  async function expire(action: Action): Promise<void> {
    const verb = action.consent === undefined ? 'confirmed' : 'approved it';
    const headline = say`Nobody ${verb} in time, so nothing was done.`;
    const outcome = { code: 'expired', says: plainText(headline) };
    const expired = await journal.move(action, 'expired', { outcome }, action.token);
    if (expired === undefined) return;
    vault.forget(action.id);
    await story.draw(expired, { headline });
  }

  /** A confirmed action that must not run after all. */
  async function giveUp(press: Press, approved: Action, code: string, why: Text): Promise<void> {
    const outcome = { code, says: plainText(why) };
    const cancelled = await journal.move(approved, 'cancelled', { outcome });
    if (cancelled === undefined) return;
    vault.forget(approved.id);
    await story.close(cancelled, why, { headline: why }, press);
  }

  async function tellWhoWasFirst(press: Press, action: Action): Promise<void> {
    const current = (await journal.byId(action.id)) ?? action;
    await whisper(press, explain({ code: 'already', action: current, clicker: press.person }));
  }

  function isOver({ expiresAt }: Action): boolean {
    return expiresAt !== undefined && expiresAt <= now();
  }

  /** A new question, which approvals of an earlier one say nothing to. */
  function question(shown: Shown | undefined, consent: Consent | undefined) {
    const expiresAt = now() + (consent?.open ?? lifetime);
    return { token: newId(), expiresAt, ...(shown !== undefined && { preview: shownToStore(shown) }) };
  }
}

/** The command of an action, if it is one that changes something and still exists. */
export function changeOf(
  commandByPhrase: ReadonlyMap<string, AnyCommand>,
  action: Action | undefined,
): AnyChange | undefined {
  const command = commandByPhrase.get(action?.phrase ?? '');
  return command?.kind === 'change' ? command : undefined;
}

/** Why there is nothing to act on: the reason of the one appliance, or of each of several. */
function faultOf(looks: readonly Look[]): Fault {
  const faults = looks.flatMap((one) => (one.kind === 'fault' ? [one] : []));
  const [only] = faults;
  if (only === undefined) throw new Error('There is something to act on');
  return faults.length === 1 ? only.fault : { code: 'on_no_appliance', faults };
}

const outcomeOf = (fault: Fault, reply: Reply) => ({ code: fault.code, says: plainText(reply.headline) });
