import { expect, test } from 'vitest';
import { help } from '../../../test/phrases.ts';
import { seeded } from '../../../test/seeded.ts';
import { sized } from '../../../test/size.ts';
import type { AnyCommand } from '../command.ts';
import { commands, match } from '../registry.ts';
import { type Asked, lineOf } from './asked.ts';
import { cleanLine } from './line.ts';
import { readPattern } from './pattern.ts';
import { createMatcher } from './phrase.ts';

const random = seeded(20_261_123);
const pick = <Item>(from: readonly Item[]): Item => from[Math.floor(random() * from.length)] as Item;
const maybe = (probability: number) => random() < probability;

/** Values that resemble other syntax. */
const hostile = [
  ...[
    '--dry-run',
    '--on',
    '--on=all',
    '--reason',
    '--note',
    '--break-glass',
    '--',
    '---x',
    '--5',
    '-dry-run',
    '-on',
    '-',
  ],
  ...[
    'to',
    'from',
    'in',
    'of',
    'list',
    'ls',
    'show',
    'enable',
    'delete',
    'remove',
    'record',
    'password',
    'all',
    'please',
    'now',
  ],
  ...[
    'a b',
    "it's",
    '"q"',
    '`',
    `" ' \``,
    '""',
    `x""y''z`,
    '"',
    "'",
    'a,b',
    'a;b',
    ',',
    'a, --dry-run',
    'a,--dry-run',
  ],
  ...[
    '',
    '=',
    '?',
    'https://a.com/x,y',
    'Ω',
    'ok',
    'x --on all',
    '/appliance',
    '<@U0ALICE001>',
    'rdp',
    '0',
    '-1',
  ],
];

const lines = sized(1_000, 3_000);
test(`a quoted word is never an option, and an unquoted option always is one: ${lines} lines`, () => {
  const read = createMatcher([help]);
  for (let round = 0; round < lines; round += 1) {
    const topics: string[] = [];
    let isDry = false;
    const written = Array.from({ length: 1 + Math.floor(random() * 6) }, () => {
      if (maybe(0.2)) {
        isDry = true;
        return pick(['--dry-run', '--Dry-Run']);
      }
      const word = pick(hostile);
      topics.push(word);
      const mark = pick(['"', "'", '`'].filter((one) => !word.includes(one)).concat('"'));
      return `${mark}${word.replaceAll(mark, mark + mark)}${mark}`;
    });
    const line = ['help', ...written].join(' ');
    const found = read(cleanLine(line));
    if (isDry) {
      // A lookup has no dry run, so a real option `--dry-run` makes the line invalid.
      expect({ line, ...found }).toMatchObject({ line, kind: 'wrong_option', problem: 'changes_only' });
      continue;
    }
    expect({ line, ...found }).toMatchObject({ line, kind: 'command', typed: { topic: topics } });
    expect({ line, on: 'on' in found, reason: 'reason' in found }).toEqual({
      line,
      on: false,
      reason: false,
    });
  }
});

const times = sized(15, 40);
test(`the line of a command reads as that command with the same values: every command, ${times} times`, () => {
  const count = commands.reduce((sum, command) => {
    let written = 0;
    for (let round = 0; round < times; round += 1) {
      const asked = askedOf(command);
      if (asked === undefined) continue;
      written += 1;
      const line = lineOf(asked);
      const { kind, command: meant, typed, on, dryRun, reason } = match(line) as Asked & { kind: string };
      const given = Object.fromEntries(Object.entries(typed ?? {}).filter(([, words]) => words.length > 0));
      expect({ line, kind, phrase: meant?.phrase, typed: given, on, dryRun, reason }).toEqual({
        line,
        kind: 'command',
        phrase: command.phrase,
        typed: asked.typed,
        on: asked.on,
        dryRun: asked.dryRun,
        reason: asked.reason,
      });
    }
    return sum + written;
  }, 0);
  expect(count).toBeGreaterThan((commands.length * times) / 2);
});

/** A command with valid values; undefined if it needs a value that no line can carry. */
function askedOf(command: AnyCommand): Asked | undefined {
  const { rest, options } = readPattern(command.phrase, command);
  const slots = [...rest.flatMap((one) => (one.kind === 'slot' ? [one] : [])), ...options.values()];
  const typed: Record<string, readonly string[]> = {};
  for (const { name, several, optional } of slots) {
    const argument = command.args[name];
    if (argument === undefined) throw new Error(`${command.phrase} has no ${name}`);
    const isOption = options.has(name);
    if (argument.input === 'secret' || argument.input === 'file') {
      if (!optional) return undefined;
      continue;
    }
    // Optional slots are left out from a random one on.
    if (
      optional &&
      (maybe(0.5) ||
        slots.some(
          (slot) =>
            slot.optional &&
            !options.has(slot.name) &&
            slot.name !== name &&
            !(slot.name in typed) &&
            !isOption,
        ))
    )
      continue;
    const fitting = (word: string) => argument.read(word).ok && !(isOption && word === '');
    const value = () =>
      argument.input === 'flag' ? '' : pick([...hostile.filter(fitting), argument.example]);
    const values = argument.isLine
      ? ['acl', 'record', '"--dry-run"']
      : Array.from({ length: several ? 1 + Math.floor(random() * 3) : 1 }, value);
    if (!values.every((word) => argument.read(word).ok)) return undefined;
    typed[name] = values.slice(0, argument.most ?? values.length);
  }
  const takesReason = command.args.reason !== undefined;
  const isLine = Object.values(command.args).some((argument) => argument.isLine);
  return {
    command,
    typed,
    ...(maybe(0.3) && { on: pick(['all', 'hq,branch-2', '--dry-run', 'a b']) }),
    ...(command.kind === 'change' && maybe(0.3) && { dryRun: true as const }),
    ...(maybe(0.3) && !takesReason && !isLine && { reason: pick(hostile.filter((word) => word !== '')) }),
  };
}

test('a file in a line is its name, and gives no orders', () => {
  const command = commands.find(({ phrase }) => phrase === 'upgrade hotfix <--file>') as AnyCommand;
  const file = { id: 'F1', name: '" --dry-run.tgz', size: 1 };
  const found = match(lineOf({ command, typed: { file: [file] } }));
  expect('dryRun' in found).toBe(false);
});
