import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asSlackSends } from '../../test/commands.ts';
import { subjectOf } from '../../test/policy.ts';
import { shippedRoles } from '../auth/policy.ts';
import { covers } from '../auth/rule.ts';
import { areaOf, isLiteral, nameOf } from './command-name.ts';
import { commandByPhrase, commands, impossibilities, match } from './registry.ts';

test('every file of commands is in the list, and contributes', () => {
  const files = globSync('**/*.commands.ts', { cwd: import.meta.dirname });
  const list = readFileSync(join(import.meta.dirname, 'commands.ts'), 'utf8');
  const listed = [...list.matchAll(/from '\.\/(.+)'/g)];
  const names = listed.map(([, file]) => file);
  const advice = files
    .filter((file) => !names.includes(file))
    .map((file) => `Add to src/handlers/commands.ts: export * as … from './${file}';`);
  expect(advice).toEqual([]);
  expect(names.sort()).toEqual(files.sort());
  expect(commands.length).toBeGreaterThanOrEqual(files.length);
  expect(commandByPhrase.size).toBe(commands.length);
});

test('every command is matched by its own example', () => {
  for (const command of commands) {
    // An argument that only a form accepts is missing in any line.
    const byForm = Object.values(command.args).some(({ input }) => input === 'secret' || input === 'file');
    expect(match(asSlackSends(command.example)), command.phrase).toMatchObject({
      kind: byForm ? 'missing' : 'command',
      command,
    });
  }
});

test('every command and its other phrases have the same slots, each with an argument', () => {
  const slots = (words: string) => words.split(' ').filter((word) => !isLiteral(word));
  const name = (slot: string) => slot.replace(/[<>[\]…]/g, '').replace(/^--/, '');
  for (const { phrase, args, also = [] } of commands) {
    expect(Object.keys(args).sort(), phrase).toEqual(slots(phrase).map(name).sort());
    for (const other of also) {
      expect(slots(other).map(name).sort(), other).toEqual(slots(phrase).map(name).sort());
      // One phrase may require an option of the other, and must be the same otherwise: "audit ticket CHG-123".
      const changed = slots(other).filter((slot) => !slots(phrase).includes(slot));
      for (const slot of changed) expect(phrase, other).toContain(`[--${name(slot)}]`);
    }
  }
});

test('every command reads well: a summary without a full stop, in lower-case words', () => {
  for (const command of commands) {
    const { phrase, summary } = command;
    expect(summary, phrase).toMatch(/^[A-Z].*[^.]$/);
    expect(phrase).toBe(phrase.toLowerCase());
    expect(nameOf(command), phrase).not.toBe('');
  }
});

test('every command reads the examples of its arguments', () => {
  for (const { phrase, args } of commands) {
    const typed = Object.entries(args).filter(([, { input }]) => input !== 'secret' && input !== 'file');
    for (const [name, argument] of typed) {
      expect(argument.read(asSlackSends(argument.example)), `${phrase}: ${name}`).toMatchObject({ ok: true });
    }
  }
});

test('every command that changes something says how its result is verified', () => {
  for (const command of commands) {
    // The changes behind an info verify themselves.
    if (command.kind !== 'change')
      expect(command.kind === 'info' ? ['read', 'write'] : ['read'], command.phrase).toContain(
        command.effect,
      );
    else if (typeof command.verify !== 'function') {
      expect(command.verify.notCheckable, command.phrase).toMatch(/^[a-z].{20,}[^.]$/);
    }
  }
});

test('a shipped role may run each command', () => {
  for (const command of commands) {
    const subject = subjectOf({ name: nameOf(command), area: areaOf(command), effect: command.effect });
    const named = Object.values(shippedRoles).some((role) =>
      role.commands.some((rule) => covers(rule, subject)),
    );
    expect(named, command.phrase).toBe(true);
  }
});

test('every command is found again by its phrase', () => {
  for (const command of commands) expect(commandByPhrase.get(command.phrase)).toBe(command);
});

test('everything impossible names commands that there are', () => {
  const phrases = impossibilities.flatMap(({ nearest }) => nearest);
  expect(phrases.filter((phrase) => !commandByPhrase.has(phrase))).toEqual([]);
});
