import { describe, expect, test } from 'vitest';
import { seeded } from '../../../test/seeded.ts';
import { sized } from '../../../test/size.ts';
import { lineOf } from '../language/asked.ts';
import { cleanLine } from '../language/line.ts';
import type { Suggestion } from '../language/match.ts';
import { wordsAmong } from '../lists/posted-file.ts';
import { commands, impossibilities, match } from '../registry.ts';
import { sayingsIn } from './sayings.ts';
import { type KnownThings, nothingKnown } from './things.ts';
import { isFiller } from './vocabulary.ts';

/** The entries that an appliance lists, by the argument of a command that takes them. */
function listing(
  names: Readonly<Record<string, readonly string[]>>,
  appliances: readonly (readonly [string, string])[] = [],
): KnownThings {
  const listed = Object.entries(names).flatMap(([place, some]) => {
    const [phrase = '', name = ''] = place.split('/');
    const command = commands.find((one) => one.phrase === phrase);
    const list = command?.args[name]?.list;
    if (list === undefined) throw new Error(`${place} takes nothing that is listed`);
    return [[list, new Set(some)] as const];
  });
  return { ...nothingKnown, appliances: new Map(appliances), listed: new Map(listed) };
}
const known = listing(
  {
    'rdp disconnect <session>/session': ['12', 'bob.miller', 'srv-hr-01'],
    'acl object disable <object>/object': ['3', 'google_sni'],
  },
  [
    ['hq', 'hq'],
    ['branch', 'tag:branch'],
  ],
);
const read = (line: string, there?: KnownThings) => match(cleanLine(line), there);

function offered(line: string, there = known): readonly Suggestion[] {
  const found = read(line, there);
  return found.kind === 'unknown' || found.kind === 'impossible' ? found.nearest : [];
}

describe('a line that is no command by its own words', () => {
  test.each([
    'is google_sni disabled',
    'who can disconnect bob.miller from the remote desktop?',
    'which session should be disconnected',
    'is bob.miller still connected',
    'what was deleted from the categories',
  ])('that asks "%s" is offered no change', (line) => {
    expect(offered(line).filter(({ command }) => command.effect !== 'read')).toEqual([]);
  });

  test('runs a lookup that is clearly meant, and says which', () => {
    expect(read('list all rdp sessions')).toMatchObject({ kind: 'command', understoodAs: 'rdp sessions' });
  });

  test('about something impossible gets the reason, and the closest commands', () => {
    const found = read('restart the appliance');
    expect(found.kind).toBe('impossible');
    expect(impossibilities).toContain(found.kind === 'impossible' && found.impossible);
  });

  test('is understood despite typing mistakes', () => {
    expect(read('list all rdp sesions')).toMatchObject({ understoodAs: 'rdp sessions' });
    expect(offered('disconect bob.miller form rdp')[0]?.line).toBe('rdp disconnect bob.miller');
  });

  test('can name several appliances at once by their tag', () => {
    expect(read('list all rdp sessions on branch', known)).toMatchObject({
      understoodAs: 'rdp sessions --on tag:branch',
    });
  });

  test('can name a known thing that looks like a domain', () => {
    expect(offered('kick bob.miller')[0]?.line).toBe('rdp disconnect bob.miller');
  });

  test('that is a bare thing is offered no change of it', () => {
    for (const line of ['google_sni', 'bob.miller', 'example.com', 'https://example.com/path']) {
      const found = read(line, known);
      if (found.kind === 'command') expect(found.command.effect, line).toBe('read');
      expect(
        offered(line).filter(({ command }) => command.effect !== 'read'),
        line,
      ).toEqual([]);
    }
  });

  test('may give a reason before the wish', () => {
    for (const line of [
      'the domain controller is back, stop the emergency',
      'AD works again. end the emergency',
    ]) {
      expect(offered(line)[0]?.line, line).toBe('emergency disable');
    }
  });

  test('that asks who may run a command is about that command, in any words', () => {
    expect(offered('who can restart the rdp gateway')[0]?.line).toBe('who can rdp restart');
    expect(read('who can reach srv-hr-01', known)).toMatchObject({ understoodAs: 'rdp target srv-hr-01' });
  });

  test('gives a number to the noun before it', () => {
    expect(offered('switch record 12 back on')[0]?.line).toBe('acl record enable 12');
    expect(offered('please drop session 12 on the terminal server')[0]?.line).toBe('rdp disconnect 12');
  });

  test('may name a person although the list that it asks for has no place for names', () => {
    for (const line of ['since when is bob.miller connected', 'is bob.miller online']) {
      expect(offered(line)[0]?.line, line).toBe('rdp sessions');
    }
  });

  test('that asks about an area gets its help', () => {
    expect(read('how does emergency work')).toMatchObject({ understoodAs: 'help emergency' });
  });

  test('never gives a time to an argument for names', () => {
    expect(offered('rdp logins of bob.miller since 20 minutes').map(({ line }) => line)).not.toContainEqual(
      expect.stringMatching(/member 20m|to 20m/),
    );
  });

  test('never gives its filler to a command', () => {
    for (const line of [
      'please kick them all from the rdp',
      'throw somebody out',
      'disable it please',
      'can you block this',
    ]) {
      const values = offered(line).flatMap(({ asked }) => Object.values(asked.typed).flatMap(wordsAmong));
      expect(values.filter(isFiller), line).toEqual([]);
    }
  });
});

test('a command with a wrong value gets the reason', () => {
  expect(read('categorize foo')).toMatchObject({ kind: 'invalid', word: 'foo' });
});

describe('any line', () => {
  const random = seeded(20_261_123);
  const pick = <Item>(from: readonly Item[]): Item => from[Math.floor(random() * from.length)] as Item;
  const said = commands.flatMap(({ phrase, says, example }) => [phrase, example, ...sayingsIn(says)]);
  const words = [
    ...said.flatMap((line) => line.split(' ')),
    ...[
      'google_sni',
      'bob.miller',
      'example.com',
      'please',
      'the',
      'all',
      'on',
      'hq',
      'branch',
      '12',
      '"a b"',
      '--on',
      '?',
      'constructor',
      '__proto__',
      '🦆',
    ],
  ];
  const lines = Array.from({ length: 500 }, () =>
    random() < 0.3 ? pick(said) : Array.from({ length: 1 + random() * 8 }, () => pick(words)).join(' '),
  ).map(cleanLine);

  test('gets the same answer every time, runs no guessed change, and is offered at most three lines, each of which reads as its command', () => {
    let guesses = 0;
    for (const line of lines) {
      const found = read(line, known);
      expect(read(line, known), line).toEqual(found);
      if (found.kind === 'command' && found.understoodAs !== undefined) {
        guesses += 1;
        expect(found.command.effect, line).toBe('read');
        expect(lineOf(found)).toBe(found.understoodAs);
      }
      const choices = found.kind === 'unknown' || found.kind === 'impossible' ? found.nearest : [];
      expect(choices.length, line).toBeLessThanOrEqual(3);
      for (const { command, line: offer, isPartial, asked } of choices) {
        if (isPartial) continue;
        const again = match(offer);
        expect(again, `${line}: ${offer}`).toMatchObject({ kind: 'command', typed: asked.typed });
        expect(again.kind === 'command' && again.command, `${line}: ${offer}`).toBe(command);
      }
    }
    expect(guesses).toBeGreaterThan(20);
  });
});

test.each([
  'create rdp user eve.miller with password Tr0ub4dor',
  'new sql user reports, the password is Xy12345',
])('a password in a sentence is not stored: %s', (line) => {
  expect(match(line)).toEqual({ kind: 'secret', command: undefined });
});

test.each([
  'password is swordfish',
  'create rdp user eve with password swordfish',
  'his kennwort ist Sommer',
  'das passwort lautet Sommer2026',
  'kennwort: geheim',
  'pw: X',
  'pin is 4711',
  'my api key is abc123',
  'the token is xyzzy',
  'set the password to Winter24!',
  'set password of srv-web-02 to Tr4in-St0p!',
  'new pw for reports is Gr3enHouse!9',
  'sql user create crm hunter2',
  'sql user create crm for hunter2',
  'sql user create crm for the dashboards2026',
])('a secret in any of these forms is not stored: %s', (line) => {
  expect(match(line)).toMatchObject({ kind: 'secret' });
});

test.each([
  'new password for bob please',
  'with the password form',
  'password reset for bob',
  'the password is wrong',
  'bob says his password is not accepted',
  'his password is expired',
  'rdp password of bob',
  'set a new password on target srv-db-01',
  'who may change passwords',
  'the token is invalid',
  '2fa token of bob',
  'forgot my password',
  'rdp member create eve.miller because she joined sales',
  'sql user create grafana for maria.lopez',
])('asking for a new password shows no password: %s', (line) => {
  expect(match(line).kind).not.toBe('secret');
});

test('the purpose of a user is read as no password: its form opens', () => {
  expect(match('create sql user grafana for the dashboards')).toMatchObject({
    kind: 'missing',
    argument: 'password',
    typed: { user: ['grafana'] },
  });
});

test('what a form has no place for is not lost unsaid', () => {
  expect(match('create sql user x on database y')).toMatchObject({
    kind: 'missing',
    argument: 'password',
    surplus: ['on', 'database', 'y'],
  });
  expect(match('category move x.example to y to z')).toMatchObject({
    kind: 'missing',
    surplus: ['to', 'z'],
  });
  expect(match('sql user create x')).not.toHaveProperty('surplus');
});

test.each(['no such thing', 'not such thing', 'never foo', 'no bob', 'confirm such thing', 'repeat foo'])(
  'a command that was not typed takes no blame: %s',
  (line) => {
    expect(match(line)).toMatchObject({ kind: 'unknown' });
    expect(offered(line).filter(({ command }) => command.effect !== 'read')).toEqual([]);
  },
);

test('a verdict is offered what waits, and a negation nothing that withdraws', () => {
  for (const line of ['no such thing', 'confirm such thing', 'no bob'])
    expect(offered(line).map((one) => one.line)).toEqual(['approvals']);
  for (const line of ['not such thing', 'never foo']) expect(offered(line)).toEqual([]);
});

test('the phrasings of a command are not refused as impossible or as a password', () => {
  for (const command of commands) {
    for (const [index, said] of sayingsIn(command.says).entries()) {
      if (index % sized(4, 1) !== 0) continue;
      const line = said.replace(/<([^<>]+)>/g, (_, name) => command.args[name]?.example ?? 'maria.lopez');
      const found = match(cleanLine(line));
      // The refusal shows its nearest commands too.
      const isNamed = found.kind === 'impossible' && found.impossible.nearest.includes(command.phrase);
      expect(isNamed ? 'offered' : found.kind, line).not.toMatch(/impossible|secret/);
    }
  }
});

test('a possibly impossible meaning stands below the possible ones', () => {
  const found = match('drop database test');
  expect(found).toMatchObject({ kind: 'unknown', impossible: { why: expect.stringContaining('SQL user') } });
  expect(found.kind === 'unknown' && found.nearest[0]?.command.phrase).toBe('sql database delete <database>');
});

test('a thing alone is looked up, and an ambiguous one needs a question', () => {
  const there = listing({
    'acl object disable <object>/object': ['3', 'google_sni', 'shops'],
    'category show <category>/category': ['3', 'shops'],
  });
  expect(read('google_sni', there)).toMatchObject({ understoodAs: 'acl object google_sni' });
  expect(read('https://example.com')).toMatchObject({ understoodAs: 'why https://example.com' });
  expect(offered('shops', there).map(({ line }) => line)).toEqual([
    'acl object shops',
    'category show shops',
  ]);
  expect(offered('3', there).map(({ line }) => line)).toEqual(['acl object 3', 'category show 3']);
  expect(offered('10.20.4.17', there).map(({ line }) => line)).toEqual([
    'acl find 10.20.4.17',
    'why 10.20.4.17',
  ]);
});
