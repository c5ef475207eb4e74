import { describe, expect, test } from 'vitest';
import { category, help } from '../../../test/phrases.ts';
import { secret } from '../argument.ts';
import type { AnyCommand } from '../command.ts';
import { lineOf } from './asked.ts';
import type { TypedSlots } from './pattern.ts';
import { createMatcher } from './phrase.ts';

const match = createMatcher([help, category]);

describe('a command as one line', () => {
  test.each<[AnyCommand, TypedSlots, string]>([
    [help, { topic: ['rdp', 'policy link'] }, 'help rdp "policy link"'],
    [help, { topic: ['a,b', 'c;d', ','] }, 'help "a,b" "c;d" ","'],
    [help, { topic: ['https://a.com/x,y'] }, 'help https://a.com/x,y'],
    [help, { topic: ['say "a, b"', "it's"] }, `help 'say "a, b"' "it's"`],
    [
      category,
      { site: ['a.com', 'b.com'], category: ['till, shop'], note: ['for the till, now'], all: [''] },
      'category add a.com b.com to "till, shop" --note "for the till, now" --all',
    ],
  ])('%# says the same when it is typed again', (command, typed, line) => {
    expect(lineOf({ command, typed })).toBe(line);
    const found = match(line);
    expect(found).toMatchObject({ kind: 'command', command });
    expect(found.kind === 'command' && found.typed).toEqual(typed);
  });

  test.each([`x' " --on all '`, `x" ' --on all \``, '--on=all', '--dry-run', `both " and '`])(
    'gives no orders from a name that the appliance reports: %s',
    (name) => {
      const found = match(lineOf({ command: help, typed: { topic: [name] } }));
      expect(found).toMatchObject({
        kind: 'command',
        typed: { topic: [expect.stringContaining(name.slice(0, 1))] },
      });
      expect('on' in found || 'dryRun' in found).toBe(false);
    },
  );

  test('keeps a name with every kind of quote in it as it is, and gives no orders from it', () => {
    const found = match(lineOf({ command: help, typed: { topic: [`" ' \` --on all`] } }));
    expect(found).toMatchObject({ kind: 'command', typed: { topic: [`" ' \` --on all`] } });
    expect('on' in found).toBe(false);
  });

  test('shows a gap for each word that is still wanted', () => {
    expect(lineOf({ command: category, typed: { site: ['a.com'] } }, '…')).toBe('category add a.com to …');
    expect(lineOf({ command: category, typed: { site: ['a.com'] } })).toBe('category add a.com to');
  });

  test('shows no password', () => {
    const command: AnyCommand = {
      ...help,
      phrase: 'user create <name> <--password>',
      args: { name: help.args.topic, password: secret('a password') },
    };
    expect(lineOf({ command, typed: { name: ['crm'], password: ['hunter2'] } })).toBe(
      'user create crm --password •••',
    );
  });
});
