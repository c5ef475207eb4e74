import { allowedIn, type Fleet } from '../auth/targets.ts';
import type { AnyChange, AnyCommand } from '../handlers/command.ts';
import { person, plainText, type Reply, say, type Text } from '../handlers/reply.ts';
import { newId } from '../journal/id.ts';
import type { Action } from '../journal/journal.ts';
import { aimOf, isSame, type Look, look } from './aim.ts';
import { changeCard } from './card.ts';
import { ChatRefused, type Invocation, type Listener, type Press } from './chat.ts';
import { explain, type Fault } from './faults.ts';
import type { Aimed } from './lookup.ts';
import type { Parts } from './parts.ts';
import { type After, saidWhenSlow } from './patience.ts';
import type { Run } from './run.ts';
import { showLooks } from './shown.ts';
import { holdsSecret, type Shown, shownToStore, targetsIn } from './stored.ts';

/** The second half of the way of a change: looked at, put before the person if it is dangerous, and run (`run.ts`). */
export interface Confirmation {
  /** Takes the preview. What can be put back runs at once; anything else becomes a card with buttons in the channel. */
  readonly propose: (
    to: Invocation,
    action: Action,
    command: AnyChange,
    aims: readonly Aimed[],
  ) => Promise<void>;
  readonly press: (press: Press) => Promise<void>;
  /** Ends a card whose time is over. */
  readonly expire: (action: Action) => Promise<void>;
}

/** How long a card waits for a click, in milliseconds. */
const lifetime = 5 * 60_000;

export function createConfirmation(
  parts: Parts & { readonly run: Run; readonly after: After; readonly fleet: Fleet },
): Confirmation {
  const { commandByPhrase, authority, appliances, journal, chat, whisper, story, contexts, vault, now, run } =
    parts;

  return {
    propose: async (to, action, command, aims) => {
      const looks = await inView(to, lookAt(action, command, aims));
      const shown = showLooks(command, looks);
      if (shown === undefined) return refuse(to, action, looks);
      // An undo was agreed to by its click. What hits several appliances is a question whatever its effect.
      const isAgreed = to.agreed === true || (command.effect === 'write' && looks.length === 1);
      return isAgreed ? runAtOnce(to, action, command, shown) : ask(to, action, command, shown);
    },

    press: async (press) => {
      const action = await actionOf(press);
      const command = changeOf(commandByPhrase, action);
      if (action === undefined || command === undefined) {
        return whisper(press, explain({ code: 'card_gone' }));
      }
      if (press.person !== action.person) {
        return whisper(press, explain({ code: 'not_yours', asker: action.person, verb: command.verb }));
      }
      if (action.state !== 'waiting') return tellWhoWasFirst(press, action);
      return press.button === 'cancel' ? cancel(press, action) : confirm(press, action, command);
    },

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

  async function ask(to: Listener, action: Action, command: AnyChange, shown: Shown): Promise<void> {
    const waiting = await journal.move(action, 'waiting', question(shown));
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

  async function confirm(press: Press, action: Action, command: AnyChange): Promise<void> {
    const decision = await authority.decide(command, press.person, press.channel);
    if (!decision.allow) {
      return whisper(press, explain(await authority.fault(decision.denial, press.channel)));
    }
    if (isOver(action)) {
      await expire(action);
      return tellWhoWasFirst(press, action);
    }
    // By token: a click on an earlier question must not confirm the one that has taken its place.
    const decidedBy = press.person;
    const approved = await journal.move(action, 'approved', { decidedBy }, press.token);
    if (approved === undefined) return tellWhoWasFirst(press, action);
    try {
      await lookAgain(press, approved, command);
    } catch (error) {
      const words = say`Something went wrong inside the bot before anything was sent, so nothing was done.`;
      await giveUp(press, approved, 'internal', words);
      throw error;
    }
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
      return askAgain(approved, { token: newId(), expiresAt: now() + lifetime }, words);
    }
    if (!isSame(then, shown.targets)) {
      const notice = say`This is not what you were shown a moment ago, so nothing was done. Look again before you press.`;
      return askAgain(approved, question(shown), notice);
    }
    const running = await journal.move(approved, 'running');
    if (running === undefined) return;
    // The buttons go away while the appliance works; neither waits for the other.
    const drawn = Promise.allSettled([story.draw(running)]);
    await run(press, running, command);
    await drawn;
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
    const headline = say`Cancelled by ${person(press.person)}. Nothing was done.`;
    const outcome = { code: 'cancelled', says: plainText(headline) };
    const decidedBy = press.person;
    const cancelled = await journal.move(action, 'cancelled', { outcome, decidedBy }, press.token);
    if (cancelled === undefined) return tellWhoWasFirst(press, action);
    vault.forget(action.id);
    await story.draw(cancelled, { headline });
  }

  async function expire(action: Action): Promise<void> {
    const headline = say`Nobody confirmed in time, so nothing was done.`;
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

  function question(shown: Shown) {
    return { token: newId(), expiresAt: now() + lifetime, preview: shownToStore(shown) };
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
