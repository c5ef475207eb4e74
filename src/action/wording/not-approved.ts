import type { Denial } from '../../auth/decide.ts';
import { type Hours, hoursInWords } from '../../auth/hours.ts';
import type { ApprovalRule, RoleName, TicketPolicy } from '../../auth/policy.ts';
import { longestReason } from '../../auth/reason.ts';
import { quoted } from '../../handlers/language/asked.ts';
import { code, enumerate, person, say, strong, type Text } from '../../handlers/reply.ts';
import { number } from '../../handlers/wording/quantities.ts';
import { type CapablePeople, whereElse, whoCould, whyTheyCannot } from './denied.ts';

/** What can be in the way of an approval, or of doing without one. */
export type ApprovalFault =
  /** Nobody approves their own request, also not with another account. */
  | { readonly code: 'own_request'; readonly other: boolean }
  | {
      readonly code: 'not_an_approver';
      readonly roles: readonly RoleName[];
      readonly people: CapablePeople['people'];
    }
  /** Whoever asked may not run it any more. */
  | { readonly code: 'asker_denied'; readonly asker: string; readonly denial: Denial }
  /** `other`: with another account of theirs. */
  | { readonly code: 'approved_already'; readonly other: boolean }
  /** Somebody who approved could not be looked up when it was to run. */
  | { readonly code: 'approver_unknown'; readonly approver: string }
  /** Others approved before, and have the say no more. */
  | { readonly code: 'approver_gone'; readonly people: readonly string[] }
  /** Of those who approved, too few still may. */
  | {
      readonly code: 'approval_gone';
      readonly people: readonly { readonly person: string; readonly why: Text }[];
    }
  /** The policy wants another approval now, or one where none was needed. */
  | { readonly code: 'approval_changed' }
  | { readonly code: 'approval_not_possible'; readonly rule: ApprovalRule; readonly timeZone: string }
  /** `line`: what was asked, without a reason. */
  | {
      readonly code: 'reason_wanted';
      readonly given: string | undefined;
      readonly rule: ApprovalRule;
      readonly line: string;
    }
  /** The policy wants an approval that nobody in this channel can give. */
  | { readonly code: 'no_approver'; readonly rule: ApprovalRule; readonly elsewhere: readonly string[] }
  /** It takes an approval, and what was answered was approved for somebody else. */
  | { readonly code: 'approved_for_another'; readonly line: string }
  | { readonly code: 'break_glass_off' }
  | {
      readonly code: 'break_glass_role';
      readonly role: RoleName;
      readonly people: CapablePeople['people'];
    }
  | { readonly code: 'form_not_opened'; readonly button: string };

/** The words for each. */
export function notApproved(fault: ApprovalFault): Text {
  switch (fault.code) {
    case 'own_request':
      return fault.other
        ? say`You asked for this with your other account, so you cannot approve or deny it. Somebody else has to.`
        : say`You asked for this, so somebody else has to approve or deny it. ${strong('Withdraw')} takes it back.`;
    case 'not_an_approver':
      return say`This requires the ${enumerate(fault.roles.map(strong), 'or')} role to approve or deny. Your click did nothing.${whoCould([{ people: fault.people }], 'to decide')}`;
    case 'asker_denied':
      return say`${person(fault.asker)}, who asked for this, can no longer run it: ${whyTheyCannot(fault.denial)}. No changes were made.`;
    case 'approved_already':
      return say`You have approved this already${fault.other ? ' with your other account' : ''}. It needs another approver now.`;
    case 'approver_unknown':
      return say`Couldn’t find out from Slack whether ${person(fault.approver)}, who approved this, still may, so this was refused. No changes were made. Try again in a minute.`;
    case 'approver_gone':
      return say`Your approval is noted, but ${enumerate(fault.people.map(person))}, who approved this before, may no longer do so. It needs another approval.`;
    case 'approval_gone':
      return fault.people.length === 0
        ? say`This needs an approval that it no longer has. No changes were made. Ask again.`
        : say`${enumerate(fault.people.map(({ person: who, why }) => say`${person(who)} approved this and may no longer do so (${why})`))}. No changes were made. Ask again.`;
    case 'approval_changed':
      return say`The approval rule changed. No changes were made. Submit the request again.`;
    case 'approval_not_possible':
      return say`This needs an approval, and at this hour nobody can give one. No changes were made. Nobody can approve it in these hours: ${hoursOf(fault.rule.notPossible)} (${fault.timeZone}).`;
    case 'reason_wanted':
      return reasonWanted(fault);
    case 'no_approver':
      return say`This needs the approval of somebody with the role ${enumerate(fault.rule.by.map(strong), 'or')}, and nobody has it in this channel. No changes were made.${fault.elsewhere.length === 0 ? ' An admin can give it to somebody.' : whereElse(fault.elsewhere, 'It can be asked for')}`;
    case 'approved_for_another':
      return say`This requires an approval, and the one that was given was for somebody else. Nothing was shown. Type ${code(`/appliance ${fault.line}`)} to ask for your own.`;
    case 'break_glass_off':
      return say`Break-glass is not available: the policy does not allow it. No changes were made. Leave out ${code('--break-glass')}, and somebody else can approve it.`;
    case 'break_glass_role':
      return say`Break-glass requires the ${strong(fault.role)} role here.${whoCould([{ people: fault.people }])} No changes were made. Leave out ${code('--break-glass')}, and somebody else can approve it.`;
    case 'form_not_opened':
      return say`Slack did not open the form. No changes were made. Press ${strong(fault.button)} again.`;
  }
}

const hoursOf = (hours: readonly Hours[]): string => hours.map(hoursInWords).join('; ');

/** Also for a form, which holds what was written. */
export const tooLong = (reason: string): Text =>
  say`A reason has at most ${longestReason} characters, and this one has ${number(reason.length)}.`;

function reasonWanted({ given, rule, line }: Extract<ApprovalFault, { code: 'reason_wanted' }>): Text {
  if (given !== undefined && given.length > longestReason)
    return say`${tooLong(given)} No changes were made. Shorten it, and type it again.`;
  const { example, pattern } = rule.reason ?? {};
  const like = example === undefined ? say`matches ${code(pattern ?? '')}` : say`looks like ${code(example)}`;
  const wanted = pattern === undefined ? say`` : say` that ${like}`;
  const problem =
    given === undefined ? say`This needs a reason${wanted}.` : say`${code(given)} is not a reason${wanted}.`;
  return say`${problem} No changes were made. Type it with one: ${code(`/appliance ${line} --reason ${quoted(example ?? 'what it is for')}`)}.`;
}

/** The policy wants a ticket, or another one. `line`: what was asked, without it. */
export interface TicketFault {
  readonly code: 'ticket_wanted';
  readonly given?: string | undefined;
  readonly tickets: TicketPolicy | undefined;
  readonly line: string;
  /** It was planned before the policy wanted one: it stays so where it was only to be moved, and is offered anew at its time. */
  readonly planned?: 'moved' | 'due' | undefined;
}

/** The button below what did not run without one. */
export const askWithTicket = 'Ask again with a ticket';

export function ticketWanted({ given, tickets, line, planned }: TicketFault): Text {
  const problem =
    given === undefined
      ? say`This change needs a ticket${looks(tickets, ' such as')}.`
      : say`${code(given)} is not the name of a ticket here${looks(tickets, ': it looks like')}.`;
  if (planned === 'due')
    return say`${problem} No changes were made. ${strong(askWithTicket)} in its thread asks for it now.`;
  const how = planned === 'moved' ? 'Cancel what is planned, and plan it anew with one' : 'Type it with one';
  return say`${problem} No changes were made. ${how}: ${code(`/appliance ${line} --ticket ${quoted(exampleOf(tickets))}`)}.`;
}

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
