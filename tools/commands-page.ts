import type { AnyCommand } from '../src/handlers/command.ts';
import { areaOf, nameOf } from '../src/handlers/command-name.ts';
import { checkOf, effectOf } from '../src/handlers/help/said-of.ts';
import { commands } from '../src/handlers/registry.ts';
import { rolesFor } from './permissions-page.ts';
import { withoutPhrase } from './without-phrase.ts';

/** docs/commands.md, from the declarations. */
export function commandsPage(): string {
  const isOneWord = (command: AnyCommand) => !nameOf(command).includes(' ');
  const everyday = commands.filter(isOneWord);
  const others = commands.filter((command) => !isOneWord(command));
  const sections = [...Map.groupBy(others, areaOf)].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return [
    introduction(),
    section('In one word', everyday),
    ...sections.map(([area, own]) => section(area, own)),
    unreachable(),
  ].join('\n');
}

function introduction(): string {
  const changes = commands.filter(({ kind, effect }) => kind !== 'info' || effect === 'read');
  const count = (effect: string) => changes.filter((command) => command.effect === effect).length;
  return `# The commands

Generated from the declarations in \`src/handlers/commands\` (\`npm run docs\`); a test fails if this page is outdated, and
another one runs every example.

${commands.length} commands: ${count('read')} only read, ${count('write')} make reversible changes and run at once,
${commands.length - changes.length} lead to changes that are decided as themselves, ${count('destructive') + count('unknown')} show a preview and ask for confirmation.

- **\`<x>\`** is required, **\`[x]\`** is optional, **\`…\`** takes several values, separated by spaces or commas. Options such as \`--reason\` can be
  anywhere after the command. A form asks for missing values; passwords and files are always entered in forms.
- Words can be in natural order: \`enable acl object 12\` is \`acl object enable 12\`. Plural or singular, and
  \`list\`, \`ls\` and \`show\`, make no difference. There are no abbreviations.
- Use the ID or the name of anything that the appliance lists.
- **\`--on branch-2\`**, \`--on hq,branch-2\`, \`--on all\`, \`--on tag:prod\` select other appliances that the channel allows.
- **\`--dry-run\`** on a command that changes something shows the requests that would be sent. No changes are made.
`;
}

function section(title: string, own: readonly AnyCommand[]): string {
  return [
    `## ${title}`,
    '',
    ...own.toSorted((one, other) => (one.phrase < other.phrase ? -1 : 1)).map(entry),
  ].join('\n');
}

function entry(command: AnyCommand): string {
  const { phrase, also = [], summary, example, before = [] } = command;
  const facts = [
    `**${command.effect}**: ${effectOf(command)}.`,
    ...(command.kind === 'change' ? [`Verified: ${checkOf(command)}.`] : []),
    `For ${whom(command)}.`,
    ...(also.length === 0 ? [] : [`Also ${also.map((other) => `\`${other}\``).join(', ')}.`]),
  ];
  return `### \`${phrase}\`

${summary}. ${facts.join(' ')}

\`\`\`
${[...before, example].map((line) => `/appliance ${line}`).join('\n')}
\`\`\`
`;
}

const isAnywhere = (command: AnyCommand): boolean => command.kind === 'info' && command.anywhere;

function unreachable(): string {
  const lines = Object.entries(withoutPhrase).map(
    ([operation, reason]) => `| \`${operation}\` | ${reason} |`,
  );
  return `## Operations without a phrase

Commands use every operation of the appliance except these:

| Operation | Why |
|---|---|
${lines.join('\n')}
`;
}

function whom(command: AnyCommand): string {
  if (isAnywhere(command)) return 'everyone, anywhere';
  const askers = 'everyone whom `self_service` in the policy lets ask';
  const selfService = command.kind === 'info' ? command.selfService : undefined;
  // No role gives it.
  if (selfService === 'alone') return askers;
  const roles = rolesFor(command).join(', ');
  return selfService === undefined ? roles : `${roles}, and ${askers}`;
}
