import { hoursInWords } from '../../auth/hours.ts';
import { type ApprovalRule, everyone } from '../../auth/policy.ts';
import { type AnyCommand, nameOf, type Rights } from '../../handlers/command.ts';
import { quoted } from '../../handlers/language/asked.ts';
import { cleanLine } from '../../handlers/language/line.ts';
import type { Match } from '../../handlers/language/match.ts';
import {
  channel as channelSpan,
  code,
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
import { breakGlass } from '../approval/consent.ts';
import { explain } from '../faults.ts';
import { type Arguments, type Authority, subjectOf } from './authority.ts';
import { limitsInWords, whyTheyCannot } from './denied.ts';

/** Tells who may do what in a channel, by the same decisions that guard every command there. */
export function rightsIn(channel: string, match: (line: string) => Match, authority: Authority): Rights {
  return {
    whoCan: async (line) => {
      const asked = understood(line);
      return 'headline' in asked ? asked : whoCan(asked);
    },
    can: async (person, line) => {
      const asked = understood(line);
      return 'headline' in asked ? asked : can(person, asked);
    },
    approval: (command) => approvalInWords(command, undefined, []),
  };

  /** A line that lacks something is about any of its arguments; one that is no command gets what it would get alone. */
  function understood(line: string): Spoken | Reply {
    const found = match(cleanLine(line));
    if (found.kind === 'command') return { command: found.command, args: found.args };
    if (found.kind === 'missing') return { command: found.command, args: undefined };
    return explain({ code: 'not_understood', line, match: found });
  }

  async function whoCan({ command, args }: Spoken): Promise<Reply> {
    const name = code(nameOf(command));
    if (subjectOf(command).open) return { headline: say`Everybody can run ${name}, anywhere.` };
    if (await authority.isShut(command, channel)) {
      return {
        headline: say`Nobody can run ${name} in ${channelSpan(channel)}: people of another organisation are there, so I change nothing from there.`,
      };
    }
    const roles = authority.rolesFor(command, channel, args);
    if (roles.length === 0) {
      return { headline: say`Nobody can run ${name}${likeThis(args)} in ${channelSpan(channel)}.` };
    }
    return {
      headline: say`${name} takes ${enumerate(
        roles.map(({ role }) => strong(role)),
        'or',
      )} in ${channelSpan(channel)}`,
      details: [
        {
          kind: 'fields',
          fields: [
            ...roles.map(({ role, holders }) => ({
              name: role,
              value: say`${holdersInWords([...holders])}${onlyWith(command, role)}`,
            })),
            ...approvalField(approvalInWords(command, args, [])),
          ],
        },
      ],
    };
  }

  function onlyWith(command: AnyCommand, role: string): Text {
    const limits = authority.limitsOf(command, role);
    return limits.length === 0 ? [] : say`, only with ${limitsInWords(limits)}`;
  }

  async function can(person: string, { command, args }: Spoken): Promise<Reply> {
    const name = code(nameOf(command));
    const decision = await authority.decide(command, person, channel, args);
    const who = personSpan(person);
    const here = channelSpan(channel);
    if (!decision.allow) {
      const why = whyTheyCannot(decision.denial);
      return { headline: say`No. ${who} cannot run ${name} in ${here}: ${why}.` };
    }
    const glass = await breakGlass(authority, { person, channel }, args);
    if (glass !== undefined && glass !== 'granted') {
      const why =
        glass.code === 'break_glass_role'
          ? say`that takes ${strong(glass.role)}`
          : say`the policy does not provide for it`;
      return { headline: say`No. ${who} cannot break the glass in ${here}: ${why}.` };
    }
    const by = decision.by.length === 0 ? [] : say` as ${enumerate(decision.by.map(strong), 'or')}`;
    const fields = approvalField(
      glass === 'granted'
        ? say`not needed with ${code('--break-glass')}; everybody who could approve it is told at once`
        : approvalInWords(command, args, decision.by),
    );
    return {
      headline: say`Yes. ${who} can run ${name} in ${here}${by}.`,
      ...(fields.length > 0 && { details: [{ kind: 'fields', fields }] }),
    };
  }

  /** Undefined where nobody has to approve it now. `by`: the roles that allow it to whoever asks, none while that is open. */
  function approvalInWords(command: AnyCommand, args: Arguments, by: readonly string[]): Text | undefined {
    const approval = authority.approvalFor(command, args, by);
    switch (approval.kind) {
      case 'not_needed':
        return undefined;
      case 'needed':
        return say`${isCertain(approval.rules, args) ? '' : 'may be '}needed before it runs, ${enumerate(approval.rules.map((rule) => whose(rule, command, by)))}`;
      case 'not_possible': {
        const hours = approval.rule.notPossible.map(hoursInWords).join('; ');
        return say`needed before it runs, and at this hour nobody can give one. Nobody can in these hours: ${hours} (${authority.policy().timeZone})`;
      }
    }
  }

  /** *from 2 people with the role approver (@approvers), with `--reason INC-4711`* */
  function whose(
    { count, by: roles, requesters, reason }: ApprovalRule,
    { args: declared }: AnyCommand,
    by: readonly string[],
  ): Text {
    const many = count === 1 ? 'somebody' : plural(count, 'person', 'people');
    const holders = holdersInWords(authority.holders(roles, channel));
    const open =
      requesters === undefined || by.length > 0
        ? []
        : say`, for whoever may run it only as ${enumerate(requesters.map(strong), 'or')}`;
    const { example = 'what it is for' } = reason ?? {};
    // A command that asks for a reason itself tells so with the rest.
    const isAsked = reason !== undefined && declared.reason === undefined;
    const why = !isAsked ? [] : say`, with ${code(`--reason ${quoted(example)}`)}`;
    return say`from ${many} with the role ${enumerate(roles.map(strong), 'or')} (${holders})${open}${why}`;
  }
}

/** Which rules count may depend on what it is asked with. */
const isCertain = (rules: readonly ApprovalRule[], args: Arguments): boolean =>
  args !== undefined || rules.every(({ commands }) => commands.every(({ where }) => where === undefined));

const approvalField = (value: Text | undefined): readonly Field[] =>
  value === undefined ? [] : [{ name: 'Approval', value }];

interface Spoken {
  readonly command: AnyCommand;
  readonly args: Arguments;
}

const likeThis = (args: Arguments): string =>
  args === undefined || Object.keys(args).length === 0 ? '' : ' like this';

/** Names of more people help nobody to find one. */
const mostNamed = 10;

function holdersInWords(holders: readonly string[]): Text {
  if (holders.includes(everyone)) return say`everyone`;
  if (holders.length === 0) return say`nobody here`;
  const named = holders.slice(0, mostNamed).map((id) => (id.startsWith('S') ? group(id) : personSpan(id)));
  const more = holders.length - named.length;
  return enumerate(more > 0 ? [...named, say`${more} more`] : named);
}
