import { askedOf, namesIn, targetsIn, timesOf, unresolved } from '../../src/action/authority/asked-of.ts';
import { type AskedFor, createAuthority, decidedWith } from '../../src/action/authority/authority.ts';
import { startIn } from '../../src/action/authority/starts.ts';
import { askerOf, saidIn, termsFor } from '../../src/action/authority/terms.ts';
import { type Consent, isBreakGlass } from '../../src/action/base/consent.ts';
import { codeOf, explain } from '../../src/action/wording/faults.ts';
import type { Decision } from '../../src/auth/decide.ts';
import type { Members } from '../../src/auth/members.ts';
import { inForce, type PolicyInForce, type RoleName } from '../../src/auth/policy.ts';
import type { Arguments, ChannelSharing, Identity, PersonKind } from '../../src/auth/request.ts';
import type { Fleet } from '../../src/auth/targets.ts';
import { ticketAddress, ticketIn } from '../../src/auth/ticket.ts';
import type { AnyCommand } from '../../src/handlers/command.ts';
import { nameOf } from '../../src/handlers/command-name.ts';
import { effectOf } from '../../src/handlers/help/said-of.ts';
import { lineOf } from '../../src/handlers/language/asked.ts';
import { cleanLine } from '../../src/handlers/language/line.ts';
import type { Match } from '../../src/handlers/language/match.ts';
import { linesOf } from '../../src/handlers/part.ts';
import { elapsed, enumerate, plainText, type Reply, say, type Text } from '../../src/handlers/reply.ts';
import { aligned } from '../../src/handlers/wording/aligned.ts';

const personKinds: readonly PersonKind[] = ['member', 'guest', 'other_organisation', 'bot', 'deactivated'];
export const kinds: readonly string[] = personKinds;
export const isKind = (word: string): word is PersonKind => kinds.includes(word);

/** The line, its author, its channel, and the policy. */
export interface Question {
  readonly line: string;
  readonly user: string;
  readonly kind: PersonKind;
  readonly groups: ReadonlySet<string>;
  readonly channel: string;
  readonly place: ChannelSharing;
  readonly policy: PolicyInForce;
  readonly fleet: Fleet;
  readonly commands: readonly AnyCommand[];
  readonly match: (line: string) => Match;
  readonly now: () => number;
}

/** Codes of missing values that a form asks for as well. */
const askedInForm: ReadonlySet<string> = new Set(['reason_wanted', 'ticket_wanted']);

/** The bot's answer to a line, for a terminal: by the code that decides and words it in the chat. */
export async function explainLine(
  question: Question,
): Promise<{ readonly isAllowed: boolean; readonly text: string }> {
  const { user, channel, policy, fleet, match, now } = question;
  const authority = createAuthority(policy, membersOf(question), fleet, now, question.commands);
  const line = cleanLine(question.line);
  const found = match(line);
  const rows: (readonly [string, string])[] = [['Line', line]];
  const answer = (isAllowed: boolean) => ({ isAllowed, text: `${aligned(rows).join('\n')}\n` });
  const refused = (code: string, reply: Reply, before?: string) => {
    const decision = before === undefined ? `refused (${code})` : `${before}, and then refuses (${code})`;
    // Buttons offer what stands in the lines before them.
    const more = (reply.details ?? []).flatMap((part) => (part.kind === 'offers' ? [] : linesOf(part)));
    rows.push(['Decision', decision], ['', plainText(reply.headline)]);
    rows.push(...more.map((line) => ['', line] as const));
    return answer(false);
  };
  if (found.kind !== 'command' && found.kind !== 'missing') {
    const may = await authority.suggests(user, channel);
    return refused(found.kind, explain({ code: 'not_understood', line, match: found, may }));
  }
  const { command } = found;
  const args = found.kind === 'command' ? (found.args as Arguments) : 'any';
  const appliances = askedOf(found, channel, { authority, fleet });
  const named = args === 'any' ? [] : namesIn(command, args);
  rows.push(
    ['Command', `${command.phrase}: ${effectOf(command)}`],
    ['Where', whereOf(question)],
    ['Roles', (await authority.rolesOf(user, channel)).join(', ') || 'none'],
  );
  const does = decidedWith(question.commands)(command, args)
    .map((one) => nameOf(one.command))
    .filter((name) => name !== nameOf(command));
  if (command.kind === 'change' && does.length > 0)
    rows.push(['Also does', `${[...new Set(does)].join(', ')}: the rules for this apply, too`]);
  if (named.length > 0) {
    rows.push([
      'Note',
      `${named.join(', ')}: the decision depends on the object with this name, which only the appliance knows`,
    ]);
  }
  // The bot decides twice: before it resolves the words on the appliance, and with their objects.
  const asker = { person: user, channel, access: found.dryRun ? 'dryRun' : 'run' } as const;
  const start = startIn(found.start, { authority, now });
  if (start !== undefined && 'code' in start) return refused(start.code, explain(start));
  const times = timesOf(found, args, { authority, now });
  const early = { command, appliances, ...times, args: command.kind === 'info' ? args : 'any' } as const;
  const decision = await authority.decide({ ...early, ...asker });
  if (!decision.allow) {
    return refused(decision.denial.code, explain(await authority.fault(decision.denial, channel)));
  }
  const targets = targetsIn(found, channel, { authority, fleet });
  if (targets?.ok === false) {
    const fault = { code: 'no_such_target', problem: targets.problem } as const;
    return refused(fault.code, explain(fault));
  }
  const onEach: readonly AskedFor[] =
    typeof appliances === 'string'
      ? [{ command, args, appliances, ...times }]
      : appliances.map((name) => ({ command, args, appliances: [name], ...times }));
  const { tickets } = policy.current();
  const ticket = found.ticket === undefined ? undefined : ticketIn(found.ticket, tickets);
  if (found.ticket !== undefined && ticket === undefined) {
    const without = lineOf({ ...found, ticket: undefined });
    const fault = { code: 'ticket_wanted', given: found.ticket, tickets, line: without } as const;
    return refused(fault.code, explain(fault));
  }
  const asking = {
    ...{ ...askerOf(asker), ...saidIn(found), ticket },
    ...{ takesBack: false, ends: undefined },
  };
  // Only the appliance can resolve its names: first come their possible meanings, then the rules that hold for all of
  // them.
  const open: AskedFor['args'] = args === 'any' ? args : unresolved(command, args);
  const possible = await authority.decide({ command, appliances, ...times, args: open, ...asker });
  if (!possible.allow) {
    return refused(possible.denial.code, explain(await authority.fault(possible.denial, channel)));
  }
  const certain = await authority.decide({ command, appliances, ...times, args, ...asker });
  const terms = await termsFor(
    authority,
    asking,
    onEach.map((one) => ({ ...one, mayBe: open })),
  );
  const isSettled = (await Promise.all(onEach.map(settles))).every((one) => one);
  // The bot asks for a missing argument first, and for the reason and the ticket in the same form.
  const form = found.kind === 'missing' ? `the bot asks for ${found.argument} in a form` : undefined;
  const isAsked = form !== undefined && terms.kind === 'fault' && askedInForm.has(codeOf(terms.fault));
  const fault = terms.kind === 'fault' && !isAsked ? terms.fault : undefined;
  if (fault !== undefined && isSettled) {
    return refused(codeOf(fault), explain(fault), form);
  }
  const { by } = certain.allow ? certain : possible;
  const allowed = by.length === 0 ? 'allowed for everyone' : `allowed by ${by.join(', ')}`;
  if (fault !== undefined) {
    const either = `depends on the object: ${allowed}, or refused (${codeOf(fault)})`;
    rows.push(['Decision', form === undefined ? either : `${form}, then it ${either}`]);
    rows.push(['', plainText(explain(fault).headline)]);
  } else {
    rows.push(['Decision', form === undefined ? allowed : `${allowed}: ${form}`]);
  }
  if (targets?.ok === true) rows.push(['Runs on', targets.names.join(', ')]);
  rows.push(['Approval', approval()]);
  if (ticket !== undefined) rows.push(['Ticket', ticketAddress(ticket, tickets) ?? ticket]);
  return answer(fault === undefined);

  /** Whether what its names mean makes no difference there. */
  async function settles(one: AskedFor): Promise<boolean> {
    const wanted = { ...one, args: open };
    const [sure, perhaps] = await Promise.all([one, wanted].map((asked) => decisionOn(asked)));
    const tickets = [authority.ticketFor(one, channel), authority.ticketFor(wanted, channel)];
    if (tickets.includes('perhaps') || tickets[0] !== tickets[1]) return false;
    if (sure?.allow !== true || perhaps?.allow !== true) return false;
    const [most, least] = [sure, perhaps].map((decision) => authority.approvalFor(wanted, decision.by));
    if (most === undefined || most.kind === 'not_needed') return true;
    return most.isCertain && JSON.stringify(most) === JSON.stringify(least);
  }

  function decisionOn(asked: AskedFor): Promise<Decision> {
    return authority.decide({ ...asked, ...asker });
  }

  function approval(): string {
    if (terms.kind === 'own') return whyNotNeeded(onEach, by, question);
    if (terms.kind === 'consent') {
      return `${isSettled ? '' : 'may be '}${plainText(consentInWords(terms.consent))}`;
    }
    const approvals = onEach.map((one) => authority.approvalFor({ ...one, args: open }, []));
    return approvals.every(({ kind }) => kind === 'not_needed') ? 'not needed' : 'may be needed';
  }
}

function whyNotNeeded(onEach: readonly AskedFor[], by: readonly RoleName[], question: Question): string {
  if (onEach.some(({ args }) => isBreakGlass(args))) {
    return 'not needed: break-glass, every approver is notified';
  }
  const current = question.policy.current();
  const approvals = current.approvals.map((rule) => ({ ...rule, notNeeded: [] }));
  const always = createAuthority(
    inForce({ ...current, approvals }),
    membersOf(question),
    question.fleet,
    question.now,
    question.commands,
  );
  return onEach.every((asked) => always.approvalFor(asked, by).kind === 'not_needed')
    ? 'not needed'
    : 'not needed at this time';
}

function whereOf({ channel, place, policy }: Question): string {
  const { channels } = policy.current();
  const known = Object.hasOwn(channels, channel) ? channels[channel] : undefined;
  const name = known?.name === undefined ? '' : ` (${known.name})`;
  return `${channel}${name}${place === 'shared' ? ', shared with another organization' : ''}`;
}

function consentInWords({ needs, open, requester }: Consent): Text {
  const each = needs.map(
    ({ by, count, holders }) =>
      say`${count} of ${enumerate(by, 'or')} (${enumerate(holders, 'or')}${requester ? '' : ', not the requester'})`,
  );
  return say`needed from ${enumerate(each)}, within ${elapsed(open)}`;
}

/** Slack's data about the person, from the command line. No user group is looked up. */
function membersOf({ user, kind, groups, place }: Question): Members {
  return {
    identify: async (id, candidates): Promise<Identity> => ({
      ...{ id, human: id },
      kind: id === user ? kind : 'member',
      groups: new Set(id === user ? candidates.filter((group) => groups.has(group)) : []),
    }),
    placeOf: async () => place,
    openGroups: async (holders) => holders,
    withoutBots: async (holders) => holders,
    channelsOf: async () => new Map(),
    called: async () => [],
    names: async () => new Set(),
    forgetPerson: () => undefined,
    forgetGroup: () => undefined,
    forgetChannel: () => undefined,
  };
}
