import type { AnyChange, AnyCommand } from '../handlers/command.ts';
import {
  code,
  type Field,
  person,
  plainText,
  type Reply,
  type Span,
  say,
  type Text,
} from '../handlers/reply.ts';
import type { Action } from '../journal/journal.ts';
import { type AgreedParts, createAgreed, inView, newQuestion } from './agreed.ts';
import { faultIn, type Look, look } from './aim.ts';
import { createApprovals } from './approval/approvals.ts';
import { type Consent, consentToStore, lends } from './approval/consent.ts';
import { isWithheld } from './card.ts';
import { gotOut, type Invocation, type Listener, type Press, type Settled, type Submission } from './chat.ts';
import { isDenial } from './clerk.ts';
import { explain, type Fault } from './faults.ts';
import { type Aimed, targetsAmong } from './lookup.ts';
import { drawCard, reasonOf } from './outbox.ts';
import { showLooks } from './shown.ts';
import { type Shown, shownOf, shownToStore, type Target } from './stored.ts';

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
  /**
   * Puts what only tells something before those whose consent it takes, as it was typed: a lookup, an info, what a change
   * would send. `left`: where it could not be asked, and why.
   */
  readonly request: (
    to: Invocation,
    action: Action,
    command: AnyCommand,
    targets: readonly Target[],
    left: readonly Field[],
    consent: Consent,
  ) => Promise<void>;
  readonly press: (press: Press) => Promise<void>;
  /** Takes the form in which somebody says why they deny. Undefined when the submission is of another form. */
  readonly submit: (submission: Submission) => Promise<Settled | undefined>;
  /** Ends a card whose time is over. */
  readonly expire: (action: Action) => Promise<void>;
}

export function createConfirmation(parts: Omit<AgreedParts, 'approvals'>): Confirmation {
  const { commandByPhrase, journal, chat, whisper, witness, story, outbox, contexts, vault, now, run } =
    parts;
  const approvals = createApprovals({ ...parts, end: endInTime });
  const act = createAgreed({ ...parts, approvals });

  return {
    propose: async (to, action, command, aims, consent) => {
      const looks = await inView(parts, to, lookAt(action, command, aims));
      const seen = showLooks(command, looks);
      // Whoever may not run it does not learn what there is by being refused: that is for those who may.
      const isHidden = seen === undefined && consent !== undefined && lends(consent);
      const shown = isHidden ? showObstacles(action, command, aims, looks) : seen;
      if (shown === undefined) return refuse(to, action, faultIn(looks));
      // An undo was agreed to by its click. What hits several appliances is a question whatever its effect.
      const isAgreed = to.agreed === true || (command.effect === 'write' && looks.length === 1);
      return isAgreed && consent === undefined
        ? runAtOnce(to, action, command, shown)
        : ask(to, action, shown, consent);
    },

    request: (to, action, command, targets, left, consent) => {
      const question = wishes[command.kind](person(action.person), code(action.line));
      return ask(to, action, { question, fields: left, targets }, consent);
    },

    press: async (press) => {
      const action = await actionOf(press);
      const command = commandByPhrase.get(action?.phrase ?? '');
      if (action === undefined || command === undefined) {
        return whisper(press, explain({ code: 'card_gone' }));
      }
      const isOthers = press.button === 'approve' || press.button === 'deny';
      // The buttons of one kind of card say nothing on the other.
      if (
        isOthers ? action.consent === undefined : press.button === 'confirm' && action.consent !== undefined
      ) {
        return decline(press, action, { code: 'card_gone' });
      }
      if (!isOthers && press.person !== action.person) {
        const asker = action.person;
        return decline(
          press,
          action,
          command.kind !== 'change' || action.consent !== undefined
            ? { code: 'not_yours_to_withdraw', asker }
            : { code: 'not_yours', asker, verb: command.verb },
        );
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

  /** There is nothing to act on anywhere, or nobody may any more. */
  async function refuse(to: Listener, action: Action, fault: Fault): Promise<void> {
    const reply = explain(fault);
    const state = fault.code === 'appliance' || fault.code === 'file' ? 'failed' : 'refused';
    await journal.move(action, state, { outcome: outcomeOf(fault, reply) });
    await vault.forget(action.id);
    return whisper(to, reply, action.id);
  }

  async function runAtOnce(to: Listener, action: Action, command: AnyChange, shown: Shown): Promise<void> {
    const preview = shownToStore(shown);
    // The look took its time, and a role may be gone since it was asked.
    const obstacle = await approvals.obstacle({ ...action, preview }, command);
    if (obstacle !== undefined) return refuse(to, action, obstacle);
    const messages = [drawCard(action, 'running')];
    const running = await journal.move(action, 'running', { preview, messages });
    if (running === undefined) return;
    const delivered = await outbox.deliver(messages, running);
    // What nobody can see is not done.
    if (delivered.kind !== 'sent') {
      const reply = explain({ code: 'cannot_post', reason: reasonOf(delivered) });
      const words = say`${reply.headline} Nothing was done.`;
      await journal.move(running, 'failed', { outcome: { code: 'cannot_post', says: plainText(words) } });
      await vault.forget(running.id);
      return whisper(to, { headline: words });
    }
    return run(to, (await journal.byId(running.id)) ?? running, command);
  }

  async function ask(
    to: Listener,
    action: Action,
    shown: Shown,
    consent: Consent | undefined,
  ): Promise<void> {
    const messages = [drawCard(action, 'waiting')];
    const waiting = await journal.move(action, 'waiting', {
      ...newQuestion(now(), shown, consent),
      ...(consent !== undefined && { consent: consentToStore(consent) }),
      messages,
    });
    if (waiting === undefined) return;
    const delivered = await outbox.deliver(messages, waiting);
    // A question that comes late is still one, until its time is over.
    if (delivered.kind !== 'refused') return;
    const fault: Fault = { code: 'cannot_post', reason: delivered.code };
    const reply = explain(fault);
    const outcome = outcomeOf(fault, reply);
    const cancelled = await journal.move(waiting, 'cancelled', { outcome }, waiting.token);
    if (cancelled !== undefined) await whisper(to, { headline: say`${reply.headline} Nothing was done.` });
  }

  async function actionOf(press: Press): Promise<Action | undefined> {
    const action = await journal.byToken(press.token);
    if (action === undefined || action.channel !== press.channel) return undefined;
    if (action.card !== undefined || press.whispered) return action;
    // A click can overtake the note of where the card stands.
    await journal.placed(action.id, press.card);
    return { ...action, card: press.card };
  }

  async function approve(press: Press, action: Action, command: AnyCommand): Promise<void> {
    if (isOver(action)) return tooLate(press, action);
    if (isWithheld(action, command) && !press.whispered) return showAlone(press, action, command);
    const approved = await approvals.approve(press, action, command);
    if (approved.kind === 'fault') return decline(press, action, approved.fault);
    if (press.whispered) await putAway(press);
    if (approved.kind === 'enough') return confirm(press, action, command);
    // Somebody else's click may have been enough meanwhile, and has drawn the card then.
    const current = await journal.byId(action.id);
    if (current?.state !== 'waiting') return;
    await story.draw(current);
    if (approved.because !== undefined) await whisper(press, explain(approved.because));
  }

  /** You approve what you saw: to whoever may, and to nobody else, the preview that the card withholds. */
  async function showAlone(press: Press, action: Action, command: AnyCommand): Promise<void> {
    const fault = await approvals.bar(press, action, command);
    if (fault !== undefined) return decline(press, action, fault);
    const { question, fields } = shownOf(action) ?? { question: say`${code(action.line)}`, fields: [] };
    const { token } = press;
    await chat.whisper(press, {
      headline: say`${question} Only you see what it would hit.`,
      details: [
        { kind: 'fields', fields },
        {
          kind: 'buttons',
          buttons: [
            { press: 'approve', label: 'Yes, approve', token, style: 'primary' },
            { press: 'deny', label: 'Deny…', token, style: 'danger' },
          ],
        },
      ],
    });
  }

  /** Its buttons have done their work. */
  async function putAway({ channel, card, replyTo }: Press): Promise<void> {
    if (replyTo === undefined) return;
    await gotOut(chat.amend({ channel, ts: card, replyTo }, { headline: say`You have approved this.` }));
  }

  async function deny(press: Press, action: Action, command: AnyCommand): Promise<void> {
    if (isOver(action)) return tooLate(press, action);
    const fault = await approvals.askWhy(press, action, command);
    if (fault !== undefined) return decline(press, action, fault);
  }

  async function confirm(press: Press, action: Action, command: AnyCommand): Promise<void> {
    const obstacle = await approvals.obstacle(action, command);
    if (obstacle !== undefined) return decline(press, action, obstacle);
    if (isOver(action)) return tooLate(press, action);
    // By token: a click on an earlier question must not confirm the one that has taken its place.
    const decidedBy = press.person;
    const approved = await journal.move(action, 'approved', { decidedBy }, press.token);
    if (approved === undefined) return tellWhoWasFirst(press, action);
    return act(press, approved, command);
  }

  async function tooLate(press: Press, action: Action): Promise<void> {
    await expire(action);
    return tellWhoWasFirst(press, action);
  }

  async function cancel(press: Press, action: Action): Promise<void> {
    const headline = say`${action.consent === undefined ? 'Cancelled' : 'Withdrawn'} by ${person(press.person)}. Nothing was done.`;
    if (!(await endAs(action, press.person, 'cancelled', headline))) return tellWhoWasFirst(press, action);
  }

  /** Ends what waits for a click. False when somebody else was first, or its question is another one by now. */
  async function endAs(action: Action, by: string, code: string, headline: Text): Promise<boolean> {
    const outcome = { code, says: plainText(headline) };
    const words = { headline, token: action.token, ...(by !== action.person && calling(action, headline)) };
    const ended = await story.move(action, 'cancelled', { outcome, decidedBy: by }, words);
    if (ended === undefined) return false;
    await vault.forget(action.id);
    return true;
  }

  /** The same for a form, which may have lain open until the time was over. */
  async function endInTime(...[action, ...how]: Parameters<typeof endAs>): Promise<boolean> {
    if (!isOver(action)) return endAs(action, ...how);
    await expire(action);
    return false;
  }

  /** A card that only changes tells nobody: whoever waited for others is called. */
  function calling(action: Action, headline: Text): { readonly story?: Reply } {
    return action.consent === undefined
      ? {}
      : { story: { headline: say`${person(action.person)}: ${headline}` } };
  }

  async function expire(action: Action): Promise<void> {
    const verb = action.consent === undefined ? 'confirmed' : 'approved it';
    const headline = say`Nobody ${verb} in time, so nothing was done.`;
    const outcome = { code: 'expired', says: plainText(headline) };
    const words = { headline, token: action.token, ...calling(action, headline) };
    const expired = await story.move(action, 'expired', { outcome }, words);
    if (expired !== undefined) await vault.forget(action.id);
  }

  async function tellWhoWasFirst(press: Press, action: Action): Promise<void> {
    const current = (await journal.byId(action.id)) ?? action;
    await decline(press, action, { code: 'already', action: current, clicker: press.person });
  }

  /**
   * A click that does nothing: whoever pressed is told why, and it goes into the record. That somebody may not press there
   * has one of its own, in which they are who did it.
   */
  async function decline(press: Press, action: Action, fault: Fault): Promise<void> {
    const { person: by, button } = press;
    const why = fault.code === 'denied' ? fault.denial.code : fault.code;
    // Where whoever asked may not any more, others have pressed what was theirs.
    const isTheirs = fault.code === 'asker_denied' && by !== action.person;
    const { id, line, phrase } = action;
    if (isDenial(why) && !isTheirs) await witness.decline(press, { line, phrase, action: id }, fault);
    else await whisper(press, explain(fault));
    await journal.note(id, { kind: 'click_refused', content: { person: by, button, code: why } });
  }

  function isOver({ expiresAt }: Action): boolean {
    return expiresAt !== undefined && expiresAt <= now();
  }
}

/** What those who could approve it are shown, alone, of what cannot be done. It stands for no preview that there will be. */
function showObstacles(
  { line }: Action,
  command: AnyChange,
  aims: readonly Aimed[],
  looks: readonly Look[],
): Shown {
  return {
    question: say`${code(line)}`,
    fields: looks.flatMap((one) =>
      one.kind === 'ready' ? [] : [{ name: one.appliance, value: explain(one.fault).headline }],
    ),
    targets: targetsAmong(command, aims).targets.map((target) => ({ ...target, subject: { nothing: true } })),
  };
}

/** What somebody wants to be told, as a question to those who may agree. */
const wishes: Readonly<Record<AnyCommand['kind'], (asker: Span, line: Span) => Text>> = {
  lookup: (asker, line) => say`Look this up for ${asker}: ${line}?`,
  info: (asker, line) => say`Tell ${asker} this: ${line}?`,
  change: (asker, line) => say`Show ${asker} what this would send: ${line}?`,
};

/** The command of an action, if it is one that changes something and still exists. */
export function changeOf(
  commandByPhrase: ReadonlyMap<string, AnyCommand>,
  action: Action | undefined,
): AnyChange | undefined {
  const command = commandByPhrase.get(action?.phrase ?? '');
  return command?.kind === 'change' ? command : undefined;
}

const outcomeOf = (fault: Fault, reply: Reply) => ({ code: fault.code, says: plainText(reply.headline) });
