import type { AnyCommand } from '../../handlers/command.ts';
import { approvals as approvalsCommand } from '../../handlers/conversation/conversation.commands.ts';
import { code, person, say } from '../../handlers/reply.ts';
import type { Action } from '../../journal/journal.ts';
import type { Approvals } from '../approval/approvals.ts';
import { gotOut, type Press, type Submission, type SubmissionResult } from '../base/chat.ts';
import { commandOf, isReadable, shownOf, stepsIn } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { barToCancel } from '../planned/cancel.ts';
import { isWithheld } from '../showing/card.ts';
import { allLines, hasLongPreview } from '../showing/plans/plan-preview.ts';
import { explain } from '../wording/faults.ts';
import type { Endings } from './ending.ts';
import type { Recheck } from './recheck.ts';

/** What a click on the card of something that waits does: it confirms, approves, denies or cancels. */
export interface Clicks {
  readonly press: (press: Press) => Promise<void>;
  /** Takes the form in which somebody says why they deny. Undefined when the submission is of another form. */
  readonly submit: (submission: Submission) => Promise<SubmissionResult | undefined>;
}

export interface ClickParts extends Parts {
  readonly approvals: Approvals;
  readonly endings: Endings;
  readonly recheck: Recheck;
}

/** Carried by the button below a preview that was shown to one person alone. */
const seen = 'seen';

export function createClicks(parts: ClickParts): Clicks {
  const {
    commandByPhrase,
    journal,
    chat,
    whisper,
    interactionLog,
    notifications,
    approvals,
    authority,
    secretStore,
    endings,
    recheck,
  } = parts;
  const decline = interactionLog.declineOn;

  return {
    press: async (press) => {
      const action = await actionOf(press);
      const command = commandOf(commandByPhrase, action);
      if (action === undefined || command === undefined) {
        return whisper(press, explain({ code: 'card_gone' }));
      }
      if (action.state === 'planned' && press.button === 'cancel')
        return cancelPlanned(press, action, command);
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
      // Nobody can agree to what is not understood any more; to take it back is always possible.
      if (press.button !== 'cancel' && !isReadable(action))
        return decline(press, action, { code: 'card_gone' });
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
  };

  async function actionOf(press: Press): Promise<Action | undefined> {
    const action = await journal.byToken(press.token);
    if (action === undefined || action.channel !== press.channel) return undefined;
    const { card } = press;
    if (action.card !== undefined || press.whispered || card === undefined) return action;
    // A click can overtake the note of where the card stands.
    await journal.placed(action.id, card);
    return { ...action, card };
  }

  async function approve(press: Press, action: Action, command: AnyCommand): Promise<void> {
    if (endings.isOver(action)) return tooLate(press, action);
    // The list of what waits for somebody is seen by them alone as well, and does not show it.
    const hasSeen = press.whispered === true && press.detail === seen;
    if (isWithheld(action, command) && !hasSeen) return showAlone(press, action, command);
    const approved = await approvals.approve(press, action, command);
    if (approved.kind === 'fault') return decline(press, action, approved.fault);
    if (press.whispered) await putAway(press, action);
    if (approved.kind === 'enough') return confirm(press, action, command);
    // Somebody else's click may have been enough meanwhile, and has drawn the card then.
    const current = await journal.byId(action.id);
    if (current?.state !== 'waiting') return;
    await notifications.draw(current);
    if (approved.because !== undefined) await whisper(press, explain(approved.because));
  }

  /** You approve what you saw: to whoever may, and to nobody else, the preview that the card withholds. */
  async function showAlone(press: Press, action: Action, command: AnyCommand): Promise<void> {
    const fault = await approvals.bar(press, action, command);
    if (fault !== undefined) return decline(press, action, fault);
    await journal.note(action.id, { kind: 'revealed', content: { person: press.person } });
    const { question, fields } = shownOf(action) ?? {
      question: say`Approve ${code(action.line)}?`,
      fields: [],
    };
    const { token } = press;
    const steps = stepsIn(action);
    if (hasLongPreview(steps)) await whisper(press, allLines(steps), action.id);
    await chat.ephemeral(press, {
      headline: say`${question} Only you see this preview.`,
      details: [
        { kind: 'fields', fields },
        {
          kind: 'buttons',
          buttons: [
            { press: 'approve', label: 'Yes, approve', token, detail: seen, style: 'primary' },
            { press: 'deny', label: 'Deny…', token },
          ],
        },
      ],
    });
  }

  /** Its buttons have done their work. */
  async function putAway({ channel, card, replyTo, detail }: Press, { line }: Action): Promise<void> {
    if (replyTo === undefined || card === undefined) return;
    const headline =
      detail === seen
        ? say`You have approved this.`
        : say`You have approved ${code(line)}. ${code(`/appliance ${approvalsCommand.phrase}`)} shows what else waits for you.`;
    await gotOut(chat.edit({ channel, ts: card, replyTo }, { headline }));
  }

  async function deny(press: Press, action: Action, command: AnyCommand): Promise<void> {
    if (endings.isOver(action)) return tooLate(press, action);
    const fault = await approvals.askWhy(press, action, command);
    if (fault !== undefined) return decline(press, action, fault);
  }

  async function confirm(press: Press, action: Action, command: AnyCommand): Promise<void> {
    const obstacle = await approvals.obstacle(action, command);
    if (obstacle !== undefined) return decline(press, action, obstacle);
    if (endings.isOver(action)) return tooLate(press, action);
    // By token: a click on an earlier question must not confirm the one that has taken its place.
    const decidedBy = press.person;
    const approved = await journal.move(action, 'approved', { decidedBy }, press.token);
    if (approved === undefined) return tellWhoWasFirst(press, action);
    return recheck.afterClick(press, approved, command);
  }

  async function tooLate(press: Press, action: Action): Promise<void> {
    await endings.expire(action);
    return tellWhoWasFirst(press, action);
  }

  async function cancel(press: Press, action: Action): Promise<void> {
    const headline = say`${action.consent === undefined ? 'Canceled' : 'Withdrawn'} by ${person(press.person)}. No changes were made.`;
    if (!(await endings.cancel(action, press.person, 'cancelled', headline)))
      return tellWhoWasFirst(press, action);
  }

  /** By whoever asked, whoever may run it, and whoever may decide about it. */
  async function cancelPlanned(press: Press, action: Action, command: AnyCommand): Promise<void> {
    const fault = await barToCancel({ authority, approvals }, press, action, command);
    if (fault !== undefined) return decline(press, action, fault);
    const headline = say`Canceled by ${person(press.person)} before its time. No changes were made.`;
    // Kept for so long, a password may be at hand nowhere.
    await secretStore.fetch(action.id);
    if (!(await endings.cancel(action, press.person, 'cancelled', headline)))
      return tellWhoWasFirst(press, action);
  }

  async function tellWhoWasFirst(press: Press, action: Action): Promise<void> {
    const current = (await journal.byId(action.id)) ?? action;
    await decline(press, action, { code: 'already', action: current, clicker: press.person });
  }
}
