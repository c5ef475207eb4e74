import type { DescribedArgument } from '../../../../src/api/described.ts';
import { areas, inDashes, type TypedCall } from './calls.ts';
import { secretVariables, variables } from './settings.ts';

/** The text of `--help`, from the declarations. */

export const generalHelp = (): string => `Usage: appliance AREA CALL [ARGUMENTS] [OPTIONS]

Calls an appliance's API. It goes to the appliance directly, with your key: the roles, approvals and audit records of
Appliance Bot do not apply here. The tool asks before it sends a change.

Areas (appliance AREA --help lists the calls of one):
${table(areas.map(({ area, title }) => [area, title]))}

Options:
${table([
  ['--json', 'Print values and errors as JSON.'],
  ['--yes', 'Send a change without asking.'],
  ['--dry-run', 'Show the requests. Only those that read are sent.'],
  [
    '--url URL',
    'The appliance. Also --directory-url, --mirror-url, --mirror-console-url, --name, --release.',
  ],
  ['--help', 'Show this, or what an area or a call takes.'],
])}

Environment:
${table(Object.entries(variables))}

Secrets, from the environment or a file (NAME_FILE), never from the command line:
${table(Object.entries(secretVariables))}

Exit codes: 0 done; 1 failed, and nothing was changed; 2 not understood, nothing was sent; 3 the outcome is unknown or
only a part was done: check before you try again; 4 not sent, because nobody said yes.

Completion: appliance completion bash|zsh|fish prints a script for your shell.
`;

export function areaHelp(area: string, title: string, calls: readonly TypedCall[]): string {
  const lines = calls.map(({ word, summary, effect }) => [
    word,
    effect === 'read' ? summary : `${summary} (${effect})`,
  ]);
  return `${title}\n\nUsage: appliance ${area} CALL [ARGUMENTS] [OPTIONS]\n\n${table(lines)}\n`;
}

export function callHelp({ area, word, summary, effect, facts, arguments: all }: TypedCall): string {
  const inOrder = all.filter(({ optional, isSecret }) => !optional && !isSecret);
  const usage = ['appliance', area, word, ...inOrder.map(placeOf), '[OPTIONS]'].join(' ');
  const described = table(all.map((argument) => [optionOf(argument), argument.description ?? '']));
  const changes =
    effect === 'read'
      ? 'It only reads.'
      : `Its effect is ${effect}. The tool asks before it sends it, unless --yes is given.`;
  const taken = all.length === 0 ? '' : `\nArguments:\n${described}\n`;
  return `${summary}\n\nUsage: ${usage}\n${taken}\n${changes} ${facts}\n`;
}

const placeOf = ({ name, type }: DescribedArgument) => {
  const own = inDashes(name).toUpperCase();
  return type.endsWith('[]') || type.startsWith('Record<') ? `${own}…` : own;
};

function optionOf({ name, type, optional, isSecret }: DescribedArgument): string {
  const own = inDashes(name);
  const options = isSecret
    ? `--${own}-file FILE, --${own}-env VARIABLE`
    : type.endsWith('[]')
      ? `--${own} VALUE…, --${own}-file FILE`
      : type.startsWith('Record<')
        ? `--${own} NAME=VALUE…, --${own}-file FILE`
        : type === 'UploadContent'
          ? `--${own} PATH`
          : `--${own} ${type === 'string' ? 'TEXT' : type === 'number' ? 'NUMBER' : type.replaceAll('"', '').replaceAll(' | ', '|')}`;
  return optional ? `[${options}]` : options;
}

function table(rows: readonly (readonly string[])[]): string {
  const width = Math.min(40, Math.max(...rows.map(([first = '']) => first.length)));
  return rows.map(([first = '', second = '']) => `  ${first.padEnd(width)}  ${second}`.trimEnd()).join('\n');
}
