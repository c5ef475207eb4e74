import type { ApplianceFailure } from '../api/index.ts';
import type { Capable, Denial } from '../auth/decide.ts';
import { type Hours, hoursInWords } from '../auth/hours.ts';
import type { ApprovalRule, RoleName } from '../auth/policy.ts';
import type { TargetProblem } from '../auth/targets.ts';
import type { Match } from '../handlers/language/match.ts';
import {
  channel,
  clock,
  code,
  enumerate,
  type Offer,
  person,
  plural,
  type Reply,
  say,
  strong,
  type Text,
} from '../handlers/reply.ts';
import type { Action, Kept } from '../journal/journal.ts';
import { noSuchTarget, noSuchThing, whichOne } from './no-such.ts';
import { notUnderstood } from './not-understood.ts';
import type { Choice } from './resolve.ts';

/** Everything that can stand between a person and what they asked for. Each says what happened, what did not, and what to do. */
export type Fault =
  | {
      readonly code: 'not_understood';
      readonly line: string;
      readonly match: Exclude<Match, { kind: 'command' }>;
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
  | { readonly code: 'not_yours'; readonly asker: string; readonly verb: string }
  | { readonly code: 'already'; readonly action: Action; readonly clicker: string }
  | { readonly code: 'card_gone' }
  /** Nobody approves their own request, also not with another account. */
  | { readonly code: 'own_request'; readonly other: boolean }
  | {
      readonly code: 'not_an_approver';
      readonly roles: readonly RoleName[];
      readonly people: CapablePeople['people'];
    }
  | { readonly code: 'approved_already' }
  /** Of those who approved, too few still may. */
  | { readonly code: 'approval_gone' }
  | { readonly code: 'approval_not_possible'; readonly rule: ApprovalRule }
  | { readonly code: 'reason_wanted'; readonly given: string | undefined; readonly rule: ApprovalRule }
  /** The policy wants an approval that nobody in this channel can give. */
  | { readonly code: 'no_approver'; readonly rule: ApprovalRule; readonly elsewhere: readonly string[] }
  | { readonly code: 'break_glass_off' }
  | {
      readonly code: 'break_glass_role';
      readonly role: RoleName;
      readonly people: CapablePeople['people'];
    }
  | { readonly code: 'form_not_opened'; readonly button: string }
  | { readonly code: 'cannot_post'; readonly reason: string }
  | { readonly code: 'internal'; readonly reference: string };

/** What was typed for something that an appliance lists. */
interface NamedThing {
  readonly appliance: string;
  readonly what: string;
  readonly word: string;
  readonly choices: readonly Choice[];
}

/** The people behind a role, with its user groups opened. */
export interface CapablePeople {
  readonly role: Capable['role'];
  readonly people: 'everyone' | readonly string[];
}

/** What can be said about the appliance's state after a failure: it was only asked, or nothing was changed. */
export type Stakes = 'lookup' | 'preview';

/** The words for every fault, in one place: code in, words out. Nobody else words a failure. */
export function explain(fault: Fault): Reply {
  switch (fault.code) {
    case 'not_understood':
      return notUnderstood(fault.match, fault.line);
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
    case 'not_yours':
      return {
        headline: say`Only ${person(fault.asker)}, who asked for it, can press ${strong(fault.verb)}. To do it yourself, type the command.`,
      };
    case 'already':
      return { headline: already(fault.action, fault.clicker) };
    case 'card_gone':
      return {
        headline: say`I do not know these buttons any more. Your click did nothing. Look whether the card has changed, or type the command again.`,
      };
    case 'own_request':
      return {
        headline: fault.other
          ? say`You asked for this with your other account, so you cannot approve or deny it. Somebody else has to.`
          : say`You asked for this, so somebody else has to approve or deny it. ${strong('Withdraw')} takes it back.`,
      };
    case 'not_an_approver':
      return {
        headline: say`This waits for somebody who is ${enumerate(fault.roles.map(strong), 'or')} here, and you are not. Your click did nothing.${whoCould([{ people: fault.people }])}`,
      };
    case 'approved_already':
      return { headline: say`You have approved this already. It waits for somebody else now.` };
    case 'approval_gone':
      return {
        headline: say`Of those who approved this, too few may still do so. Nothing was done. Ask again.`,
      };
    case 'approval_not_possible':
      return {
        headline: say`This needs an approval, and at this hour nobody can give one (${hoursOf(fault.rule.notPossible)}). Nothing was done.`,
      };
    case 'reason_wanted':
      return { headline: reasonWanted(fault.given, fault.rule) };
    case 'no_approver':
      return {
        headline: say`This needs the approval of somebody who is ${enumerate(fault.rule.by.map(strong), 'or')}, and nobody holds that role in this channel. Nothing was done.${whereElse(fault.elsewhere, 'It can be asked')}`,
      };
    case 'break_glass_off':
      return {
        headline: say`Nobody may break the glass here: the policy does not provide for it. Nothing was done. Leave out ${code('--break-glass')}, and somebody else can approve it.`,
      };
    case 'break_glass_role':
      return {
        headline: say`To break the glass takes ${strong(fault.role)}, which you are not here. Nothing was done. Leave out ${code('--break-glass')}, and somebody else can approve it.${whoCould([{ people: fault.people }])}`,
      };
    case 'form_not_opened':
      return {
        headline: say`Slack did not open the form. Nothing was done. Press ${strong(fault.button)} again.`,
      };
    case 'cannot_post':
      return { headline: cannotPost(fault.reason) };
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

function denied(denial: Denial, where: string, capable: readonly CapablePeople[]): Text {
  switch (denial.code) {
    case 'channel_not_served':
      return say`I take no orders in ${channel(where)}: it is not in my policy. Nothing was done.${whereElse(denial.elsewhere)} An admin can add ${code(where)} to the policy.`;
    case 'guest':
      return say`You are a guest in this workspace, and guests hold only roles granted to them by name. ${needed(denial, where)} Nothing was done.${wayOut(denial, capable)}`;
    case 'other_organisation':
      return say`You belong to another organisation, whose people hold only roles granted to them by name. ${needed(denial, where)} Nothing was done.${wayOut(denial, capable)}`;
    case 'bot':
      return say`I take orders only from bots to which a role was granted by name. Nothing was done.`;
    case 'deactivated':
      return say`This account is deactivated. Nothing was done.`;
    case 'shared_channel':
      return say`People of another organisation are in ${channel(where)}, so nothing is changed from here unless the policy says so. Nothing was done.${whereElse(denial.elsewhere)} An admin can allow it with ${code('shared: write')}.`;
    case 'lookup_failed':
      return say`I could not find out from Slack ${unknownOf[denial.lookup]}, so I must say no. Nothing was done. Try again in a minute.${
        denial.lookup === 'channel'
          ? say` If I am not in this channel, type ${code('/invite @appliance-bot')}.`
          : []
      }`;
    case 'argument':
      return say`${limited(denial)} ${holding(denial.held)} Nothing was done.${wayOut(denial, capable)}`;
    case 'role_missing':
      return say`${needed(denial, where)} ${holding(denial.held)} Nothing was done.${wayOut(denial, capable)}`;
  }
}

const unknownOf = {
  person: 'who you are',
  group: 'which user groups you are in',
  channel: 'whether this channel is shared with another organisation',
} as const;

function needed(denial: Extract<Denial, { needed: unknown }>, where: string): Text {
  return denial.needed.length === 0
    ? say`No role in ${channel(where)} may run ${code(denial.command)}.`
    : say`${code(denial.command)} takes ${enumerate(
        denial.needed.map(({ role }) => strong(role)),
        'or',
      )} in ${channel(where)}.`;
}

/** *You may run `category add` only with category 252 or 253.* */
function limited({ command, limits }: Extract<Denial, { code: 'argument' }>): Text {
  const ways = limits.flatMap(({ where = {} }) => [
    enumerate(
      Object.entries(where).map(
        ([name, values]) =>
          say`${name} ${enumerate(
            values.map((value) => code(String(value))),
            'or',
          )}`,
      ),
    ),
  ]);
  return say`You may run ${code(command)} only with ${enumerate(ways, 'or')}.`;
}

function holding(held: readonly string[]): Text {
  if (held.length === 0) return say`You have no role here.`;
  return held.length === 1
    ? say`Your role here is ${enumerate(held.map(strong))}.`
    : say`Your roles here are ${enumerate(held.map(strong))}.`;
}

function wayOut(
  { elsewhere }: { readonly elsewhere: readonly string[] },
  capable: readonly CapablePeople[],
): Text {
  return say`${whoCould(capable)}${whereElse(elsewhere)}`;
}

/** The first few: nobody reads a list of a hundred channels. */
function whereElse(channels: readonly string[], may = 'You may'): Text {
  if (channels.length === 0) return [];
  const named = channels.slice(0, 3).map(channel);
  const more = channels.length - named.length;
  return say` ${may} in ${enumerate(more > 0 ? [...named, plural(more, 'other channel')] : named, 'or')}.`;
}

const hoursOf = (hours: readonly Hours[]): string => hours.map(hoursInWords).join('; ');

function reasonWanted(given: string | undefined, { reason }: ApprovalRule): Text {
  const { example = 'what it is for', pattern } = reason ?? {};
  const wanted = pattern === undefined ? say`` : say` that looks like ${code(example)}`;
  const problem =
    given === undefined ? say`This needs a reason${wanted}.` : say`${code(given)} is not a reason${wanted}.`;
  return say`${problem} Nothing was done. Add it to the line: ${code(`--reason "${example}"`)}.`;
}

/** The first few by name; a crowd would not help anybody find one. */
function whoCould(capable: readonly Pick<CapablePeople, 'people'>[]): Text {
  const people = [...new Set(capable.flatMap(({ people: held }) => (held === 'everyone' ? [] : held)))];
  if (people.length === 0) return [];
  const named = people.slice(0, 5).map(person);
  const more = people.length - named.length;
  return say` ${enumerate(more > 0 ? [...named, `${more} more`] : named, more > 0 ? 'and' : 'or')} could do it.`;
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
        ? say`This was already cancelled by ${who} at ${when}. Your click did nothing.`
        : say`This ended at ${when} without anything being done. Your click did nothing; the card says why.`;
    case 'expired':
      return say`This card expired at ${when}; nothing was done. Type the command again if it is still needed.`;
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
      return say`${name} answered with something I do not understand.${answered}`;
    case 'refused':
      return failure.reason === ''
        ? say`${name} refused and gave no reason.`
        : say`${name} refused: ${code(failure.reason)}.`;
    case 'defective_build':
      return say`${name} ${failure.problem}. It is a known defect of its build: ${failure.remedy}.`;
    case 'not_available':
      return say`${name} runs release ${failure.release}, which cannot do this; it came with ${failure.availableFrom}. If a hotfix is installed that the appliance does not tell about, state it in the bot's configuration (${code('release')}).`;
    case 'not_configured':
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
