import type { Denial } from '../../auth/decide.ts';
import { type Hours, hoursInWords } from '../../auth/hours.ts';
import type { ApprovalRule, RoleName, TicketPolicy } from '../../auth/policy.ts';
import { longestReason } from '../../auth/reason.ts';
import { quoted } from '../../handlers/language/asked.ts';
import { code, enumerate, person, say, strong, type Text } from '../../handlers/reply.ts';
import { number } from '../../handlers/wording/quantities.ts';
import { becauseDenied, type CapablePeople, whereElse, whoCould } from './denials.ts';
import { clickDidNothing, inARow, noChanges, noChangesYet, words } from './sentences.ts';

const leaveOut = say`Leave out ${code('--break-glass')}, and somebody else can approve it.`;

/** What can be in the way of an approval, or of doing without one. */
export const approving = {
  /** Nobody approves their own request, also not with another account. `for_site`: they asked for the site that it allows. */
  own_request: words<{ readonly as: 'asker' | 'other_account' | 'for_site' }>({
    happened: ({ as }) => ownInWords[as],
    not: clickDidNothing,
    todo: ({ as }) =>
      say`Somebody else has to approve or deny it.${as === 'asker' ? say` ${strong('Withdraw')} takes it back.` : []}`,
    denies: true,
  }),
  not_an_approver: words<{
    readonly roles: readonly RoleName[];
    readonly people: CapablePeople['people'];
  }>({
    happened: ({ roles }) =>
      say`This requires the ${enumerate(roles.map(strong), 'or')} role to approve or deny.`,
    not: clickDidNothing,
    todo: ({ people }) => askOneOf(people, 'to decide'),
    denies: true,
  }),
  /** Whoever asked may not run it any more. */
  asker_denied: words<{ readonly asker: string; readonly denial: Denial; readonly channel: string }>({
    happened: ({ asker, denial, channel }) =>
      say`${person(asker)}, who asked for this, can no longer run it: ${becauseDenied(denial, channel, 'they')}.`,
    not: noChanges,
    todo: say`Somebody who may run it can ask for it anew.`,
    denies: true,
  }),
  /** `other`: with another account of theirs. */
  approved_already: words<{ readonly other: boolean }>({
    happened: ({ other }) => say`You have approved this already${other ? ' with your other account' : ''}.`,
    not: clickDidNothing,
    todo: say`It needs another approver now.`,
  }),
  /** Somebody who approved could not be looked up when it was to run. */
  approver_unknown: words<{ readonly approver: string }>({
    happened: ({ approver }) =>
      say`Couldn’t find out from Slack whether ${person(approver)}, who approved this, still may, so this was refused.`,
    not: noChanges,
    todo: say`Try again in a minute.`,
  }),
  /** Others approved before, and have the say no more. */
  approver_gone: words<{ readonly people: readonly string[] }>({
    happened: ({ people }) =>
      say`Your approval is noted, but ${enumerate(people.map(person))}, who approved this before, may no longer do so.`,
    not: noChangesYet,
    todo: say`It needs another approval.`,
  }),
  /** Of those who approved, too few still may. */
  approval_gone: words<{ readonly people: readonly { readonly person: string; readonly why: Text }[] }>({
    happened: ({ people }) =>
      people.length === 0
        ? say`This needs an approval that it no longer has.`
        : say`${enumerate(people.map(({ person: who, why }) => say`${person(who)} approved this and may no longer do so (${why})`))}.`,
    not: noChanges,
    todo: say`Ask again.`,
  }),
  /** The policy wants another approval now, or one where none was needed. */
  approval_changed: words({
    happened: say`The approval rule changed.`,
    not: noChanges,
    todo: say`Submit the request again.`,
  }),
  approval_not_possible: words<{ readonly rule: ApprovalRule; readonly timeZone: string }>({
    happened: say`This needs an approval, and at this hour nobody can give one.`,
    not: noChanges,
    todo: ({ rule, timeZone }) =>
      say`Ask at another hour. Nobody can approve it in these hours: ${hoursOf(rule.notPossible)} (${timeZone}).`,
  }),
  /** `line`: what was asked, without a reason. */
  reason_wanted: words<{
    readonly given: string | undefined;
    readonly rule: ApprovalRule;
    readonly line: string;
  }>({
    happened: ({ given, rule: { reason } }) => {
      if (given !== undefined && given.length > longestReason) return tooLong(given);
      const { example, pattern } = reason ?? {};
      const like =
        example === undefined ? say`matches ${code(pattern ?? '')}` : say`looks like ${code(example)}`;
      const wanted = pattern === undefined ? [] : say` that ${like}`;
      return given === undefined
        ? say`This needs a reason${wanted}.`
        : say`${code(given)} is not a reason${wanted}.`;
    },
    not: noChanges,
    todo: ({ given, rule: { reason }, line }) =>
      given !== undefined && given.length > longestReason
        ? say`Shorten it, and type it again.`
        : say`Type it with one: ${code(`/appliance ${line} --reason ${quoted(reason?.example ?? 'what it is for')}`)}.`,
  }),
  /** The policy wants an approval that nobody in this channel can give. */
  no_approver: words<{ readonly rule: ApprovalRule; readonly elsewhere: readonly string[] }>({
    happened: ({ rule }) =>
      say`This needs the approval of somebody with the role ${enumerate(rule.by.map(strong), 'or')}, and nobody has it in this channel.`,
    not: noChanges,
    todo: ({ elsewhere }) =>
      elsewhere.length === 0
        ? say`An admin can give it to somebody.`
        : whereElse(elsewhere, 'It can be asked for'),
  }),
  /** It takes an approval, and what was answered was approved for somebody else. */
  approved_for_another: words<{ readonly line: string }>({
    happened: say`This requires an approval, and the one that was given was for somebody else.`,
    not: say`Nothing was shown.`,
    todo: ({ line }) => say`Type ${code(`/appliance ${line}`)} to ask for your own.`,
  }),
  break_glass_off: words({
    happened: say`Break-glass is not available: the policy does not allow it.`,
    not: noChanges,
    todo: leaveOut,
  }),
  /** It is to run later. */
  break_glass_planned: words({
    happened: say`Break-glass cannot be planned, because somebody can approve the change before its time.`,
    not: say`Nothing was planned, and no changes were made.`,
    todo: say`Leave out ${code('--break-glass')} to ask for an approval, or leave out the time to run it now.`,
  }),
  break_glass_role: words<{ readonly role: RoleName; readonly people: CapablePeople['people'] }>({
    happened: ({ role }) => say`Break-glass requires the ${strong(role)} role here.`,
    not: noChanges,
    todo: ({ people }) => inARow(whoCould([{ people }]), leaveOut),
  }),
  form_not_opened: words<{ readonly button?: string }>({
    happened: say`Slack did not open the form.`,
    not: noChanges,
    todo: ({ button }) =>
      say`Press ${button === undefined ? 'the button' : strong(button)} again${button === undefined ? ', or type the whole line' : ''}.`,
  }),
  /** The policy wants a ticket, or another one. `line`: what was asked, without it. */
  ticket_wanted: words<{
    readonly given?: string | undefined;
    readonly tickets: TicketPolicy | undefined;
    readonly line: string;
    /** It was planned before the policy wanted one: it stays so where it was only to be moved, and is offered anew at its time. */
    readonly planned?: 'moved' | 'due' | undefined;
  }>({
    happened: ({ given, tickets }) =>
      given === undefined
        ? say`This change needs a ticket${looks(tickets, ' such as')}.`
        : say`${code(given)} is not the name of a ticket here${looks(tickets, ': it looks like')}.`,
    not: noChanges,
    todo: ({ tickets, line, planned }) => {
      if (planned === 'due') return say`${strong(askWithTicket)} in its thread asks for it now.`;
      const how =
        planned === 'moved' ? 'Cancel what is planned, and plan it anew with one' : 'Type it with one';
      return say`${how}: ${code(`/appliance ${line} --ticket ${quoted(exampleOf(tickets))}`)}.`;
    },
  }),
};

const ownInWords = {
  asker: say`You asked for this yourself.`,
  other_account: say`You asked for this with your other account.`,
  for_site: say`You asked for this site yourself.`,
} as const;

function askOneOf(people: CapablePeople['people'], wanted: string): Text {
  const ask = whoCould([{ people }], wanted);
  return ask.length > 0 ? ask : say`Somebody who has it can decide.`;
}

const hoursOf = (hours: readonly Hours[]): string => hours.map(hoursInWords).join('; ');

/** Also for a form, which holds what was written. */
export const tooLong = (reason: string): Text =>
  say`A reason has at most ${longestReason} characters, and this one has ${number(reason.length)}.`;

/** The button below what did not run without one. */
export const askWithTicket = 'Ask again with a ticket';

/** For a form, which shows it below its input. */
export const notATicket = (tickets: TicketPolicy | undefined): Text =>
  say`It must look like ${code(tickets?.example ?? tickets?.pattern ?? exampleOf(tickets))}.`;

export const exampleOf = (tickets: TicketPolicy | undefined): string => tickets?.example ?? 'CHG-123';

/** What one looks like, as far as the policy says so. */
function looks(tickets: TicketPolicy | undefined, word: string): Text {
  const { example, pattern } = tickets ?? {};
  if (example === undefined && pattern === undefined) return [];
  return say`${word} ${code(example ?? pattern ?? '')}`;
}
