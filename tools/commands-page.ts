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
  const count = (effect: string) => commands.filter((command) => command.effect === effect).length;
  return `# The commands

Generated from the declarations in \`src/handlers/commands\` (\`npm run docs\`); a test fails when this page is not theirs, and
another one runs every example on it.

${commands.length} commands: ${count('read')} only read, ${count('write')} change something that can be put back and run at once,
${count('destructive') + count('unknown')} show what they will hit and ask before they act.

- **\`<x>\`** is wanted, **\`[x]\`** may be left out, **\`…\`** takes several, with spaces or commas. Options such as \`--reason\` stand anywhere after
  the command. What is missing is asked for in a form; passwords and files are only ever asked for in forms.
- Words may stand in the order in which you would say them: \`enable acl object 12\` is \`acl object enable 12\`; plural or singular, and
  \`list\`, \`ls\` and \`show\`, do not matter. Nothing is ever abbreviated.
- What the appliance lists can be named by its ID or its name.
- **\`--on branch-2\`**, \`--on hq,branch-2\`, \`--on all\`, \`--on tag:prod\` ask other appliances that the channel may work on.
- **\`--dry-run\`** on a command that changes something shows the requests that would be sent, and sends none.
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
    `For ${isAnywhere(command) ? 'everyone, anywhere' : rolesFor(command).join(', ')}.`,
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

Every operation of the appliance is used by a command, but for these:

| Operation | Why |
|---|---|
${lines.join('\n')}
`;
}
