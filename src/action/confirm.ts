import { isApplianceFailure } from '../api/index.ts';
import type { AnyCommand, OnAppliance, Preview } from '../handlers/command.ts';
import { person, plainText, type Reply, say, type Text } from '../handlers/reply.ts';
import { newId } from '../journal/id.ts';
import type { Action } from '../journal/journal.ts';
import { changeCard, isSameSubject } from './card.ts';
import { ChatRefused, type Listener, type Press } from './chat.ts';
import { explain, type Fault } from './faults.ts';
import type { Parts } from './parts.ts';
import { createRun } from './run.ts';
import { contextOf, shownToStore } from './stored.ts';

/** The second half of the way of a change: put before the person, and confirmed by a click. Then `run.ts` takes over. */
export interface Confirmation {
  /** Fetches the preview and puts the card with its buttons into the channel. */
  readonly propose: (
    to: Listener,
    action: Action,
    command: Change,
    context: OnAppliance<never>,
  ) => Promise<void>;
  readonly press: (press: Press) => Promise<void>;
  /** Ends a card whose time is over. */
  readonly expire: (action: Action) => Promise<void>;
}

export type Change = Extract<AnyCommand, { kind: 'change' }>;

/** How long a card waits for a click, in milliseconds. */
const lifetime = 5 * 60_000;

export function createConfirmation(parts: Parts): Confirmation {
  const { commandByPhrase, authority, appliances, journal, chat, story, now } = parts;
  const run = createRun(parts);

  return {
    propose: async (to, action, command, context) => {
      const preview = await look(command, context);
      if (preview.kind === 'fault') {
        const reply = explain(preview.fault);
        const state = preview.fault.code === 'nothing_to_act_on' ? 'refused' : 'failed';
        await journal.move(action, state, { outcome: outcomeOf(preview.fault, reply) });
        return chat.whisper(to, reply);
      }
      const waiting = await journal.move(action, 'waiting', freshQuestion(preview));
      if (waiting === undefined) return;
      try {
        await journal.placed(waiting.id, await chat.show(changeCard(waiting, command)));
      } catch (error) {
        if (!(error instanceof ChatRefused)) throw error;
        const fault: Fault = { code: 'cannot_post', reason: error.code };
        const reply = explain(fault);
        const outcome = outcomeOf(fault, reply);
        const cancelled = await journal.move(waiting, 'cancelled', { outcome }, waiting.token);
        // A card can stand although its posting seemed to fail, and then somebody may have pressed it.
        if (cancelled !== undefined)
          await chat.whisper(to, { headline: say`${reply.headline} Nothing was done.` });
      }
    },

    press: async (press) => {
      const action = await actionOf(press);
      const command = action === undefined ? undefined : commandByPhrase.get(action.phrase ?? '');
      if (action === undefined || command?.kind !== 'change') {
        return chat.whisper(press, explain({ code: 'card_gone' }));
      }
      if (press.person !== action.person) {
        return chat.whisper(press, explain({ code: 'not_yours', asker: action.person, verb: command.verb }));
      }
      if (action.state !== 'waiting') return tellWhoWasFirst(press, action);
      return press.button === 'cancel' ? cancel(press, action) : confirm(press, action, command);
    },

    expire: (action) => expire(action),
  };

  async function actionOf(press: Press): Promise<Action | undefined> {
    const action = await journal.byToken(press.token);
    if (action === undefined || action.channel !== press.channel) return undefined;
    if (action.card !== undefined) return action;
    // A click can overtake the note of where the card stands.
    await journal.placed(action.id, press.card);
    return { ...action, card: press.card };
  }

  async function confirm(press: Press, action: Action, command: Change): Promise<void> {
    const decision = await authority.decide(command, press.person, press.channel);
    if (!decision.allow) {
      return chat.whisper(press, explain(await authority.fault(decision.denial, press.channel)));
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
  async function lookAgain(press: Press, approved: Action, command: Change): Promise<void> {
    const appliance = appliances.get(approved.appliance ?? '');
    if (appliance === undefined) {
      const words = say`${approved.appliance ?? 'Its appliance'} is no longer configured. Nothing was done.`;
      return giveUp(press, approved, 'no_appliance', words);
    }
    const context = contextOf(approved, appliance, now());
    const preview = await look(command, context);
    if (preview.kind === 'fault') {
      const words = explain(preview.fault).headline;
      if (preview.fault.code === 'nothing_to_act_on')
        return giveUp(press, approved, preview.fault.code, words);
      // The appliance did not show what would be hit, so the same question stands again, with buttons that work.
      return askAgain(approved, { token: newId(), expiresAt: now() + lifetime }, words);
    }
    if (!isSameSubject(approved, preview.subject)) {
      const notice = say`This is not what you were shown a moment ago, so nothing was done. Look again before you press.`;
      return askAgain(approved, freshQuestion(preview), notice);
    }
    const running = await journal.move(approved, 'running');
    if (running !== undefined) await run(press, running, command, context);
  }

  async function askAgain(
    approved: Action,
    question: Partial<ReturnType<typeof freshQuestion>>,
    notice: Text,
  ): Promise<void> {
    const again = await journal.move(approved, 'waiting', question);
    if (again !== undefined) await story.draw(again, { notice });
  }

  async function cancel(press: Press, action: Action): Promise<void> {
    const headline = say`Cancelled by ${person(press.person)}. Nothing was done.`;
    const outcome = { code: 'cancelled', says: plainText(headline) };
    const decidedBy = press.person;
    const cancelled = await journal.move(action, 'cancelled', { decidedBy, outcome }, press.token);
    if (cancelled === undefined) return tellWhoWasFirst(press, action);
    await story.draw(cancelled, { headline });
  }

  async function expire(action: Action): Promise<void> {
    const headline = say`Nobody confirmed in time, so nothing was done.`;
    const outcome = { code: 'expired', says: plainText(headline) };
    const expired = await journal.move(action, 'expired', { outcome }, action.token);
    if (expired !== undefined) await story.draw(expired, { headline });
  }

  /** A confirmed action that must not run after all. */
  async function giveUp(press: Press, approved: Action, code: string, why: Text): Promise<void> {
    const outcome = { code, says: plainText(why) };
    const cancelled = await journal.move(approved, 'cancelled', { outcome });
    if (cancelled !== undefined) await story.close(cancelled, why, { headline: why }, press);
  }

  async function tellWhoWasFirst(press: Press, action: Action): Promise<void> {
    const current = (await journal.byId(action.id)) ?? action;
    await chat.whisper(press, explain({ code: 'already', action: current, clicker: press.person }));
  }

  function isOver({ expiresAt }: Action): boolean {
    return expiresAt !== undefined && expiresAt <= now();
  }

  function freshQuestion(preview: Extract<Preview, { kind: 'ready' }>) {
    return { token: newId(), expiresAt: now() + lifetime, preview: shownToStore(preview) };
  }
}

/** Takes the preview; a failure to do so is an answer too. */
async function look(
  command: Change,
  context: OnAppliance<never>,
): Promise<Extract<Preview, { kind: 'ready' }> | { readonly kind: 'fault'; readonly fault: Fault }> {
  try {
    const preview = await command.preview(context);
    return preview.kind === 'ready'
      ? preview
      : { kind: 'fault', fault: { code: 'nothing_to_act_on', why: preview.why } };
  } catch (error) {
    if (!isApplianceFailure(error)) throw error;
    return {
      kind: 'fault',
      fault: { code: 'appliance', appliance: context.appliance.name, failure: error, stakes: 'preview' },
    };
  }
}

const outcomeOf = (fault: Fault, reply: Reply) => ({ code: fault.code, says: plainText(reply.headline) });
