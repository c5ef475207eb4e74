import { describe, expect, test } from 'vitest';
import { categorize, common, disconnect, help, match, move, sessions } from '../../test/phrases.ts';
import { seeded } from '../../test/seeded.ts';
import { domain, word } from './argument.ts';
import { type AnyCommand, command } from './command.ts';
import { cleanLine } from './line.ts';
import { createMatcher, type Match } from './phrase.ts';
import { commands, match as matchReal } from './registry.ts';

const matched = (found: AnyCommand, args: unknown) => ({ kind: 'command', command: found, args });

describe('a line is matched', () => {
  test.each([
    ['rdp sessions', sessions, {}],
    ['RDP Sessions', sessions, {}],
    ['rdp disconnect 12', disconnect, { session: 12 }],
    ['rdp disconnect #12', disconnect, { session: 12 }],
    ['rdp disconnect "12"', disconnect, { session: 12 }],
    ['categorize example.com', categorize, { domain: ['example.com'] }],
    ['category of example.com', categorize, { domain: ['example.com'] }],
    ['categorize a.com b.com', categorize, { domain: ['a.com', 'b.com'] }],
    ['categorize a.com,b.com; c.com ,, d.com', categorize, { domain: ['a.com', 'b.com', 'c.com', 'd.com'] }],
    ['categorize A.com a.com. https://a.com/', categorize, { domain: ['a.com'] }],
    ['move a.com "two words"', move, { domain: 'a.com', category: 'two words' }],
    ['move “a.com” ‘two words’', move, { domain: 'a.com', category: 'two words' }],
    ['help', help, { topic: [] }],
    ['help rdp disconnect', help, { topic: ['rdp', 'disconnect'] }],
    ['  rdp\u200b  “sessions” ', sessions, {}],
  ])('%s', (line, found, args) => {
    expect(match(line)).toEqual(matched(found, args));
  });

  test('what an argument keeps is not lower-cased with the phrase', () => {
    expect(match('MOVE a.com Shopping')).toEqual(matched(move, { domain: 'a.com', category: 'Shopping' }));
  });
});

describe('a line that does not fit says why', () => {
  test.each([
    ['rdp disconnect', disconnect, 'session'],
    ['categorize', categorize, 'domain'],
    ['categorize , ;', categorize, 'domain'],
    ['move a.com', move, 'category'],
  ])('%j is missing something', (line, of, argument) => {
    expect(match(line)).toEqual({ kind: 'missing', command: of, argument });
  });

  test('what does not fit an argument is named with the reason', () => {
    expect(match('rdp disconnect twelve')).toEqual({
      kind: 'invalid',
      command: disconnect,
      argument: 'session',
      word: 'twelve',
      problem: { code: 'not_a_number' },
    });
    expect(match('categorize a.com, nonsense, c.com')).toMatchObject({ kind: 'invalid', word: 'nonsense' });
  });

  test('more of a kind than a command takes at once are counted, and the same one counts once', () => {
    const few = command({ ...common, phrase: 'check <domain>…', args: { domain: { ...domain, most: 2 } } });
    const of = createMatcher([few]);
    expect(of('check a.com b.com c.com b.com')).toEqual({
      kind: 'too_many',
      command: few,
      argument: 'domain',
      given: 3,
      most: 2,
    });
    expect(of('check a.com A.COM b.com')).toMatchObject({ kind: 'command' });
  });

  test('one or none may be given where the phrase says so', () => {
    const one = command({ ...common, phrase: 'tail [log]', args: { log: word('a log', 'audit') } });
    const of = createMatcher([one]);
    expect(of('tail')).toEqual(matched(one, { log: undefined }));
    expect(of('tail audit')).toEqual(matched(one, { log: 'audit' }));
    expect(of('tail audit more')).toMatchObject({ kind: 'surplus' });
  });

  test('words too many are named', () => {
    expect(match('rdp disconnect 12 13 now')).toEqual({
      kind: 'surplus',
      command: disconnect,
      words: ['13', 'now'],
    });
    expect(match('rdp sessions please')).toMatchObject({ kind: 'surplus', words: ['please'] });
  });

  test('the beginning of a command can go on in these ways', () => {
    expect(match('rdp')).toEqual({ kind: 'incomplete', continuations: [disconnect, sessions] });
    expect(match('category')).toEqual({ kind: 'incomplete', continuations: [categorize] });
  });

  test.each(['rdp foo', 'rdp 12', 'RDP kill 12', 'rdp foo help'])(
    'what goes on as no command does is told the ways: %s',
    (line) => {
      expect(match(line)).toEqual({
        kind: 'astray',
        known: line.slice(0, 3),
        continuations: [disconnect, sessions],
      });
    },
  );

  test('an empty line can go on in every way, each told once', () => {
    expect(match('')).toEqual({
      kind: 'incomplete',
      continuations: [categorize, disconnect, sessions, move, help],
    });
    expect(match(' \u200b\u0000 ')).toMatchObject({ kind: 'incomplete' });
  });
});

describe('at the start', () => {
  test('two commands with one phrase are refused, whatever they call their arguments', () => {
    const other = command({ ...common, phrase: 'rdp disconnect <domain>', args: { domain } });
    expect(() => createMatcher([disconnect, other])).toThrow(
      'Two commands say "rdp disconnect <domain>": rdp disconnect <session> and rdp disconnect <domain>',
    );
  });

  test('an alias must not be the phrase of another command', () => {
    const other = command({ ...common, phrase: 'sessions', also: ['rdp sessions'], args: {} });
    expect(() => createMatcher([sessions, other])).toThrow(/Two commands say/);
  });
});

describe('whatever is typed', () => {
  test('2,000 random and mutated lines each get a match, quickly', () => {
    const random = seeded(20_261_121);
    const pick = <Item>(from: readonly Item[]): Item => from[Math.floor(random() * from.length)] as Item;
    const pieces = [
      ...'abcdefghijklmnopqrstuvwxyz0123456789 .,;:-_/\\"\'`<>|&#%@*[](){}…',
      ...['\u0000', '\u200b', '\u202e', '\ud83e', '🦆', 'é', '“', '—', '\n', '\u00a0', 'İ', 'ß'],
      ...['rdp ', 'categorize ', 'help ', '<https://', '&amp;', 'xn--', '__proto__ ', '[.]', 'hxxp://'],
    ];
    const junk = () => Array.from({ length: Math.floor(random() * 60) }, () => pick(pieces)).join('');
    const mutated = () => {
      const example = pick(commands).example;
      const letters = [...pick([example, `${example} more`, example.slice(0, random() * example.length)])];
      for (let changes = Math.floor(random() * 4); changes > 0; changes -= 1) {
        letters.splice(Math.floor(random() * (letters.length + 1)), Math.floor(random() * 2), pick(pieces));
      }
      return letters.join('');
    };
    const kinds = new Set<Match['kind']>();
    const started = performance.now();
    for (let line = 0; line < 2_000; line += 1) {
      kinds.add(matchReal(cleanLine(line % 2 === 0 ? junk() : mutated())).kind);
    }
    expect(performance.now() - started).toBeLessThan(2_000);
    expect([...kinds].sort()).toEqual([
      'astray',
      'command',
      'incomplete',
      'invalid',
      'missing',
      'surplus',
      'unknown',
    ]);
  });

  test('kilobytes of junk cost no more than a moment', () => {
    const started = performance.now();
    for (const piece of ['x', 'rdp ', '" ', '<http://', ',', 'a.', '—', '\u200b', 'categorize ']) {
      expect(matchReal(`categorize ${piece.repeat(3_000 / piece.length)}`).kind).toBeTypeOf('string');
      expect(matchReal(piece.repeat(3_000 / piece.length)).kind).toBeTypeOf('string');
    }
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
