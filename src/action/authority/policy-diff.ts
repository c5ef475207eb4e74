import { hoursInWords } from '../../auth/hours.ts';
import {
  type ApprovalRule,
  type AuditPolicy,
  type ChannelPolicy,
  everyone,
  type Holders,
  type Policy,
  type RoleName,
  shippedBulk,
  type TicketPolicy,
} from '../../auth/policy.ts';
import {
  channel,
  code,
  elapsed,
  enumerate,
  group,
  person,
  say,
  strong,
  type Text,
} from '../../handlers/reply.ts';
import { rulesInWords } from '../wording/rules.ts';

/** What changed from one policy to the next, a sentence each: who gained or lost which role where comes first. */
export function policyDiff(before: Policy, after: Policy): readonly Text[] {
  const ids = keysOf(before.channels, after.channels);
  return [
    ...rolesDiff(say`everywhere`, before.holders, after.holders),
    ...ids.flatMap((id) => channelDiff(id, own(before.channels, id), own(after.channels, id))),
    ...ownRolesDiff(before, after),
    ...approvalsDiff(before.approvals, after.approvals),
    ...ticketsDiff(before.tickets, after.tickets),
    ...emergencyDiff(before, after),
    ...valueDiff(
      say`How many values a change may have without a question`,
      String((before.bulk ?? shippedBulk).askAbove),
      String((after.bulk ?? shippedBulk).askAbove),
    ),
    ...auditDiff(before.audit, after.audit),
    ...selfServiceDiff(before.selfService, after.selfService),
    ...valueDiff(say`The time zone`, before.timeZone, after.timeZone),
    ...windowsDiff(before.windows, after.windows),
    ...freezesDiff(before.freezes, after.freezes),
    ...wordsDiff(before.words, after.words),
  ];
}

function channelDiff(
  id: string,
  before: ChannelPolicy | undefined,
  after: ChannelPolicy | undefined,
): readonly Text[] {
  const where = channel(id);
  if (after === undefined) return [say`Appliance Bot is no longer enabled in ${where}.`];
  const roles = rolesDiff(say`in ${where}`, before?.roles ?? {}, after.roles);
  if (before === undefined) {
    const narrowed = after.only === undefined ? '' : say`, and ${onlyInWords(after.only)}`;
    const shared = after.sharedWrites ? ', also for changes while it is shared' : '';
    return [say`${where} is served now, on ${strong(after.appliance)}${shared}${narrowed}.`, ...roles];
  }
  return [
    ...roles,
    ...valueDiff(say`The name of ${where}`, before.name ?? 'none', after.name ?? 'none'),
    ...valueDiff(say`The appliance of ${where}`, before.appliance, after.appliance),
    ...valueDiff(
      say`What ${code('--on')} may name in ${where}`,
      appliancesInWords(before.appliances),
      appliancesInWords(after.appliances),
    ),
    ...(isSame(before.only, after.only) ? [] : [say`In ${where} ${onlyInWords(after.only)} now.`]),
    ...valueDiff(
      say`What may be done in ${where} while it is shared with another organization`,
      sharedInWords(before),
      sharedInWords(after),
    ),
  ];
}

const appliancesInWords = (names: ChannelPolicy['appliances']): string =>
  typeof names === 'string' ? names : names.join(', ') || 'none';
const sharedInWords = ({ sharedWrites }: ChannelPolicy): string =>
  sharedWrites ? 'what the roles allow' : 'lookups';
const onlyInWords = (only: readonly RoleName[] | undefined): Text => {
  if (only === undefined) return say`all roles count`;
  return only.length === 0 ? say`no role counts` : say`only ${enumerate(only.map(strong))} count`;
};

function rolesDiff(
  where: Text,
  before: Readonly<Record<RoleName, Holders>>,
  after: Readonly<Record<RoleName, Holders>>,
): readonly Text[] {
  return keysOf(before, after).flatMap((role) => {
    const had = own(before, role) ?? new Set();
    const has = own(after, role) ?? new Set();
    const change = (verb: string, who: ReadonlySet<string>) =>
      who.size === 0 ? [] : [say`${enumerate([...who].map(holder))} ${verb} ${strong(role)} ${where}.`];
    return [...change('gained', has.difference(had)), ...change('lost', had.difference(has))];
  });
}

/** Holders are named by the IDs of people and groups, or are everyone. */
function holder(id: string): Text {
  if (id === everyone) return say`${everyone}`;
  return say`${id.startsWith('S') ? group(id) : person(id)}`;
}

function ownRolesDiff({ roles: before }: Policy, { roles: after }: Policy): readonly Text[] {
  return keysOf(before, after).flatMap((name) => {
    const was = own(before, name);
    const is = own(after, name);
    const role = strong(name);
    if (is === undefined) return [say`The role ${role} is gone.`];
    if (was === undefined) return [say`The role ${role} is new: it may run ${rulesInWords(is.commands)}.`];
    return [
      ...(isSame(was.commands, is.commands)
        ? []
        : [
            say`The role ${role} may run ${rulesInWords(is.commands)} now; it was ${rulesInWords(was.commands)}.`,
          ]),
      ...valueDiff(say`The description of the role ${role}`, was.summary, is.summary),
    ];
  });
}

/** An approval is known by what it covers and whom; several of the same are told apart by their order. */
function approvalsDiff(before: readonly ApprovalRule[], after: readonly ApprovalRule[]): readonly Text[] {
  const known = ({ commands, requesters }: ApprovalRule) => JSON.stringify([commands, requesters]);
  const was = Map.groupBy(before, known);
  const is = Map.groupBy(after, known);
  const changes = keysOf(Object.fromEntries(was), Object.fromEntries(is)).flatMap((key) => {
    const olds = was.get(key) ?? [];
    const news = is.get(key) ?? [];
    return Array.from({ length: Math.max(olds.length, news.length) }).flatMap((_, index) =>
      approvalDiff(olds[index], news[index]),
    );
  });
  const order = (rules: readonly ApprovalRule[], other: ReadonlyMap<string, unknown>) =>
    rules.map(known).filter((key) => other.has(key));
  // The first one that covers a command counts.
  return isSame(order(before, is), order(after, was))
    ? changes
    : [...changes, say`The order of the approvals has changed.`];
}

function approvalDiff(was: ApprovalRule | undefined, is: ApprovalRule | undefined): readonly Text[] {
  if (isSame(was, is)) return [];
  if (is === undefined) {
    return was === undefined ? [] : [say`An approval for ${coveredInWords(was)} is gone: ${termsOf(was)}.`];
  }
  if (was === undefined) return [say`There is a new approval for ${coveredInWords(is)}: ${termsOf(is)}.`];
  return [say`The approval for ${coveredInWords(is)} is now ${termsOf(is)}; it was ${termsOf(was)}.`];
}

function coveredInWords({ commands, requesters }: ApprovalRule): Text {
  return requesters === undefined
    ? rulesInWords(commands)
    : say`${rulesInWords(commands)}, asked for as ${enumerate(requesters.map(strong), 'or')}`;
}

function termsOf(rule: ApprovalRule): Text {
  const hours = (word: string, list: ApprovalRule['notNeeded']): Text =>
    list.length === 0 ? say`` : say`, ${word} ${list.map(hoursInWords).join('; ')}`;
  const { pattern } = rule.reason ?? {};
  const reason =
    rule.reason === undefined
      ? say``
      : pattern === undefined
        ? say`, with a reason`
        : say`, with a reason like ${code(pattern)}`;
  const requester = rule.requester ? ', who may be the one who asks' : '';
  return say`${rule.count} of ${enumerate(rule.by.map(strong), 'or')}${requester} within ${elapsed(rule.open)}${reason}${hours('not needed', rule.notNeeded)}${hours('not possible', rule.notPossible)}`;
}

function ticketsDiff(before: TicketPolicy | undefined, after: TicketPolicy | undefined): readonly Text[] {
  const looks = (tickets: TicketPolicy | undefined) => tickets?.pattern ?? 'anything';
  const opens = (tickets: TicketPolicy | undefined) => tickets?.link ?? 'nowhere';
  return [
    ...valueDiff(say`What a ticket looks like`, looks(before), looks(after)),
    ...valueDiff(say`Where a ticket opens`, opens(before), opens(after)),
    ...(isSame(before?.required ?? [], after?.required ?? [])
      ? []
      : [say`What needs a ticket is now ${needing(after)}; it was ${needing(before)}.`]),
  ];
}

function needing(tickets: TicketPolicy | undefined): Text {
  const { required = [] } = tickets ?? {};
  if (required.length === 0) return say`nothing`;
  return enumerate(
    required.map(({ commands, except, channels }) => {
      const where = channels === undefined ? [] : say` in ${enumerate(channels.map(channel), 'or')}`;
      const without = except.length === 0 ? [] : say`, except ${rulesInWords(except)}`;
      return say`${rulesInWords(commands)}${where}${without}`;
    }),
  );
}

function emergencyDiff({ emergency: before }: Policy, { emergency: after }: Policy): readonly Text[] {
  const alone = (role: RoleName | undefined) => role ?? 'nobody';
  return [
    ...valueDiff(say`The longest emergency mode`, elapsed(before.longest), elapsed(after.longest)),
    ...valueDiff(say`Who may use break-glass`, alone(before.breakGlass), alone(after.breakGlass)),
  ];
}

function auditDiff(before: AuditPolicy | undefined, after: AuditPolicy | undefined): readonly Text[] {
  const long = (keep: number | undefined) => (keep === undefined ? 'for ever' : elapsed(keep));
  const where = (id: string | undefined): Text => (id === undefined ? ['nowhere'] : [channel(id)]);
  return [
    ...valueDiff(say`How long records are kept`, long(before?.keep), long(after?.keep)),
    ...(before?.channel === after?.channel
      ? []
      : [say`Changes are announced in ${where(after?.channel)} now; before: ${where(before?.channel)}.`]),
  ];
}

/** Few read it as closely as roles: where anything of it is another, all of it is told. */
function selfServiceDiff(before: Policy['selfService'], after: Policy['selfService']): readonly Text[] {
  const told = (policy: Policy['selfService']) => policy && [policy, [...policy.askers]];
  if (isSame(told(before), told(after))) return [];
  if (after === undefined) return [say`People without a role can no longer request sites.`];
  const { channel: where, allowCategory, longest, appliances } = after;
  return [
    say`${before === undefined ? 'People without a role can now request sites' : 'The rules for requesting sites have changed'}: up to ${elapsed(longest)}, on ${enumerate(appliances.map(strong))}, decided in ${channel(where)}, added to category ${strong(allowCategory)}.`,
  ];
}

/** When nothing may be changed. Where anything of it is another, it is told anew. */
function freezesDiff(before: Policy['freezes'] = {}, after: Policy['freezes'] = {}): readonly Text[] {
  return keysOf(before, after).flatMap((name) => {
    const [was, is] = [own(before, name), own(after, name)];
    if (isSame(was, is)) return [];
    if (is === undefined) return [say`The freeze ${code(name)} is gone.`];
    const when = 'hours' in is.during ? is.during.hours.map(hoursInWords).join('; ') : 'once';
    return [
      say`The freeze ${code(name)} is ${was === undefined ? 'new' : 'another one now'}: ${when}, of ${is.commands === undefined ? 'all changes' : rulesInWords(is.commands)}.`,
    ];
  });
}

/** When changes can be planned for. */
function windowsDiff(before: Policy['windows'] = {}, after: Policy['windows'] = {}): readonly Text[] {
  return keysOf(before, after).flatMap((name) => {
    const [was, is] = [before, after].map((all) => own(all, name)?.map(hoursInWords).join('; '));
    if (was === is) return [];
    return [
      is === undefined
        ? say`There is no window ${code(name)} any more.`
        : say`The window ${code(name)} is ${is} now.`,
    ];
  });
}

/** A team's own words for commands. */
function wordsDiff(before: Policy['words'] = {}, after: Policy['words'] = {}): readonly Text[] {
  return keysOf(before, after).flatMap((word) => {
    const meaning = own(after, word);
    if (meaning === own(before, word)) return [];
    return [
      meaning === undefined
        ? say`${code(word)} is no longer a command.`
        : say`${code(word)} stands for ${code(meaning)} now.`,
    ];
  });
}

function valueDiff(what: Text, before: string, after: string): readonly Text[] {
  return before === after ? [] : [say`${what} is now ${strong(after)}; it was ${strong(before)}.`];
}

const keysOf = (one: object, other: object): readonly string[] => [
  ...new Set([...Object.keys(one), ...Object.keys(other)]),
];

/** Keys are words of a person: none of them is inherited. */
function own<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Of lists, texts and numbers, whose keys come in the order of the file's shape. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
