import { everyone } from '../../auth/policy.ts';
import { type AnyCommand, nameOf, type Rights } from '../../handlers/command.ts';
import { cleanLine } from '../../handlers/language/line.ts';
import type { Match } from '../../handlers/language/match.ts';
import {
  channel as channelSpan,
  code,
  enumerate,
  group,
  person as personSpan,
  plural,
  type Reply,
  say,
  strong,
  type Text,
} from '../../handlers/reply.ts';
import { explain } from '../faults.ts';
import { type Arguments, type Authority, subjectOf } from './authority.ts';
import { whyTheyCannot } from './denied.ts';

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
    const roles = authority.rolesFor(command, channel, args);
    if (roles.length === 0) {
      return { headline: say`Nobody can run ${name} in ${channelSpan(channel)}.${withArguments(args)}` };
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
            ...roles.map(({ role, holders }) => ({ name: role, value: holdersInWords([...holders]) })),
            ...approvalField(command, args),
          ],
        },
      ],
    };
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
    const by = decision.by.length === 0 ? [] : say` as ${enumerate(decision.by.map(strong), 'or')}`;
    const fields = approvalField(command, args, decision.by);
    return {
      headline: say`Yes. ${who} can run ${name} in ${here}${by}.`,
      ...(fields.length > 0 && { details: [{ kind: 'fields', fields }] }),
    };
  }

  function approvalField(command: AnyCommand, args: Arguments, by: readonly string[] = []) {
    const approval = authority.approvalFor(command, args, by);
    if (approval.kind === 'not_needed') return [];
    const { count, by: roles } = approval.rule;
    const wanted = say`${count === 1 ? 'somebody' : plural(count, 'person', 'people')} who ${count === 1 ? 'is' : 'are'} ${enumerate(roles.map(strong), 'or')} (${holdersInWords(authority.holders(roles, channel))})`;
    const now = approval.kind === 'not_possible' ? say`, but not at this hour` : [];
    return [{ name: 'Approval', value: say`needed from ${wanted}${now}` }];
  }
}

interface Spoken {
  readonly command: AnyCommand;
  readonly args: Arguments;
}

const withArguments = (args: Arguments): string =>
  args === undefined || Object.keys(args).length === 0 ? '' : ' Not with these arguments, at any rate.';

/** Names of more people help nobody to find one. */
const mostNamed = 10;

function holdersInWords(holders: readonly string[]): Text {
  if (holders.includes(everyone)) return say`everyone`;
  if (holders.length === 0) return say`nobody here`;
  const named = holders.slice(0, mostNamed).map((id) => (id.startsWith('S') ? group(id) : personSpan(id)));
  const more = holders.length - named.length;
  return enumerate(more > 0 ? [...named, say`${more} more`] : named);
}
