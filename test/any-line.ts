import { expect } from 'vitest';
import { explain } from '../src/action/wording/faults.ts';
import { cleanLine } from '../src/handlers/language/line.ts';
import type { Match } from '../src/handlers/language/match.ts';
import { commands, match } from '../src/handlers/registry.ts';
import { plainText } from '../src/handlers/reply.ts';
import { converse } from './conversation.ts';
import { seeded } from './seeded.ts';

const random = seeded(20_261_122);
const pick = <Item>(from: readonly Item[]): Item => from[Math.floor(random() * from.length)] as Item;

const pieces = [
  ...'abcdefghijklmnopqrstuvwxyz0123456789 .,;:-_/\\"\'`<>|&#%@*[](){}…=',
  ...['\u0000', '\u200b', '\u202e', '\ud83e', '🦆', 'é', '“', '—', '\n', '\u00a0', 'İ', 'ß'],
  ...[
    ' --on ',
    ' --dry-run',
    ' --',
    ' --note ',
    ' --password ',
    ' to ',
    ' from ',
    ' all',
    '-1',
    '99999999999',
    '1.5',
  ],
  ...[
    '<https://',
    '&amp;',
    'xn--',
    '__proto__',
    'constructor',
    '[.]',
    'hxxp://',
    '<!channel>',
    '<@U0ALICE001>',
  ],
];
const words = commands.flatMap(({ phrase, example }) => [...phrase.split(' '), ...example.split(' ')]);

/** Letters and marks without any sense. */
const junk = () => Array.from({ length: Math.floor(random() * 60) }, () => pick(pieces)).join('');
/** Words of ours in any order. */
const muddle = () => Array.from({ length: Math.floor(random() * 7) }, () => pick(words)).join(' ');
/** An example with a few letters wrong, missing or too many. */
function mutated(): string {
  const { example } = pick(commands);
  const letters = [...pick([example, `${example} more`, example.slice(0, random() * example.length)])];
  for (let changes = Math.floor(random() * 4); changes > 0; changes -= 1) {
    letters.splice(Math.floor(random() * (letters.length + 1)), Math.floor(random() * 2), pick(pieces));
  }
  return letters.join('');
}
/** More of a kind than anybody asks for. */
const flood = () =>
  `categorize ${Array.from({ length: 40 + random() * 40 }, (_, index) => `d${index}.com`).join(' ')}`;
const anyLine = () => (random() < 0.001 ? flood : pick([junk, muddle, mutated, mutated]))();

/** Gives so many lines to the matcher: each is understood, or gets a sentence that says why not. */
export function expectSentences(count: number): void {
  const kinds = new Map<Match['kind'], number>();
  for (const line of [flood(), ...Array.from({ length: count - 1 }, anyLine)].map(cleanLine)) {
    const found = match(line);
    kinds.set(found.kind, (kinds.get(found.kind) ?? 0) + 1);
    if (found.kind === 'command') continue;
    const { headline } = explain({ code: 'not_understood', line, match: found, may: () => true });
    if (plainText(headline).length < 10) throw new Error(`${JSON.stringify(line)} gets no sentence`);
  }
  // Each way of not being understood came up, so each was worded.
  expect([...kinds.keys()].sort()).toEqual([
    'astray',
    'command',
    'impossible',
    'incomplete',
    'invalid',
    'missing',
    'secret',
    'surplus',
    'too_many',
    'unknown',
    'wrong_option',
  ]);
}

/** Types so many lines in the channel: each gets an answer or a form, and none is left unfinished. */
export async function expectAnswers(count: number): Promise<void> {
  const { person, workspace, bot } = await converse();
  const vic = person('vic');
  for (let typed = 0; typed < count; typed += 1) {
    const line = pick([junk, muddle, mutated])();
    const before = workspace.snapshot('U0VIC00001').messages.length;
    await vic.type('helpdesk', `/appliance ${line}`);
    const isForm = vic.form() !== undefined;
    if (isForm) await vic.dismiss();
    const answers = workspace.snapshot('U0VIC00001').messages.length - before;
    expect({ line, answered: isForm || answers > 0 }).toEqual({ line, answered: true });
  }
  const actions = await bot.journal.recent(1_000);
  expect(actions.filter(({ outcome }) => outcome?.code === 'internal')).toEqual([]);
  expect(actions.filter(({ state }) => state === 'asked' || state === 'running')).toEqual([]);
}
