import type { ApplianceFailure } from '../api/index.ts';
import type { Denial } from '../auth/decide.ts';
import type { TargetProblem } from '../auth/targets.ts';
import type { Match } from '../handlers/language/match.ts';
import {
  clock,
  code,
  messageLink,
  type Offer,
  person,
  plural,
  type Reply,
  say,
  strong,
  type Text,
} from '../handlers/reply.ts';
import type { Action, Kept } from '../journal/journal.ts';
import { type ApprovalFault, notApproved } from './approval/not-approved.ts';
import { type CapablePeople, denied } from './authority/denied.ts';
import { type TooMany, tooMany } from './limits/too-many.ts';
import { noSuchTarget, noSuchThing, whichOne } from './no-such.ts';
import { type MayRun, notUnderstood } from './not-understood.ts';
import type { Choice } from './resolve.ts';

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
  | { readonly code: 'no_such_target'; readonly problem: TargetProblem }
  /** The same command on several appliances, and something is in the way on each. */
  | {
      readonly code: 'on_no_appliance';
      readonly faults: readonly { readonly appliance: string; readonly fault: Fault }[];
    }
  | { readonly code: 'file'; readonly why: string }
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
  | { readonly code: 'already'; readonly action: Action; readonly clicker: string }
  | { readonly code: 'card_gone' }
  /** The very same line of the same person, which is under way. */
  | { readonly code: 'already_running'; readonly action: Action }
  | { readonly code: 'stopping' }
  | ApprovalFault
  | TooMany
  | { readonly code: 'cannot_post'; readonly reason: string }
  /** The journal's database is away: what cannot be written down first is not done. */
  | { readonly code: 'journal_unavailable' }
  | { readonly code: 'internal'; readonly reference: string };

/** What was typed for something that an appliance lists. */
interface NamedThing {
  readonly appliance: string;
  readonly what: string;
  readonly word: string;
  readonly choices: readonly Choice[];
}

/** What can be said about the appliance's state after a failure: it was only asked, or nothing was changed. */
export type Stakes = 'lookup' | 'preview';

/** The words for every fault, in one place: code in, words out. Nobody else words a failure. */
export function explain(fault: Fault): Reply {
  switch (fault.code) {
    case 'not_understood':
      return notUnderstood(fault.match, fault.line, fault.may);
    case 'denied':
      return { headline: denied(fault.denial, fault.channel, fault.capable) };
    case 'appliance':
      return {
        headline: say`${applianceFailure(fault.appliance, fault.failure)} ${consequence(fault.stakes, fault.failure)}`,
      };
    case 'nothing_to_act_on':
      return {
        headline: say`${fault.why} Nothing was done.`,
        ...(fault.offers?.length && { details: [{ kind: 'offers', offers: fault.offers }] }),
      };
    case 'no_such_thing':
      return noSuchThing(fault);
    case 'which_one':
      return whichOne(fault);
    case 'no_such_target':
      return noSuchTarget(fault.problem);
    case 'on_no_appliance':
      return {
        headline: say`There is nothing to act on, on any of ${plural(fault.faults.length, 'appliance')}. Nothing was done.`,
        details: [
          {
            kind: 'table',
            columns: ['Appliance', 'Why'],
            rows: fault.faults.map((one) => [say`${one.appliance}`, explain(one.fault).headline]),
          },
        ],
      };
    case 'file':
      return { headline: say`${fault.why} Nothing was done.` };
    case 'offer_gone':
      return { headline: offerGone(fault.taken) };
    case 'not_your_offer':
      return { headline: say`That button is for whoever was asked. Type the command to do it yourself.` };
    case 'result_gone':
      return { headline: say`This result is no longer kept. Type the command again.` };
    case 'no_thread':
      return {
        headline: say`Files go to a thread, and only you see this message. Type the command in a channel that I am in.`,
      };
    case 'not_yours':
      return {
        headline: say`Only ${person(fault.asker)}, who asked for it, can press ${strong(fault.verb)}. To do it yourself, type the command.`,
      };
    case 'not_yours_to_withdraw':
      return {
        headline: say`Only ${person(fault.asker)}, who asked for it, can withdraw it. Whoever may approve it can deny it instead.`,
      };
    case 'already':
      return { headline: already(fault.action, fault.clicker) };
    case 'card_gone':
      return {
        headline: say`I do not know these buttons any more. Your click did nothing. Look whether the card has changed, or type the command again.`,
      };
    case 'already_running':
      return { headline: alreadyRunning(fault.action) };
    case 'stopping':
      return {
        headline: say`I am being stopped or restarted right now, so I did not take this. Nothing was done. Try again in a minute.`,
      };
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
    case 'too_many':
    case 'click_under_way':
    case 'too_many_requests':
      return { headline: tooMany(fault) };
    case 'cannot_post':
      return { headline: cannotPost(fault.reason) };
    case 'journal_unavailable':
      return {
        headline: say`I cannot write down what I do right now, because my journal’s database does not answer, so I change nothing. Nothing was done. Looking things up on an appliance still works; try again in a minute.`,
      };
    case 'internal':
      return {
        headline: say`Something went wrong inside the bot. Tell whoever runs it to look for ${code(fault.reference)} in the log.`,
      };
  }
}

/** What waiting does not mend. */
const lasting: ReadonlySet<ApplianceFailure['code']> = new Set([
  'bad_argument',
  'defective_build',
  'not_available',
  'not_configured',
]);

function consequence(stakes: Stakes, { code: kind }: ApplianceFailure): Text {
  const again = lasting.has(kind) ? '' : ' Try again in a moment.';
  return stakes === 'lookup'
    ? say`Nothing was changed.${again}`
    : say`Nothing was changed, and I will not act on what I cannot see.${again}`;
}

function already(action: Action, clicker: string): Text {
  const who =
    action.decidedBy === clicker
      ? say`you`
      : action.decidedBy === undefined
        ? say`somebody`
        : say`${person(action.decidedBy)}`;
  const when = clock(action.changedAt);
  const agreed = action.consent === undefined ? 'confirmed' : 'approved';
  switch (action.state) {
    case 'waiting':
      return say`The question has changed since you were shown it, so your click did nothing. Look at the card again.`;
    case 'cancelled':
      if (action.outcome?.code === 'denied')
        return say`This was already denied by ${who} at ${when}. Your click did nothing.`;
      return action.outcome?.code === 'cancelled'
        ? say`This was already ${action.consent === undefined ? 'cancelled' : 'withdrawn'} by ${who} at ${when}. Your click did nothing.`
        : say`This ended at ${when} without anything being done. Your click did nothing; the card says why.`;
    case 'expired':
      return action.consent === undefined
        ? say`This card expired at ${when}; nothing was done. Type the command again if it is still needed.`
        : say`This card expired at ${when}, before it was approved; nothing was done. ${person(action.person)} can ask again if it is still needed.`;
    case 'approved':
    case 'running':
      return say`This was already ${agreed} by ${who} at ${when} and is under way. Your click did nothing.`;
    default:
      return say`This was already ${agreed} by ${who}, and it ended at ${when}. Your click did nothing; the result is in the thread.`;
  }
}

function cannotPost(reason: string): Text {
  switch (reason) {
    case 'not_in_channel':
    case 'channel_not_found':
      return say`I am not a member of this channel, so I cannot answer here. Type ${code('/invite @appliance-bot')} and try again.`;
    case 'busy_channel':
      return say`Too much is being said in this channel right now, so I cannot answer here. Try again in a minute.`;
    case 'is_archived':
      return say`This channel is archived, so I cannot answer here.`;
    default:
      return say`Slack would not take my message (${code(reason)}), so I cannot answer here. Try again in a moment.`;
  }
}

const unconfigured = {
  mirrorUrl: 'the address of the mirror service',
  shellPassword: 'the shell password',
} as const;

/** As they are called in the configuration file. */
const settingNames = { mirrorUrl: 'mirror_url', shellPassword: 'shell_password' } as const;

/** What an appliance did wrong, as one sentence without its consequences. */
export function applianceFailure(appliance: string, failure: ApplianceFailure): Text {
  const name = strong(appliance);
  const answered = failure.excerpt === '' ? say`` : say` It answered ${code(failure.excerpt)}.`;
  switch (failure.code) {
    case 'unreachable':
      return say`${name} cannot be reached (${failure.reason}).`;
    case 'timeout':
      return say`${name} did not answer within ${duration(failure.milliseconds)}.`;
    case 'connection_lost':
      return say`The connection to ${name} broke before the answer was complete.`;
    case 'http_status':
      return failure.status === 401 || failure.status === 403
        ? say`${name} refuses the bot (HTTP ${failure.status}): its key or its allowed networks need a look.`
        : say`${name} answered with an error (HTTP ${failure.status}).${answered}`;
    case 'redirected':
      return say`${name} sent the bot to another address, which it does not follow: is the configured address the Web API's?`;
    case 'too_large':
      return say`${name} answered with more than ${Math.round(failure.bound / 1024 / 1024)} MB, so I stopped reading.`;
    case 'not_json':
      return say`${name} answered with something other than data.${answered}`;
    case 'empty':
      return say`${name} answered with nothing at all.`;
    case 'unexpected_reply':
      return failure.tooMuch
        ? say`${name} answered with more than an appliance has to say, so I did not look through it.`
        : say`${name} answered with something I do not understand.${answered}`;
    case 'refused':
      return failure.reason === ''
        ? say`${name} refused and gave no reason.`
        : say`${name} refused: ${code(failure.reason)}.`;
    case 'defective_build':
      return say`${name} ${failure.problem}. It is a known defect of its build: ${failure.remedy}.`;
    case 'not_available':
      return say`${name} runs release ${failure.release}, which cannot do this; it came with ${failure.availableFrom}. If a hotfix is installed that the appliance does not tell about, state it in the bot's configuration (${code('release')}).`;
    case 'not_configured':
      if (failure.setting === 'url') {
        return say`${name} is not in my configuration any more, so I cannot reach it. Put it back there, or see to it on the appliance itself.`;
      }
      return say`The bot does not know ${unconfigured[failure.setting]} of ${name}. Whoever runs the bot can add it to the configuration (${code(settingNames[failure.setting])}).`;
    case 'bad_argument':
      return say`That cannot be sent to ${name}: the ${failure.argument} ${failure.problem}.`;
    case 'upload_failed':
      return say`The upload to ${name} broke off: ${failure.problem}.`;
    case 'aborted':
      return say`The call to ${name} was given up because the bot is stopping.`;
  }
}

/** `10 seconds`, `0.6 seconds`. */
function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 100) / 10;
  return plural(seconds, 'second');
}

function offerGone(taken: Kept | undefined): Text {
  return taken?.takenBy === undefined
    ? say`The time for that button is over, so your click did nothing. Type the command instead.`
    : say`${person(taken.takenBy)} pressed that already, so your click did nothing.`;
}

function alreadyRunning({ line, createdAt, channel, card }: Action): Text {
  const where = card === undefined ? [] : say` ${messageLink('Here it is.', channel, card)}`;
  return say`${code(line)} is already running: you typed it at ${clock(createdAt)}, and I have not finished. I did not start it a second time.${where}`;
}
