import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { asSlackSends } from '../../test/commands.ts';
import { shippedRoles } from '../auth/policy.ts';
import { covers } from '../auth/rule.ts';
import { areaOf, isLiteral, nameOf } from './command.ts';
import { commandByPhrase, commands, match } from './registry.ts';

const each = commands.map((command) => [command.phrase, command] as const);

test('every file of the folder stands in its list, and contributes', () => {
  const folder = new URL('./commands/', import.meta.url);
  const files = readdirSync(folder).filter((file) => /(?<!\.test)\.ts$/.test(file) && file !== 'index.ts');
  const listed = [...readFileSync(new URL('index.ts', folder), 'utf8').matchAll(/from '\.\/(.+)'/g)];
  expect(listed.map(([, file]) => file).sort()).toEqual(files.sort());
  expect(commands.length).toBeGreaterThanOrEqual(files.length);
  expect(commandByPhrase.size).toBe(commands.length);
});

test.each(each)('%s is matched by its own example', (_, command) => {
  // What only a form can ask for is missing in any line.
  const byForm = Object.values(command.args).some(({ input }) => input === 'secret' || input === 'file');
  expect(match(asSlackSends(command.example))).toMatchObject({
    kind: byForm ? 'missing' : 'command',
    command,
  });
});

test.each(each)('%s and its other phrases have the same slots, each with an argument', (phrase, command) => {
  const slots = (words: string) => words.split(' ').filter((word) => !isLiteral(word));
  const names = slots(phrase).map((slot) => slot.replace(/[<>[\]…]/g, '').replace(/^--/, ''));
  expect(Object.keys(command.args).sort()).toEqual(names.sort());
  for (const other of command.also ?? []) expect(slots(other).sort()).toEqual(slots(phrase).sort());
});

test.each(each)('%s reads well: a summary without a full stop, in lower-case words', (phrase, command) => {
  expect(command.summary).toMatch(/^[A-Z].*[^.]$/);
  expect(phrase).toBe(phrase.toLowerCase());
  expect(nameOf(command)).not.toBe('');
});

test.each(each)('%s reads the examples of its arguments', (_, command) => {
  const typed = Object.values(command.args).filter(({ input }) => input !== 'secret' && input !== 'file');
  for (const argument of typed) expect(argument.read(asSlackSends(argument.example)).ok).toBe(true);
});

test.each(each)('%s says how it is known whether it happened, if it changes something', (_, command) => {
  if (command.kind !== 'change') return expect(command.effect).toBe('read');
  if (typeof command.verify === 'function') return;
  expect(command.verify.notCheckable).toMatch(/^[a-z].{20,}[^.]$/);
});

test('a role that comes with the bot may run each of them', () => {
  for (const command of commands) {
    const subject = { name: nameOf(command), area: areaOf(command), effect: command.effect, open: false };
    const named = Object.values(shippedRoles).some((role) =>
      role.commands.some((rule) => covers(rule, subject)),
    );
    expect(named, command.phrase).toBe(true);
  }
});

test.each(each)('%s is found again by its phrase', (phrase, command) => {
  expect(commandByPhrase.get(phrase)).toBe(command);
});
