import { inWords } from '../../handlers/audit/recalled.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import { approvals as approvalsCommand } from '../../handlers/conversation/conversation.commands.ts';
import { code, moment, person, say, type Text } from '../../handlers/reply.ts';
import type { Action, Outcome } from '../../journal/journal.ts';
import { type Approvals, createApprovals } from '../approval/approvals.ts';
import { leaveRequest } from '../approval/leave-request.ts';
import { gotOut, type Press, type Submission, type SubmissionResult } from '../base/chat.ts';
import { siteRequestOf, wishOf } from '../base/site-request.ts';
import { commandOf, isReadable, shownOf, stepsIn } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { barToCancel } from '../planned/cancel.ts';
import { isWithheld } from '../showing/card.ts';
import { drawCard, inBackground, tellBelow } from '../showing/messages.ts';
import { allLines, hasLongPreview } from '../showing/plans/plan-preview.ts';
import { endForAskers, tellAskers } from '../showing/site-askers.ts';
import { siteInWords } from '../showing/site-request.ts';
import { explain } from '../wording/faults.ts';
import { lostOutcome } from '../wording/restored.ts';
import { createProposals, type ProposalParts, type Proposals } from './propose.ts';
import { createRecheck, type Recheck, type RecheckParts } from './recheck.ts';

/** What is put before people, and what comes of their clicks; `run.ts` carries out what they agreed to. */
export interface Confirmation
  extends Proposals,
    Clicks,
    Pick<Endings, 'expireOverdue'>,
    Pick<Approvals, 'bar' | 'obstacle'>,
    Pick<Recheck, 'begin'> {
  /** Somebody takes back what they have asked others for. False when it is decided by now. */
  readonly cancelRequest: (action: Action, by: string) => Promise<boolean>;
}

export function createConfirmation(
  parts: Omit<RecheckParts & ClickParts & ProposalParts, 'approvals' | 'endings' | 'recheck'>,
): Confirmation {
  const endings = createEndings(parts);
  const approvals = createApprovals({ ...parts, end: endings.cancelInTime });
  const recheck = createRecheck({ ...parts, approvals });
  return {
    ...createProposals({ ...parts, approvals }),
    ...createClicks({ ...parts, approvals, endings, recheck }),
    expireOverdue: endings.expireOverdue,
    cancelRequest: (action, by) =>
      endings.cancel(action, by, 'cancelled', say`Withdrawn by ${person(by)}. No changes were made.`),
    bar: approvals.bar,
    obstacle: approvals.obstacle,
    begin: recheck.begin,
  };
}

/** What a click on the card of something that waits does: it confirms, approves, denies or cancels. */
interface Clicks {
  readonly press: (press: Press) => Promise<void>;
  /** Takes the form in which somebody says why they deny. Undefined when the submission is of another form. */
  readonly submit: (submission: Submission) => Promise<SubmissionResult | undefined>;
}

interface ClickParts extends Parts {
  readonly approvals: Approvals;
  readonly endings: Endings;
  readonly recheck: Recheck;
}

/** Carried by the button below a preview that was shown to one person alone. */
const seen = 'seen';

function createClicks(parts: ClickParts): Clicks {
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
      if (press.button === 'cancel' && action.state === 'waiting' && action.request !== undefined)
        return leave(press, action);
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

  /** Of several who want a site, each takes back their own wish. */
  async function leave(press: Press, action: Action): Promise<void> {
    const request = siteRequestOf(action);
    if (request === undefined || wishOf(request, press.person) === undefined)
      return decline(press, action, { code: 'not_yours_to_withdraw', asker: action.person });
    const left = await leaveRequest(parts, action, press.person);
    if (left === 'last') return cancel(press, action);
    if (left === 'gone') return tellWhoWasFirst(press, action);
    await whisper(press, {
      headline: say`Withdrawn: your request for ${siteInWords(request.site)}. Others asked for it, too, and theirs stays open.`,
    });
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

/** How something that waits for a click comes to nothing: cancelled or denied by somebody, or its time is over. */
interface Endings {
  /** False when somebody else was first, or its question is another one by now. */
  readonly cancel: (
    action: Action,
    by: string,
    code: string,
    headline: Text,
    /** Why, in their own words. */
    because?: string,
  ) => Promise<boolean>;
  /** The same for a form, which may have lain open until the time was over. */
  readonly cancelInTime: Endings['cancel'];
  readonly expire: (action: Action) => Promise<void>;
  /** Ends at most so many of those whose time is over; resolves to how many it did. They are told in the background. */
  readonly expireOverdue: (most: number) => Promise<number>;
  readonly isOver: (action: Action) => boolean;
}

function createEndings({ notifications, secretStore, journal, generations, ahead, now }: Parts): Endings {
  const endings: Endings = {
    cancel: async (action, by, code, why, because) => {
      const headline = say`${why}${lostTime(action)}`;
      const outcome = { code, ...inWords(headline), ...(because !== undefined && { because }) };
      const words = { headline, token: action.token, ...(by !== action.person && calling(action, headline)) };
      const changes = { outcome, decidedBy: by };
      const ended = await notifications.transitionAndNotify(action, 'cancelled', changes, words);
      if (ended !== undefined) await comesToNothing(action.id);
      return ended !== undefined;
    },

    cancelInTime: async (action, ...how) => {
      if (!endings.isOver(action)) return endings.cancel(action, ...how);
      await endings.expire(action);
      return false;
    },

    expire: async (action) => {
      if (await hasEndedSince(action)) {
        await journal.move(action, 'unknown', { outcome: lostOutcome });
        return;
      }
      const { headline, outcome } = inVain(action);
      const words = { headline, token: action.token, ...calling(action, headline) };
      const expired = await notifications.transitionAndNotify(action, 'expired', { outcome }, words);
      if (expired !== undefined) await comesToNothing(action.id);
    },

    expireOverdue: async (most) => {
      const after = await generations.restoredUntil();
      const expired = await journal.expireOverdue({ at: now(), after, most }, (action) => {
        const { headline, outcome } = inVain(action);
        const { threadReply } = calling(action, headline);
        const below = threadReply === undefined ? [] : tellBelow(action, threadReply);
        const askers = tellAskers(action, endForAskers(action, 'expired', outcome, undefined));
        return {
          outcome,
          messages: inBackground([drawCard(action, 'expired', { headline }), ...below, ...askers]),
        };
      });
      for (const { id } of expired) await comesToNothing(id);
      // Of what came with a backup Slack is asked first, card by card.
      const [doubtful] = after === 0 || expired.length > 0 ? [] : await journal.overdue(now(), 1);
      if (doubtful !== undefined) await endings.expire(doubtful);
      return expired.length;
    },

    isOver: ({ expiresAt }) => expiresAt !== undefined && expiresAt <= now(),
  };
  return endings;

  /** The button that it came of, such as an Undo, stands again: nothing came of its click. */
  async function comesToNothing(id: string): Promise<void> {
    await secretStore.forget(id);
    const behind = (await journal.offerBehind(id))?.action;
    const origin = behind === undefined ? undefined : await journal.byId(behind);
    if (origin === undefined) return;
    await journal.releaseOf(id);
    await notifications.draw(origin);
  }

  /** Where the journal is a backup of before that, the card tells how. */
  async function hasEndedSince({ id, channel, card, state, changedAt }: Action): Promise<boolean> {
    if (card === undefined || changedAt > (await generations.restoredUntil())) return false;
    return ahead.isAhead({ channel }, card, { action: id, state });
  }
}

/** What was moved, and not agreed to, is planned for no time at all. */
function lostTime(action: Action): Text {
  const { was } = shownOf(action)?.start ?? {};
  return action.state === 'waiting' && was !== undefined
    ? say` It is not planned for ${moment(was)} any more, either.`
    : [];
}

function inVain(action: Action): { readonly headline: Text; readonly outcome: Outcome } {
  const verb = action.consent === undefined ? 'confirmed' : 'approved it';
  const headline = say`Nobody ${verb} in time, so no changes were made.${lostTime(action)}`;
  return { headline, outcome: { code: 'expired', ...inWords(headline) } };
}

/** A card that only changes tells nobody: whoever waited for others is called. */
function calling(action: Action, headline: Text): { readonly threadReply?: { readonly headline: Text } } {
  // Whoever asked for a site hears it in person.
  return action.request !== undefined || (action.consent === undefined && action.state !== 'planned')
    ? {}
    : { threadReply: { headline: say`${person(action.person)}: ${headline}` } };
}
