import type { ApplianceFailure } from '../../api/index.ts';
import type { Denial } from '../../auth/decide.ts';
import type { TargetProblem } from '../../auth/targets.ts';
import type { Match } from '../../handlers/language/match.ts';
import {
  type FrozenFault,
  frozenInWords,
  notPlanned,
  type StartFault,
} from '../../handlers/planned/words.ts';
import {
  code,
  type Offer,
  person,
  plainText,
  plural,
  type Reply,
  say,
  strong,
  type Text,
} from '../../handlers/reply.ts';
import type { Action, Kept, Outcome } from '../../journal/journal.ts';
import { ownPace } from '../base/chat.ts';
import { applianceFailure, consequence, type Stakes } from './appliance-failure.ts';
import { already, alreadyRunning, notInJournal, offerGone } from './clicks.ts';
import { type CapablePeople, denied } from './denied.ts';
import { type JournalFault, journalUnavailable } from './journal-trouble.ts';
import {
  type LineFaultOf,
  type LinesRefused,
  linesRefused,
  type PlanRefusedOf,
  planRefused,
} from './misread/misfits.ts';
import { isMistake, type MayRun, notUnderstood } from './misread/not-understood.ts';
import {
  type Choice,
  didYouMean,
  noSuchTarget,
  noSuchThing,
  type PersonFault,
  whichOne,
  whichPerson,
} from './no-such.ts';
import { type ApprovalFault, notApproved, type TicketFault, ticketWanted } from './not-approved.ts';
import { saidIn } from './said.ts';
import { type TooMany, tooMany } from './too-many.ts';

/** What is wrong with a line of a plan. */
export type LineFault = LineFaultOf<Fault>;
type PlanRefused = PlanRefusedOf<Fault>;

/** Everything that can stand between a person and what they asked for. Each says what happened, what did not, and what to do. */
export type Fault =
  | {
      readonly code: 'not_understood';
      readonly line: string;
      readonly match: Exclude<Match, { kind: 'command' }>;
      readonly may: MayRun;
    }
  | {
      readonly code: 'denied';
      readonly channel: string;
      readonly denial: Denial;
      readonly capable: readonly CapablePeople[];
      /** What they may have and is near to what they named, whether that is there or not. */
      readonly choices?: readonly Choice[];
    }
  | {
      readonly code: 'appliance';
      readonly appliance: string;
      readonly failure: ApplianceFailure;
      readonly stakes: Stakes;
    }
  /** `offers`: what to do instead. */
  | { readonly code: 'nothing_to_act_on'; readonly why: Text; readonly offers?: readonly Offer[] }
  /** The appliance lists nothing under that ID or name; `choices` are near it. */
  | ({ readonly code: 'no_such_thing' } & NamedThing)
  /** It lists several under that name. */
  | ({ readonly code: 'which_one' } & NamedThing)
  | PersonFault
  | { readonly code: 'no_such_target'; readonly problem: TargetProblem }
  /** The same command on several appliances, and something is in the way on each. */
  | {
      readonly code: 'on_no_appliance';
      readonly faults: readonly { readonly appliance: string; readonly fault: Fault }[];
    }
  | { readonly code: 'file'; readonly why: string }
  | LinesRefused
  | PlanRefused
  /** A command that cannot be a line of a plan. */
  | { readonly code: 'not_in_a_plan'; readonly why: Text }
  /** An offer that has been taken, or whose time is over. */
  | { readonly code: 'offer_gone'; readonly taken: Kept | undefined }
  | { readonly code: 'not_your_offer' }
  /** An answer whose time is over. */
  | { readonly code: 'result_gone' }
  /** A file of an answer that only one person sees. */
  | { readonly code: 'no_thread' }
  | { readonly code: 'not_yours'; readonly asker: string; readonly verb: string }
  /** It waits for others, and only its asker takes it back. */
  | { readonly code: 'not_yours_to_withdraw'; readonly asker: string }
  /** It is planned. */
  | { readonly code: 'not_yours_to_cancel' | 'not_yours_to_move'; readonly asker: string }
  | { readonly code: 'already'; readonly action: Action; readonly clicker: string }
  | { readonly code: 'card_gone' }
  /** A button of a message that was said between a backup and its restore. Milliseconds since the epoch. */
  | { readonly code: 'not_in_journal'; readonly knownUntil: number; readonly now: number }
  /** The very same line of the same person, which is under way. */
  | { readonly code: 'already_running'; readonly action: Action }
  | { readonly code: 'stopping' }
  /** A message that was written to the bot, or names it, only since it was edited. */
  | { readonly code: 'edited' }
  | ApprovalFault
  | TicketFault
  | StartFault
  | FrozenFault
  | TooMany
  | { readonly code: 'cannot_post'; readonly reason: string }
  | JournalFault
  | { readonly code: 'internal'; readonly reference: string };

/** What was typed for something that an appliance lists. */
interface NamedThing {
  readonly appliance: string;
  readonly what: string;
  readonly word: string;
  readonly choices: readonly Choice[];
}

/** Why, as the journal has it: of what somebody may not, the reason for that. */
export function codeOf(fault: Fault): string {
  if (fault.code === 'denied') return fault.denial.code;
  return fault.code === 'not_understood' && isMistake(fault.match) ? 'malformed' : fault.code;
}

/** What came of it, as the journal has it. */
export const outcomeOf = (fault: Fault): Outcome => ({
  code: codeOf(fault),
  says: plainText(explain(fault).headline),
});

/** The words for every fault, in one place: code in, words out. Nobody else words a failure. */
export function explain(fault: Fault): Reply {
  switch (fault.code) {
    case 'not_understood':
      return notUnderstood(fault.match, fault.line, fault.may);
    case 'denied':
      return {
        headline: denied(fault.denial, fault.channel, fault.capable),
        ...(fault.choices?.length && { details: didYouMean(fault.choices) }),
      };
    case 'appliance': {
      const said = saidIn(fault.appliance, fault.failure);
      return {
        headline: say`${applianceFailure(fault.appliance, fault.failure)} ${consequence(fault.stakes, fault.failure)}`,
        ...(said.length > 0 && { details: said }),
      };
    }
    case 'nothing_to_act_on':
      return {
        headline: say`${fault.why} No changes were made.`,
        ...(fault.offers?.length && { details: [{ kind: 'offers', offers: fault.offers }] }),
      };
    case 'no_such_thing':
      return noSuchThing(fault);
    case 'which_one':
      return whichOne(fault);
    case 'no_such_person':
    case 'which_person':
      return whichPerson(fault);
    case 'no_such_target':
      return noSuchTarget(fault.problem);
    case 'on_no_appliance':
      return {
        headline: say`There is nothing to act on, on any of ${plural(fault.faults.length, 'appliance')}. No changes were made.`,
        details: [
          {
            kind: 'table',
            columns: ['Appliance', 'Why'],
            rows: fault.faults.map((one) => [say`${one.appliance}`, explain(one.fault).headline]),
          },
        ],
      };
    case 'file':
      return { headline: say`${fault.why} No changes were made.` };
    case 'lines_refused':
      return linesRefused(fault);
    case 'not_in_a_plan':
      return { headline: fault.why };
    case 'plan_refused':
      return planRefused(fault, explain);
    case 'offer_gone':
      return { headline: offerGone(fault.taken) };
    case 'not_your_offer':
      return {
        headline: say`That button is only for the person who typed the command. Type the command to run it yourself.`,
      };
    case 'result_gone':
      return { headline: say`This result is no longer kept. Type the command again.` };
    case 'no_thread':
      return {
        headline: say`Files are posted to a thread, and only you see this message. Type the command in a channel that Appliance Bot is a member of.`,
      };
    case 'not_yours':
      return {
        headline: say`Only ${person(fault.asker)}, who asked for it, can press ${strong(fault.verb)}. To do it yourself, type the command.`,
      };
    case 'not_yours_to_withdraw':
      return {
        headline: say`Only ${person(fault.asker)}, who asked for it, can withdraw it. An approver can deny it instead.`,
      };
    case 'not_yours_to_cancel':
      return {
        headline: say`Only ${person(fault.asker)}, who asked for it, and those who may run or approve it can cancel it. It was not canceled.`,
      };
    case 'not_yours_to_move':
      return {
        headline: say`Only ${person(fault.asker)}, who asked for it, and those who may run it can change its time. It was not moved.`,
      };
    case 'already':
      return { headline: already(fault.action, fault.clicker) };
    case 'card_gone':
      return {
        headline: say`These buttons have expired. Your click did nothing. Check whether the card has changed, or type the command again.`,
      };
    case 'not_in_journal':
      return { headline: notInJournal(fault.knownUntil, fault.now) };
    case 'already_running':
      return { headline: alreadyRunning(fault.action) };
    case 'stopping':
      return {
        headline: say`Appliance Bot is restarting. No changes were made. Try again in a minute.`,
      };
    case 'edited':
      return { headline: say`Edited messages aren’t run. No changes were made. Send it as a new message.` };
    case 'own_request':
    case 'not_an_approver':
    case 'asker_denied':
    case 'approved_already':
    case 'approver_unknown':
    case 'approver_gone':
    case 'approval_gone':
    case 'approval_changed':
    case 'approval_not_possible':
    case 'reason_wanted':
    case 'no_approver':
    case 'approved_for_another':
    case 'break_glass_off':
    case 'break_glass_role':
    case 'form_not_opened':
      return { headline: notApproved(fault) };
    case 'ticket_wanted':
      return { headline: ticketWanted(fault) };
    case 'frozen':
      return { headline: frozenInWords(fault) };
    case 'no_such_window':
    case 'window_never':
    case 'start_past':
    case 'time_unclear':
    case 'start_far':
    case 'ends_first':
      return { headline: notPlanned(fault) };
    case 'too_many':
    case 'click_under_way':
    case 'too_many_requests':
      return { headline: tooMany(fault) };
    case 'cannot_post':
      return { headline: cannotPost(fault.reason) };
    case 'journal_unavailable':
      return { headline: journalUnavailable(fault) };
    case 'internal':
      return {
        headline: say`An internal error occurred. Ask an admin of the bot to look for ${code(fault.reference)} in the log.`,
      };
  }
}

function cannotPost(reason: string): Text {
  switch (reason) {
    case 'not_in_channel':
    case 'channel_not_found':
      return say`Appliance Bot is not a member of this channel, so it can’t answer here. Type ${code('/invite @appliance-bot')} and try again.`;
    case ownPace:
      return say`This channel is too busy right now, so Appliance Bot can’t answer here. Try again in a minute.`;
    case 'is_archived':
      return say`This channel is archived, so Appliance Bot can’t answer here.`;
    default:
      return say`Slack rejected the message (${code(reason)}), so Appliance Bot can’t answer here. Try again in a moment.`;
  }
}
