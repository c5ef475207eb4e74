import { subjectOf } from '../src/action/authority/authority.ts';
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
  const what = subjectOf(command, 'any', 'any');
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

function introduction(): string {
  const roles = Object.entries(shippedRoles).map(
    ([name, { summary }]) => `| **${name}** | ${summary} | ${count(name)} |`,
  );
  return `# Who may do what

Generated from the declarations of the commands and the roles that come with the bot (\`npm run docs\`); a test fails when this page is
not theirs. [appliance-bot.example.yml](../appliance-bot.example.yml) shows how each setting is written.

Nothing is allowed that the policy file does not grant. \`npm run policy -- explain\` tells for one person, one channel and one line what
is decided and why; \`whoami\` and \`help\` tell the same in Slack.

- **A role is a set of commands**, by area, effect, exact phrase, the values that an argument may have, and the appliance: one by its
  name (\`appliance: branch\`), or those with a tag (\`tag: prod\`). Five come with the bot, and
  the file can add its own under \`roles\`.
- **A channel says who holds which role there.** Whoever holds a role in a channel holds it for that channel's appliance, and for each one
  that may be named there with \`--on\`. Holders are the word \`everyone\`, people and user groups, by their Slack IDs.
- **Global holders** (\`holders\`) hold a role in every channel that is listed in the file, and in no other.
- **\`only\` narrows a channel** to the roles it lists, also for global holders. A channel can narrow, and never widen.
- **\`everyone\` and user groups mean members of the workspace.** Guests, people of other organisations and bots hold a role only where
  their own ID stands. Deactivated people hold none.
- **Channels shared with another organisation** (Slack Connect) serve lookups only, whoever asks, unless the channel says
  \`shared: write\`: others read along there and can press buttons.
- **Direct messages** are served like channels: only where the file lists their ID (\`D…\`).
- **Anywhere else** there is \`help\` and \`whoami\`, and nothing more. When Slack cannot tell who somebody is, or whom a channel is shared
  with, the answer is no, and says so.
- **What names an appliance or a tag holds there only**: a rule, a whole role, an approval. What a rule limits, it limits everywhere: a
  line on several appliances is refused if one of them is not covered, a picker and *did you mean* show what the role covers, and
  a page, a filter and a file of an answer take the role that the answer itself takes. \`can @bob rdp disconnect 12 --on branch\` tells.
- **Approvals** (\`approvals\`) ask for somebody else's yes on top of a role, for lookups, \`audit\` and dry runs as for changes. Of the commands below those with ✋ need it unless the file
  says otherwise: ${shippedApproval()}.
- **A refusal offers *Ask for approval*** where a role is missing: the same command goes to the people who could run it, and with
  the yes of one of them it runs in the name of whoever asked.
- **\`audit\` and \`timeline\` tell of the channel they are typed in**, and are lookups there. \`audit everywhere\` tells of all
  channels, to the asker alone, and no rule about effects gives it: it takes a role that names it (\`phrase: audit everywhere\`, or
  \`area: audit\`). Of those that come with the bot that is admin. Whoever holds it in one channel reads what was asked in all.
- Roles are looked at when a command is typed, and again at every click, form and execution.

| role | what it does | commands |
|---|---|---|
${roles.join('\n')}

Below, **✓** is allowed and **✋** is allowed with an approval. The effect says what a command does to an appliance: \`read\` changes
nothing, \`write\` can be put back, \`destructive\` cannot, and \`unknown\` is what the appliance's document leaves open.
`;
}

const count = (role: RoleName): number =>
  commands.filter((command) => rolesFor(command).includes(role)).length;

function shippedApproval(): string {
  return shippedApprovals
    .map(({ by, count, open, reason }) => {
      const yes = count === 1 ? 'one' : String(count);
      const given = reason === undefined ? '' : ', with a reason';
      return `${yes} ${by.join(' or ')}, not the one who asks, within ${open / 60_000} minutes${given}`;
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
    // Not by the hour: nothing that comes with the bot depends on it.
    return approvalFor(subjectOf(command, 'any', 'any'), [role], 0, policyWith(role)).kind === 'not_needed'
      ? '✓'
      : '✋';
  });
}
