import { describe, expect, test } from 'vitest';
import { seeded } from '../../../test/seeded.ts';
import { sized } from '../../../test/size.ts';
import { lineOf } from '../language/asked.ts';
import { cleanLine } from '../language/line.ts';
import type { Suggestion } from '../language/match.ts';
import { commands, impossibilities, match } from '../registry.ts';
import { sayingsIn } from './sayings.ts';
import { type KnownThings, nothingKnown } from './things.ts';
import { isFiller } from './vocabulary.ts';

/** What an appliance lists, by the argument of a command that takes it. */
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

/** What is offered, the best first. */
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
  ])('is offered no change where it asks: "%s"', (line) => {
    expect(offered(line).filter(({ command }) => command.effect !== 'read')).toEqual([]);
  });

  test('runs where a lookup is clearly meant, and says which', () => {
    expect(read('list all rdp sessions')).toMatchObject({ kind: 'command', understoodAs: 'rdp sessions' });
  });

  test('is told what cannot be done, with what comes nearest', () => {
    const found = read('restart the appliance');
    expect(found.kind).toBe('impossible');
    expect(impossibilities).toContain(found.kind === 'impossible' && found.impossible);
  });

  test('has slips of the fingers in it and is understood all the same', () => {
    expect(read('list all rdp sesions')).toMatchObject({ understoodAs: 'rdp sessions' });
    expect(offered('disconect bob.miller form rdp')[0]?.line).toBe('rdp disconnect bob.miller');
  });

  test('names several appliances at once by their tag', () => {
    expect(read('list all rdp sessions on branch', known)).toMatchObject({
      understoodAs: 'rdp sessions --on tag:branch',
    });
  });

  test('names something that is there and looks like a domain', () => {
    expect(offered('kick bob.miller')[0]?.line).toBe('rdp disconnect bob.miller');
  });

  test('is a bare thing, of which nothing is changed', () => {
    for (const line of ['google_sni', 'bob.miller', 'example.com', 'https://example.com/path']) {
      const found = read(line, known);
      if (found.kind === 'command') expect(found.command.effect, line).toBe('read');
      expect(
        offered(line).filter(({ command }) => command.effect !== 'read'),
        line,
      ).toEqual([]);
    }
  });

  test('may say why before it says what is wanted', () => {
    for (const line of [
      'the domain controller is back, stop the emergency',
      'AD works again. end the emergency',
    ]) {
      expect(offered(line)[0]?.line, line).toBe('emergency disable');
    }
  });

  test('is about the command that it asks who may run, in whatever words', () => {
    expect(offered('who can restart the rdp gateway')[0]?.line).toBe('who can rdp restart');
    expect(read('who can reach srv-hr-01', known)).toMatchObject({ understoodAs: 'rdp target srv-hr-01' });
  });

  test('gives a number to what the word before it calls it', () => {
    expect(offered('switch record 12 back on')[0]?.line).toBe('acl record enable 12');
    expect(offered('please drop session 12 on the terminal server')[0]?.line).toBe('rdp disconnect 12');
  });

  test('names somebody about whom a list is asked for that has no place for names', () => {
    for (const line of ['since when is bob.miller connected', 'is bob.miller online']) {
      expect(offered(line)[0]?.line, line).toBe('rdp sessions');
    }
  });

  test('asks about an area, which is what help is about', () => {
    expect(read('how does emergency work')).toMatchObject({ understoodAs: 'help emergency' });
  });

  test('never gives a time to what wants a name', () => {
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
      const values = offered(line).flatMap(({ asked }) => Object.values(asked.typed).flat());
      expect(values.filter(isFiller), line).toEqual([]);
    }
  });
});

test('a wrong value of a command that was named is told with its reason', () => {
  expect(read('categorize foo')).toMatchObject({ kind: 'invalid', word: 'foo' });
});

describe('of any line', () => {
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

  test('the answer is the same every time, no change runs that was guessed, and three lines at most are offered, each of which is its command', () => {
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
])('a password that is told in a sentence is kept nowhere: %s', (line) => {
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
  'sql user create crm hunter2',
  'sql user create crm for hunter2',
  'sql user create crm for the dashboards2026',
])('a secret that is told in any of these ways is kept nowhere: %s', (line) => {
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
])('who speaks of a password tells none: %s', (line) => {
  expect(match(line).kind).not.toBe('secret');
});

test('what a user is made for is no password: its form opens', () => {
  expect(match('create sql user grafana for the dashboards')).toMatchObject({
    kind: 'missing',
    argument: 'password',
    typed: { user: ['grafana'] },
  });
});

test('no line of which a command says that it does it is refused as impossible or as a password', () => {
  for (const command of commands) {
    for (const [index, said] of sayingsIn(command.says).entries()) {
      if (index % sized(4, 1) !== 0) continue;
      const line = said.replace(/<([^<>]+)>/g, (_, name) => command.args[name]?.example ?? 'maria.lopez');
      const found = match(cleanLine(line));
      // What the refusal names as nearest is shown with it.
      const isNamed = found.kind === 'impossible' && found.impossible.nearest.includes(command.phrase);
      expect(isNamed ? 'offered' : found.kind, line).not.toMatch(/impossible|secret/);
    }
  }
});

test('what may be impossible stands below what may be possible', () => {
  const found = match('drop database test');
  expect(found).toMatchObject({ kind: 'unknown', impossible: { why: expect.stringContaining('SQL user') } });
  expect(found.kind === 'unknown' && found.nearest[0]?.command.phrase).toBe('sql database delete <database>');
});

test('a thing alone is looked up, and one that may be several is asked about', () => {
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
