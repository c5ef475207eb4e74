import { type Consent, isBreakGlass, termsFor } from '../src/action/approval/consent.ts';
import { type Arguments, createAuthority, subjectOf } from '../src/action/authority/authority.ts';
import { explain } from '../src/action/faults.ts';
import { aligned } from '../src/action/results/plain-files.ts';
import { approvalFor } from '../src/auth/approval.ts';
import type { Decision, Identity, PersonKind, Place } from '../src/auth/decide.ts';
import type { PolicyInForce } from '../src/auth/in-force.ts';
import type { Members } from '../src/auth/members.ts';
import { type Fleet, targetsOf } from '../src/auth/targets.ts';
import type { AnyCommand } from '../src/handlers/command.ts';
import { lineOf, reasonIn, withoutReason } from '../src/handlers/language/asked.ts';
import { cleanLine } from '../src/handlers/language/line.ts';
import type { Match } from '../src/handlers/language/match.ts';
import { elapsed, enumerate, plainText, type Reply, say, type Text } from '../src/handlers/reply.ts';
import { effectOf } from '../src/handlers/said-of.ts';

const personKinds: readonly PersonKind[] = ['member', 'guest', 'other_organisation', 'bot', 'deactivated'];
export const kinds: readonly string[] = personKinds;
export const isKind = (word: string): word is PersonKind => kinds.includes(word);

/** Who types what where, and by which policy. */
export interface Question {
  readonly line: string;
  readonly user: string;
  readonly kind: PersonKind;
  readonly groups: ReadonlySet<string>;
  readonly channel: string;
  readonly place: Place;
  readonly policy: PolicyInForce;
  readonly fleet: Fleet;
  readonly commands: readonly AnyCommand[];
  readonly match: (line: string) => Match;
  readonly now: () => number;
}

/** What the bot would say to a line, for a terminal: decided and worded by what decides and words it in the chat. */
export async function explainLine(
  question: Question,
): Promise<{ readonly isAllowed: boolean; readonly text: string }> {
  const { user, channel, policy, match, now } = question;
  const authority = createAuthority(policy, membersOf(question), now);
  const line = cleanLine(question.line);
  const found = match(line);
  const rows: (readonly [string, string])[] = [['Line', line]];
  const answer = (isAllowed: boolean) => ({ isAllowed, text: `${aligned(rows).join('\n')}\n` });
  const refused = (code: string, reply: Reply) => {
    rows.push(['Decision', `refused (${code})`], ['', plainText(reply.headline)]);
    return answer(false);
  };
  if (found.kind !== 'command' && found.kind !== 'missing') {
    return refused(found.kind, explain({ code: 'not_understood', line, match: found }));
  }
  const { command } = found;
  const args = found.kind === 'command' ? (found.args as Arguments) : undefined;
  const named = namesIn(command, args);
  rows.push(
    ['Command', `${command.phrase}: ${effectOf(command)}`],
    ['Where', whereOf(question)],
    ['Roles', (await authority.rolesOf(user, channel)).join(', ') || 'none'],
  );
  if (found.kind === 'missing') rows.push(['Missing', `${found.argument}: a form would ask for it`]);

  const decision = await authority.decide(command, user, channel, args);
  if (named.length > 0) {
    rows.push(['Note', `${named.join(', ')}: only the appliance knows its ID, by which it is decided`]);
  }
  if (!decision.allow) {
    return refused(decision.denial.code, explain(await authority.fault(decision.denial, channel)));
  }
  const here = authority.channel(channel);
  const targets = here === undefined ? undefined : targetsOf(found.on, here, question.fleet);
  if (targets?.ok === false && command.kind !== 'info') {
    return refused(targets.problem.code, explain({ code: 'no_such_target', problem: targets.problem }));
  }
  const reason = reasonIn(found);
  const dryRun = found.dryRun === true;
  const asking = { command, person: user, channel, reason, dryRun, petition: false };
  const again = lineOf(withoutReason(found));
  const terms = await termsFor(authority, { ...asking, line: again }, [args]);
  if (terms.kind === 'fault') return refused(terms.fault.code, explain(terms.fault));
  rows.push(['Decision', allowedBy(decision)]);
  if (targets?.ok === true && command.kind !== 'info') rows.push(['Runs on', targets.names.join(', ')]);
  rows.push([
    'Approval',
    terms.kind === 'own'
      ? whyNotNeeded({ command, args, dryRun }, decision, question)
      : plainText(consentInWords(terms.consent)),
  ]);
  return answer(true);
}

/** What was named in words, where the appliance would be asked for its ID. */
function namesIn({ args: declared }: AnyCommand, args: Arguments): readonly string[] {
  return Object.entries(args ?? {}).flatMap(([name, value]) =>
    declared[name]?.numbered === true
      ? [value]
          .flat()
          .map(String)
          .filter((word) => !/^[0-9]+$/.test(word))
      : [],
  );
}

function whyNotNeeded(
  {
    command,
    args,
    dryRun,
  }: { readonly command: AnyCommand; readonly args: Arguments; readonly dryRun: boolean },
  { by }: Extract<Decision, { allow: true }>,
  { policy, now }: Question,
): string {
  if (dryRun) return 'not needed for a dry run';
  if (isBreakGlass(args)) return 'not needed: the glass is broken, and every approver is told';
  const current = policy.current();
  const approvals = current.approvals.map((rule) => ({ ...rule, notNeeded: [] }));
  const { kind } = approvalFor(subjectOf(command, args), by, now(), { ...current, approvals });
  return kind === 'not_needed' ? 'not needed' : 'not needed at this hour';
}

function whereOf({ channel, place, policy }: Question): string {
  const { channels } = policy.current();
  const known = Object.hasOwn(channels, channel) ? channels[channel] : undefined;
  const name = known?.name === undefined ? '' : ` (${known.name})`;
  return `${channel}${name}${place === 'shared' ? ', shared with another organisation' : ''}`;
}

const allowedBy = ({ by }: Extract<Decision, { allow: true }>): string =>
  by.length === 0 ? 'allowed, to everybody' : `allowed, by ${by.join(', ')}`;

function consentInWords({ needs, open, requester }: Consent): Text {
  const each = needs.map(
    ({ by, count, holders }) =>
      say`${count} of ${enumerate(by, 'or')} (${enumerate(holders, 'or')}${requester ? '' : ', never the asker'})`,
  );
  return say`needed from ${enumerate(each)}, within ${elapsed(open)}`;
}

/** What Slack would tell, as it was told on the command line. Nobody's user groups are opened. */
function membersOf({ user, kind, groups, place }: Question): Members {
  return {
    identify: async (id, candidates): Promise<Identity> => ({
      ...{ id, human: id },
      kind: id === user ? kind : 'member',
      groups: new Set(id === user ? candidates.filter((group) => groups.has(group)) : []),
    }),
    placeOf: async () => place,
    openGroups: async (holders) => holders,
    forgetPerson: () => undefined,
    forgetGroup: () => undefined,
    forgetChannel: () => undefined,
  };
}
