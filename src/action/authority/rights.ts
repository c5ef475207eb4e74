import type { Approval } from '../../auth/approval.ts';
import { hoursInWords } from '../../auth/hours.ts';
import { type ApprovalRule, everyone } from '../../auth/policy.ts';
import type { Fleet } from '../../auth/targets.ts';
import type { AnyCommand, Rights } from '../../handlers/command.ts';
import { nameOf } from '../../handlers/command-name.ts';
import { quoted } from '../../handlers/language/asked.ts';
import { cleanLine } from '../../handlers/language/line.ts';
import type { Match } from '../../handlers/language/match.ts';
import {
  channel as channelSpan,
  code,
  elapsed,
  enumerate,
  type Field,
  group,
  person as personSpan,
  plural,
  type Reply,
  say,
  strong,
  type Text,
} from '../../handlers/reply.ts';
import { standingInWords, whyDenied } from '../wording/denials.ts';
import { explain, reasonFor, wordsFor } from '../wording/faults.ts';
import type { MayRun } from '../wording/misread/not-understood.ts';
import { exampleOf } from '../wording/not-approved.ts';
import { limitsInWords } from '../wording/rules.ts';
import { askedOf, namesIn, targetsIn, timesOf, unresolved } from './asked-of.ts';
import { type AskedFor, type Authority, anyhow } from './authority.ts';
import { breakGlassFor } from './terms.ts';

interface RightsParts {
  readonly authority: Authority;
  readonly fleet: Fleet;
  readonly now: () => number;
}

/** Tells who may do what in a channel, by the same decisions that guard every command there. */
export function rightsIn(
  channel: string,
  match: (line: string) => Match,
  { authority, fleet, now }: RightsParts,
  may: MayRun,
): Rights {
  return {
    whoCan: async (line, on) => {
      const asked = understood(line, on);
      return 'headline' in asked ? asked : whoCan(asked);
    },
    can: async (person, line, on) => {
      const asked = understood(line, on);
      return 'headline' in asked ? asked : can(person, asked);
    },
    approval: (command) => approvalInWords({ command, ...anyhow }, []),
  };

  /** A line that lacks something is about any of its arguments; one that is no command gets what it would get alone. */
  function understood(line: string, on: string | undefined): AskedFor | Reply {
    const found = match(cleanLine(line));
    if (found.kind !== 'command' && found.kind !== 'missing') {
      return explain({ code: 'not_understood', line, match: found, may });
    }
    const { command } = found;
    const targets = targetsIn({ command, on }, channel, { authority, fleet });
    if (targets?.ok === false) return explain({ code: 'no_such_target', problem: targets.problem });
    const appliances = askedOf({ command, on }, channel, { authority, fleet });
    const args = found.kind === 'command' ? found.args : 'any';
    return { command, args, appliances, ...timesOf(found, args, { authority, now }) };
  }

  async function whoCan(typed: AskedFor): Promise<Reply> {
    const asked = openly(typed);
    const { command } = asked;
    const name = code(nameOf(command));
    if (command.kind === 'info' && command.anywhere) {
      return { headline: say`Everybody can run ${name}, anywhere.` };
    }
    const here = say`${onWhich(asked)} in ${channelSpan(channel)}`;
    if (await authority.isShut(command, channel)) {
      return {
        headline: say`Nobody can run ${name}: ${standingInWords({ code: 'shared_channel' }, channel, 'they')}.`,
      };
    }
    const roles = authority.rolesFor(asked, channel);
    if (roles.length === 0) {
      return { headline: say`Nobody can run ${name}${likeThis(asked)}${here}.` };
    }
    return {
      headline: say`${name} requires the ${enumerate(
        roles.map(({ role }) => strong(role)),
        'or',
      )} role${here}`,
      details: [
        {
          kind: 'fields',
          fields: [
            ...roles.map(({ role, holders }) => ({
              name: role,
              value: say`${holdersInWords([...holders])}${onlyWith(command, role)}`,
            })),
            ...approvalField(approvalInWords(asked, [])),
            ...leadsField(command),
            ...ticketField(asked),
          ],
        },
      ],
    };
  }

  function onlyWith(command: AnyCommand, role: string): Text {
    const limits = authority.limitsOf(command, role);
    return limits.length === 0 ? [] : say`, only ${limitsInWords(limits)}`;
  }

  async function can(person: string, asked: AskedFor): Promise<Reply> {
    const { command } = asked;
    const name = say`${code(nameOf(command))}${onWhich(asked)}`;
    const decide = await authority.decideEach({ command, person, channel, access: 'run' });
    // What it is whatever its names mean, and what it may be.
    const [decision, possible] = [decide(asked), decide(openly(asked))];
    const who = personSpan(person);
    const here = channelSpan(channel);
    if (!possible.allow) {
      const why = whyDenied(possible.denial, channel, 'they');
      return { headline: say`No. ${who} cannot run ${name} in ${here}. ${why}` };
    }
    const glass = await breakGlassFor(authority, { person, channel }, asked);
    if (glass !== undefined && glass !== 'granted') {
      return { headline: say`No. ${who} can’t use break-glass in ${here}. ${wordsFor(glass).happened}` };
    }
    const approval = approvalField(
      glass === 'granted'
        ? say`not needed with ${code('--break-glass')}; everybody who could approve it is told at once`
        : approvalInWords(openly(asked), decision.allow ? decision.by : [], possible.by),
    );
    const fields = [
      ...approval,
      ...leadsField(command),
      ...(glass === 'granted' ? [] : ticketField(openly(asked))),
    ];
    const frozen = glass === 'granted' ? undefined : authority.freezeFor(openly(asked), possible.held);
    const { timeZone } = authority.policy();
    if (frozen !== undefined)
      return {
        headline: say`${asked.planned === undefined ? 'Not now.' : 'Not then.'} ${who} can run ${name} in ${here}${asRoles(possible.by)}, but not in a freeze.`,
        details: [
          { kind: 'text', text: reasonFor({ code: 'frozen', frozen, timeZone }) },
          { kind: 'fields', fields },
        ],
      };
    return {
      headline: decision.allow
        ? say`Yes. ${who} can run ${name} in ${here}${asRoles(decision.by)}.`
        : say`It depends for ${who}. ${whyDenied(decision.denial, channel, 'they')} ${onlyKnownThere(asked)}`,
      ...(fields.length > 0 && { details: [{ kind: 'fields', fields }] }),
    };
  }

  /** Whoever may run what only leads to changes may not therefore make each of them. */
  function leadsField({ kind, effect }: AnyCommand): readonly Field[] {
    return kind === 'info' && effect === 'write'
      ? [{ name: 'Then', value: say`each change that it leads to requires its own role and approvals` }]
      : [];
  }

  function ticketField(asked: AskedFor): readonly Field[] {
    const need = authority.ticketFor(asked, channel);
    if (need === 'no') return [];
    const option = code(`--ticket ${quoted(exampleOf(authority.policy().tickets))}`);
    return [{ name: 'Ticket', value: say`${need === 'yes' ? '' : 'may be '}needed, with ${option}` }];
  }

  /**
   * Undefined where nobody has to approve it now. `by`: the roles that allow it to whoever asks, none while that is open;
   * `perhaps`: with those that may allow it, too.
   */
  function approvalInWords(
    asked: AskedFor,
    by: readonly string[],
    perhaps: readonly string[] = by,
  ): Text | undefined {
    const approval = authority.approvalFor(asked, by);
    if (approval.kind === 'not_needed') return undefined;
    const isSure = approval.isCertain && isSame(approval, authority.approvalFor(asked, perhaps));
    const needed = say`${isSure ? '' : 'may be '}needed before it runs`;
    if (approval.kind === 'needed') {
      return say`${needed}, ${enumerate(approval.rules.map((rule) => whose(rule, asked.command, by)))}`;
    }
    const hours = approval.rule.notPossible.map(hoursInWords).join('; ');
    return say`${needed}, and at this hour nobody can give one. Nobody can in these hours: ${hours} (${authority.policy().timeZone})`;
  }

  /** *from 2 people with the role approver (@approvers), with `--reason INC-4711`* */
  function whose(
    { count, by: roles, requesters, reason, temporary }: ApprovalRule,
    { args: declared }: AnyCommand,
    by: readonly string[],
  ): Text {
    const many = count === 1 ? 'somebody' : plural(count, 'person', 'people');
    const holders = holdersInWords(authority.holders(roles, channel));
    const open =
      requesters === undefined || by.length > 0
        ? []
        : say`, for whoever may run it only as ${enumerate(requesters.map(strong), 'or')}`;
    const short =
      temporary === undefined ? [] : say`, unless it is for ${elapsed(temporary.longest)} at most`;
    const { example = 'what it is for' } = reason ?? {};
    // A command that asks for a reason itself tells so with the rest.
    const isAsked = reason !== undefined && declared.reason === undefined;
    const why = !isAsked ? [] : say`, with ${code(`--reason ${quoted(example)}`)}`;
    return say`from ${many} with the role ${enumerate(roles.map(strong), 'or')} (${holders})${open}${short}${why}`;
  }
}

/** With names that may mean anything: only the appliance knows what they are. */
const openly = (asked: AskedFor): AskedFor =>
  asked.args === 'any' ? asked : { ...asked, args: unresolved(asked.command, asked.args) };

const onlyKnownThere = ({ command, args }: AskedFor): Text => {
  const names = args === 'any' ? [] : namesIn(command, args);
  return say`${enumerate(names.map((name) => code(name)))} ${names.length === 1 ? 'is' : 'are'} looked up when it runs.`;
};

const asRoles = (by: readonly string[]): Text =>
  by.length === 0 ? [] : say` as ${enumerate(by.map(strong), 'or')}`;

/** Of the same question, asked by more roles. */
const isSame = (one: Approval, other: Approval): boolean =>
  one.kind === 'needed'
    ? other.kind === 'needed' && one.rules.length === other.rules.length
    : one.kind === other.kind;

const approvalField = (value: Text | undefined): readonly Field[] =>
  value === undefined ? [] : [{ name: 'Approval', value }];

const likeThis = ({ args }: AskedFor): string =>
  args === 'any' || Object.keys(args).length === 0 ? '' : ' like this';

/** Where it was asked for by name. */
const onWhich = ({ appliances }: AskedFor): Text =>
  typeof appliances === 'string' ? [] : say` on ${enumerate(appliances.map(strong))}`;

/** Names of more people help nobody to find one. */
const mostNamed = 10;

function holdersInWords(holders: readonly string[]): Text {
  if (holders.includes(everyone)) return say`everyone`;
  if (holders.length === 0) return say`nobody here`;
  const named = holders.slice(0, mostNamed).map((id) => (id.startsWith('S') ? group(id) : personSpan(id)));
  const more = holders.length - named.length;
  return enumerate(more > 0 ? [...named, say`${more} more`] : named);
}
