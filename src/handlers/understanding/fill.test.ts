import { expect, test } from 'vitest';
import { wordsIn } from '../language/line.ts';
import { readPattern } from '../language/pattern.ts';
import { commands, impossibilities } from '../registry.ts';
import { fill } from './fill.ts';
import { collectSayings } from './sayings.ts';
import { nothingKnown } from './things.ts';
import { tokenOf } from './token.ts';

const sayings = collectSayings(commands, impossibilities);
const known = { ...nothingKnown, appliances: new Map([['branch', 'tag:branch']]) };

/** The parts of a line that fill a command, found by the beginning of its phrase. */
function filled(name: string, line: string) {
  const command = commands.find(({ phrase }) => phrase.startsWith(`${name} `));
  if (command === undefined) throw new Error(`There is no command ${name}`);
  const pattern = readPattern(command.phrase, command);
  const tokens = wordsIn(line).map((word) => tokenOf({ ...word, clause: 0 }, sayings, known));
  return fill(tokens, { kind: 'command', command, pattern }, known);
}

test('a slot takes the word after its small word, in any order', () => {
  for (const line of ['poker.com into 252', 'into 252 poker.com']) {
    const { typed } = filled('category add', line).asked;
    expect(typed, line).toEqual({ site: ['poker.com'], category: ['252'] });
  }
});

test('several of a kind go into the slot that takes several, in the order in which they were typed', () => {
  const { asked, isWhole } = filled('categorize', 'b.com and a.com');
  expect(asked.typed.domain).toEqual(['b.com', 'a.com']);
  expect(isWhole).toBe(true);
});

test('filler goes into no slot, and missing values are reported', () => {
  const { asked, isWhole } = filled('rdp disconnect', 'please the all');
  expect(asked.typed).toEqual({});
  expect(isWhole).toBe(false);
});

test('an appliance or a tag is read as the target, and not as a value', () => {
  expect(filled('rdp disconnect', '12 branch').asked).toMatchObject({
    typed: { session: ['12'] },
    on: 'tag:branch',
  });
});

test('the name of a flag sets it, except in a change', () => {
  expect(filled('audit', 'denied').asked.typed).toEqual({ denied: [''] });
  expect(filled('category add', 'poker.com to 252 now').asked.typed).toEqual({
    site: ['poker.com'],
    category: ['252'],
  });
});
