import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isLiteral, nameOf } from './command.ts';
import { commandByPhrase, commands, match } from './registry.ts';

const each = commands.map((command) => [command.phrase, command] as const);

test('every file of the folder contributes', () => {
  const files = readdirSync(new URL('./commands/', import.meta.url)).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  );
  expect(files.length).toBeGreaterThanOrEqual(3);
  expect(commands.length).toBeGreaterThanOrEqual(files.length);
  expect(commandByPhrase.size).toBe(commands.length);
});

test.each(each)('%s is matched by its own example', (_, command) => {
  expect(match(command.example)).toMatchObject({ kind: 'command', command });
});

test.each(each)('%s and its other phrases have the same slots, each with an argument', (phrase, command) => {
  const slots = (words: string) => words.split(' ').filter((word) => !isLiteral(word));
  const names = slots(phrase).map((slot) => slot.replace(/[<>[\]…]/g, ''));
  expect(Object.keys(command.args).sort()).toEqual(names.sort());
  for (const other of command.also ?? []) expect(slots(other)).toEqual(slots(phrase));
});

test.each(each)('%s reads well: a summary without a full stop, in lower-case words', (phrase, command) => {
  expect(command.summary).toMatch(/^[A-Z].*[^.]$/);
  expect(phrase).toBe(phrase.toLowerCase());
  expect(nameOf(command)).not.toBe('');
});

test.each(each)('%s reads the examples of its arguments', (_, command) => {
  for (const argument of Object.values(command.args)) expect(argument.read(argument.example).ok).toBe(true);
});

test.each(each)('%s is found again by its phrase', (phrase, command) => {
  expect(commandByPhrase.get(phrase)).toBe(command);
});
