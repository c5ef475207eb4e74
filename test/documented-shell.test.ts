import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as combined from '../src/api/combined/index.ts';
import { operations } from '../src/api/index.ts';

/**
 * Shell lines of the pages: each script, file and subcommand exists and knows its options. `documented-lines.test.ts`
 * runs the lines of `npm run sandbox -- exec`.
 */
const pages = globSync(['*.md', 'docs/**/*.md', '.github/**/*.md', 'packages/*/*.md']).filter(
  (page) => page !== 'CHANGELOG.md',
);
const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync('package.json', 'utf8'),
);

/** Programs that come with neither the project nor its packages. */
const installed = new Set(
  [
    'cd',
    'cp',
    'curl',
    'docker',
    'echo',
    'git',
    'grep',
    'helm',
    'kill',
    'kubectl',
    'openssl',
    'promtool',
    'systemctl',
  ].concat([
    ...[
      'journalctl',
      'install',
      'ln',
      'pg_dump',
      'pg_restore',
      'psql',
      'sudo',
      'systemd-analyze',
      'tail',
      'useradd',
      'mkdir',
      'rm',
      'source',
    ],
  ]),
);

/** Blocks for a shell: marked ones, and unmarked ones that begin with npm. */
const blocks = pages.flatMap((page) =>
  blocksIn(readFileSync(page, 'utf8'))
    .filter(
      ({ language, text }) => language === 'sh' || (language === '' && /^ *(?:[A-Z_]+=\S+ )*npm /.test(text)),
    )
    .map(({ text }) => [page, text] as const),
);

function blocksIn(page: string): readonly { readonly language: string; readonly text: string }[] {
  const found: { language: string; text: string }[] = [];
  let open: { language: string; text: string } | undefined;
  for (const line of page.split('\n')) {
    const [, language] = /^ *```(\S*)/.exec(line) ?? [];
    if (language === undefined) {
      if (open !== undefined) open.text += `${line}\n`;
    } else if (open === undefined) open = { language, text: '' };
    else {
      found.push(open);
      open = undefined;
    }
  }
  return found;
}

/** In a sentence. */
const inline = pages.flatMap((page) =>
  [
    ...readFileSync(page, 'utf8').matchAll(
      /`((?:npm (?:run|ci|test|start|pack)|node_modules\/\.bin\/|appliance-bot )[^`\n]*)`/g,
    ),
  ].map(([, line = '']) => [page, line] as const),
);

const commands = [
  ...blocks.flatMap(([page, text]) => linesOf(text).map((line) => [page, line] as const)),
  ...inline,
].flatMap(([page, line]) => commandsIn(line).map((command) => [page, command] as const));

describe('a shell line of the pages', () => {
  test('stands there at all', () => expect(blocks.length).toBeGreaterThan(25));

  test.each([
    ...new Map(commands.map(([page, command]) => [`${page} ${command}`, [page, command] as const])).values(),
  ])('in %s names what exists, with its options: %s', (_, command) =>
    expect(problemWith(command)).toBeUndefined(),
  );
});

/** The lines without remarks; a continued or quoted line is joined with the following ones. */
function linesOf(text: string): readonly string[] {
  return text
    .replace(/\\\n\s*/g, ' ')
    .replace(/'[^']*'|"[^"\n]*"/g, (string) => string.replaceAll('\n', ' '))
    .split('\n')
    .map((line) => line.replace(/(?:^|\s)#.*$/, '').trim())
    .filter((line) => line !== '');
}

/** The commands of a line, each without its variables and redirections. */
function commandsIn(line: string): readonly string[] {
  // Skips output and input of the inspector, and bodies of functions.
  if (/^(?:debug>|#\d|\.\.\.|'|│|\w+\(\) \{)/.test(line)) return [];
  // Quotes hide what would end a command.
  return line
    .split(/ (?:&&|\|\||\||;) (?=(?:[^"']|"[^"]*"|'[^']*')*$)/)
    .map((command) =>
      command
        .replace(/ \d?>.*$/, '')
        .replace(/^(?:export )?(?:[A-Z_]+=(?:\$\([^)]*\)|"[^"]*"|\S*)\s*)+/, '')
        .trim(),
    )
    .filter((command) => command !== '');
}

function problemWith(command: string): string | undefined {
  const [program = '', ...words] = command.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  if (program === 'npm') return problemOfNpm(words);
  if (program === 'node' || program.endsWith('.bin/node')) {
    const file = words.find((word) => /\.(?:js|ts)$/.test(word));
    return file === undefined ||
      existsSync(file) ||
      /['"$]/.test(words.join(' ')) ||
      words.includes('inspect')
      ? undefined
      : `There is no ${file}`;
  }
  if (program.startsWith('node_modules/')) return existsSync(program) ? undefined : `There is no ${program}`;
  if (program === 'appliance-bot') return problemOfOptions('bin/appliance-bot.js', words);
  if (program === 'npx' && words[0] === 'simulated-appliance')
    return problemOfOptions('sandbox/appliance/main.ts', words);
  if (program === 'npx' || program === 'appliance')
    return problemOfClient(program === 'npx' ? words : ['', ...words]);
  if (definedIn(program)) return undefined;
  return installed.has(program) ? undefined : `Neither ours nor known to this test: ${program}`;
}

/** A function that the pages themselves have one define. */
const definedIn = (name: string): boolean => blocks.some(([, text]) => text.includes(`${name}() {`));

function problemOfNpm(words: readonly string[]): string | undefined {
  const [verb = '', ...rest] = words.filter((word) => !/^(?:--silent|--prefix|-w)$/.test(word));
  if (['ci', 'pack', 'install', 'view'].includes(verb)) return undefined;
  const [name = '', ...given] = verb === 'run' ? rest : [verb, ...rest];
  const script = scripts[name];
  if (script === undefined) return `There is no npm script ${name}`;
  const dashes = given.indexOf('--');
  if (dashes === -1)
    return given.length === 0 ? undefined : `npm takes ${given.join(' ')} for itself: write -- before it`;
  const file = script.match(/[\w/.-]+\.(?:ts|js)/)?.[0];
  return file === undefined
    ? undefined
    : problemOfOptions(file, [
        ...(script.split(file)[1]?.trim().split(' ') ?? []),
        ...given.slice(dashes + 1),
      ]);
}

/** `npx appliance-client rdp list-sessions`: the operation `rdp.listSessions`, or a call that combines several. */
function problemOfClient([, area = '', call = '']: readonly string[]): string | undefined {
  const name = call.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const own: Readonly<Record<string, object>> = combined;
  const known = [
    ...operations.keys(),
    ...Object.keys(own[area] ?? {}).map((one) => `${area}.${one}`),
    'completion.',
  ];
  const isThere =
    /^[a-z]/.test(call) && area !== 'completion'
      ? known.includes(`${area}.${name}`)
      : known.some((one) => one.startsWith(`${area}.`));
  return isThere || !/^[a-z]+$/.test(area) ? undefined : `There is no operation ${area} ${call}`;
}

/** By what the tool itself reads: its files hold every option as a key or in its usage, and every subcommand in quotes. */
function problemOfOptions(file: string, words: readonly string[]): string | undefined {
  // The binary loads the build of this source, which it names nowhere.
  const text = textFrom(file === 'bin/appliance-bot.js' ? 'cli/main.ts' : file);
  const options = words
    .filter((word) => word.startsWith('--') && word !== '--')
    .map((word) => word.slice(2).split('=')[0] ?? '');
  const unknown = options.filter((name) => !new RegExp(`--${name}\\b|['"]?\\b${name}['"]?: \\{`).test(text));
  return unknown.length === 0
    ? undefined
    : `${file} knows no ${unknown.map((name) => `--${name}`).join(', ')}`;
}

/** The text of a file, and of our files that it imports on the way to its options. */
function textFrom(file: string): string {
  const files = new Set([file].filter((path) => existsSync(path)));
  for (const path of files) {
    for (const [, from = ''] of readFileSync(path, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
      const imported = join(dirname(path), from);
      if (!imported.startsWith('src/') && existsSync(imported)) files.add(imported);
    }
  }
  return [...files].map((path) => readFileSync(path, 'utf8')).join('\n');
}
