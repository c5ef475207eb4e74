import { anySubjectOf, namesDecidedWith } from '../src/action/authority/authority.ts';
import { approvalFor } from '../src/auth/approval.ts';
import { allows } from '../src/auth/decide.ts';
import {
  type Policy,
  type RoleName,
  shippedApprovals,
  shippedEmergency,
  shippedRoles,
} from '../src/auth/policy.ts';
import type { AnyCommand } from '../src/handlers/command.ts';
import { areaOf, nameOf } from '../src/handlers/command-name.ts';
import { commands } from '../src/handlers/registry.ts';

const roleNames = Object.keys(shippedRoles);

/** Which of the roles that come with the bot may run it: the same decision as at run time, in a channel that has each role once. */
export function rolesFor(command: AnyCommand): readonly RoleName[] {
  const who = { kind: 'member', id: 'U0', human: 'U0', groups: new Set<string>() } as const;
  const where = { channel: 'C0', place: 'own' } as const;
  const what = anySubjectOf(command);
  return roleNames.filter((role) => allows({ who, where, what, access: 'run' }, policyWith(role)));
}

function policyWith(role: RoleName): Policy {
  const roles = { [role]: new Set(['U0']) };
  return {
    channels: { C0: { appliance: 'hq', appliances: [], roles, sharedWrites: false } },
    holders: {},
    roles: shippedRoles,
    approvals: shippedApprovals,
    emergency: shippedEmergency,
    timeZone: 'UTC',
  };
}

/** docs/permissions.md, from the declarations. */
export function permissionsPage(): string {
  const sections = [...Map.groupBy(commands, areaOf)].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return [introduction(), ...sections.map(([area, own]) => section(area, own))].join('\n');
}

/** Commands that do what others are there for: `category move` (also `category delete` and `category add`). */
const pairs = (): string =>
  commands
    .flatMap((command) => {
      const others = [...new Set(namesDecidedWith(command))].filter((name) => name !== nameOf(command));
      const listed = others.map((name) => `\`${name}\``).join(' and ');
      return others.length === 0 ? [] : [`\`${nameOf(command)}\` (${listed})`];
    })
    .join(', ');

function introduction(): string {
  const roles = Object.entries(shippedRoles).map(
    ([name, { summary }]) => `| **${name}** | ${summary} | ${count(name)} |`,
  );
  return `# Who may do what

Generated from the declarations of the commands and the built-in roles (\`npm run docs\`); a test fails if this page is outdated.
[appliance-bot.example.yml](../appliance-bot.example.yml) shows how to write each setting.

Only what the policy file grants is allowed. \`appliance-bot policy explain\` shows the decision for one person, one channel and one line,
and the reason; \`whoami\` and \`help\` show the same in Slack.

- **A role is a set of commands**, defined by area, effect, exact phrase, argument values, and appliance: one by its
  name (\`appliance: branch\`), or those with a tag (\`tag: prod\`). Five roles are built in;
  add custom ones under \`roles\`.
- **A channel lists who holds which role there.** A role in a channel applies to that channel's appliance, and to each one
  that can be selected there with \`--on\`. Holders are \`everyone\`, or the Slack IDs of people and user groups.
- **Global holders** (\`holders\`) hold a role in every channel that is listed in the file, and in no other.
- **\`only\` restricts a channel** to the roles it lists, also for global holders.
- **\`everyone\` and user groups mean members of the workspace.** Guests, people from other organizations and bots hold a role only if
  their own ID is listed. Deactivated people hold none.
- **Channels shared with another organization** (Slack Connect) allow lookups only, unless the channel has
  \`shared: write\`, because outsiders see its messages and can press buttons.
- **Direct messages** work like channels: only if the file lists their ID (\`D…\`).
- **Elsewhere**, only \`help\` and \`whoami\` work. If Slack cannot identify a person, or say whom a channel is shared
  with, the bot refuses and says so.
- **Rules, roles and approvals that name an appliance or a tag** apply only there. Limits hold for every kind of access: a
  line on several appliances is refused if one of them is not covered, pickers and *did you mean* show only what the role covers, and
  the pages, filters and files of an answer require the same role as the answer. \`can @bob rdp disconnect 12 --on branch\` shows the result.
- **Approvals** (\`approvals\`) are required in addition to a role, for lookups, \`audit\` and dry runs as well as for changes. By default, the
  commands below with ✋ require ${shippedApproval()}.
- **What is said of a command holds for whatever does the same**, with every role, approval, ticket and freeze: ${pairs()}.
- **A refusal offers *Ask for approval*** if a role is missing: the request goes to the people who could run the command. If
  one of them approves, it runs in the name of the requester.
- **\`ask\` needs no role**: the section \`self_service\` of the policy says who may request a blocked site, from which channels, of which
  categories and for how long ([temporary changes](temporary-changes.md#ask-to-unblock-a-website)). Whoever asks learns only whether
  the site is blocked and why. Their request is an access request for \`category add\`: it needs the approval of somebody who may run that,
  whatever roles the requester has, and every other approval that the policy wants for it.
- **\`audit\` and \`timeline\` cover the channel they are typed in**, and are lookups there. \`audit everywhere\` covers all
  channels, is shown only to the requester, and is not granted by rules about effects: it requires a role that names it
  (\`phrase: audit everywhere\`, or \`area: audit\`). Of the built-in roles, only admin does. With it in one channel, a person can read the
  requests of all channels.
- Roles are checked when a command is typed, and again at every click, form and execution.

| role | what it does | commands |
|---|---|---|
${roles.join('\n')}

Below, **✓** is allowed and **✋** is allowed with an approval. The effect says what a command does to an appliance: \`read\` changes
nothing, \`write\` is reversible, \`destructive\` is not, and \`unknown\` is not documented. ${leading()} lead to changes
(\`write\`), and rules about effects take them for lookups: each change that they lead to requires its own role and approvals.
`;
}

const leading = (): string =>
  commands
    .filter(({ kind, effect }) => kind === 'info' && effect === 'write')
    .map((command) => `\`${nameOf(command)}\``)
    .join(', ');

const count = (role: RoleName): number =>
  commands.filter((command) => rolesFor(command).includes(role)).length;

function shippedApproval(): string {
  return shippedApprovals
    .map(({ by, count, open, reason }) => {
      const yes = count === 1 ? 'one' : String(count);
      const given = reason === undefined ? '' : ', with a reason';
      return `${yes} ${by.join(' or ')} other than the requester, within ${open / 60_000} minutes${given}`;
    })
    .join('; ');
}

function section(area: string, own: readonly AnyCommand[]): string {
  const rows = own
    .toSorted((one, other) => (one.phrase < other.phrase ? -1 : 1))
    .map((command) => `| \`${nameOf(command)}\` | ${command.effect} | ${marks(command).join(' | ')} |`);
  return `## ${area}

| command | effect | ${roleNames.join(' | ')} |
|---|---|${roleNames.map(() => ':-:').join('|')}|
${rows.join('\n')}
`;
}

function marks(command: AnyCommand): readonly string[] {
  if (command.kind === 'info' && command.anywhere) return roleNames.map(() => '✓');
  const allowed = rolesFor(command);
  return roleNames.map((role) => {
    if (!allowed.includes(role)) return '';
    // The hour plays no part: the shipped rules do not depend on it.
    return approvalFor(anySubjectOf(command), [role], 0, policyWith(role)).kind === 'not_needed' ? '✓' : '✋';
  });
}
