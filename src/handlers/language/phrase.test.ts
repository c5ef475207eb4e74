import { describe, expect, test } from 'vitest';
import {
  categorize,
  category,
  common,
  disconnect,
  enable,
  help,
  link,
  linkTarget,
  match,
  move,
  remove,
  sessions,
  show,
} from '../../../test/phrases.ts';
import { processorTime } from '../../../test/processor-time.ts';
import { domain, secret, word } from '../argument.ts';
import type { AnyCommand } from '../command.ts';
import { lookup } from '../declare.ts';
import { match as matchReal } from '../registry.ts';
import { cleanLine } from './line.ts';
import { createMatcher } from './phrase.ts';

/** Compares command and arguments only; `asked.test.ts` covers the typed words. */
const matched = (found: AnyCommand, args: unknown) =>
  expect.objectContaining({ kind: 'command', command: found, args });

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
    ['help "a,b; c" d,e', help, { topic: ['a,b; c', 'd', 'e'] }],
    ['categorize A.com a.com. https://a.com/', categorize, { domain: ['a.com'] }],
    ['move a.com "two words"', move, { domain: 'a.com', category: 'two words' }],
    ['move “a.com” ‘two words’', move, { domain: 'a.com', category: 'two words' }],
    ['help', help, { topic: [] }],
    ['help rdp disconnect', help, { topic: ['rdp', 'disconnect'] }],
    ['  rdp\u200b  “sessions” ', sessions, {}],
  ])('%s', (line, found, args) => {
    expect(match(line)).toEqual(matched(found, args));
  });

  test('the value of an argument keeps its capitals', () => {
    expect(match('MOVE a.com Shopping')).toEqual(matched(move, { domain: 'a.com', category: 'Shopping' }));
  });
});

describe('a different word order', () => {
  const lines = createMatcher([enable, show, remove, category, link, linkTarget, sessions]);
  test.each([
    ['acl object enable 12', enable, { object: '12' }],
    ['enable acl object 12', enable, { object: '12' }],
    ['acl enable object 12', enable, { object: '12' }],
    ['ACL Objects Enable 12', enable, { object: '12' }],
    ['acl object delete 12', remove, { object: '12' }],
    ['remove acl object 12', remove, { object: '12' }],
    ['rdp policy 3', show, { policy: '3' }],
    ['rdp policies 3', show, { policy: '3' }],
    ['show rdp policy 3', show, { policy: '3' }],
    ['ls rdp sessions', sessions, {}],
    ['rdp session list', sessions, {}],
    ['rdp list sessions', sessions, {}],
    ['rdp policy link 3 member 9', link, { policy: '3', other: '9' }],
    ['rdp policies link 3 members 9', link, { policy: '3', other: '9' }],
    ['link rdp policy 3 target 9', linkTarget, { policy: '3', other: '9' }],
    ['category add a.com, b.com to 252', category, { site: ['a.com', 'b.com'], category: '252' }],
    ['category add a.com b.com 252', category, { site: ['a.com', 'b.com'], category: '252' }],
    [
      'category add a.com,b.com to "a,b" --note c, d',
      category,
      { site: ['a.com', 'b.com'], category: 'a,b', note: 'c, d' },
    ],
    ['category add a.com b.com to shopping --note "for the till"', category, { note: 'for the till' }],
    ['category add a.com to shopping --note for the till', category, { note: 'for the till' }],
    ['category add --note=till a.com to shopping', category, { site: ['a.com'], note: 'till' }],
    ['category add a.com to shopping --all', category, { all: true }],
  ])('%s', (line, found, args) => {
    expect(lines(cleanLine(line))).toMatchObject({ kind: 'command', command: found, args });
  });

  test('a phrase that is written with "show" is typed with any word for it', () => {
    const written = lookup({ ...common, phrase: 'vlan show <vlan>', args: { vlan: word('a VLAN', '3') } });
    const both = createMatcher([written, sessions]);
    for (const line of ['vlan show 3', 'vlan list 3', 'get vlan 3']) {
      expect(both(line)).toMatchObject({ kind: 'command', command: written });
    }
    expect(both('show rdp sessions')).toMatchObject({ kind: 'command', command: sessions });
  });

  test.each([
    'acl obj enable 12',
    'acl object en 12',
    'acl object del 12',
    'acl rm object 12',
    'acl object d 12',
  ])('an abbreviation selects nothing: %s', (line) => {
    expect(lines(line).kind).not.toBe('command');
  });

  test('a line lists the phrases that begin with it', () => {
    expect(lines('rdp policy link 3')).toEqual({ kind: 'incomplete', continuations: [link, linkTarget] });
    expect(lines('rdp policy link 3 member')).toMatchObject({
      kind: 'missing',
      command: link,
      argument: 'other',
    });
  });

  test('the appliance and a dry run can be given anywhere', () => {
    for (const line of [
      'acl object enable 12 --on branch-2 --dry-run',
      '--on branch-2 acl object enable --dry-run 12',
      'acl object --on=branch-2 --dry-run enable 12',
    ]) {
      const found = matchReal(line);
      expect(found).toMatchObject({ kind: 'command', on: 'branch-2', dryRun: true, args: { object: '12' } });
    }
    expect(lines('acl object enable 12 --on hq, branch-2')).toMatchObject({
      on: 'hq,branch-2',
      args: { object: '12' },
    });
  });

  test('a phrase that is written with "show" hides no other phrase', () => {
    const resolver = lookup({ ...common, phrase: 'resolver show', args: {} });
    const of = createMatcher([resolver, sessions]);
    expect(of('show rdp sessions')).toMatchObject({ kind: 'command', command: sessions });
    expect(of('list resolver')).toMatchObject({ kind: 'command', command: resolver });
  });

  test('a word of another phrase is no name', () => {
    const disable = lookup({
      ...common,
      phrase: 'acl disable <object>',
      args: { object: word('an object', '12') },
    });
    const one = lookup({ ...common, phrase: 'acl <object>', args: { object: word('an object', '12') } });
    const of = createMatcher([one, disable]);
    expect(of('acl 12')).toMatchObject({ kind: 'command', command: one });
    expect(of('acl disable')).toMatchObject({ kind: 'missing', command: disable });
  });

  test.each([
    ['open vault --until in 2 weeks', 'in 2 weeks'],
    ['open --until 2 weeks vault', '2 weeks'],
    ['open --until tomorrow vault', 'tomorrow'],
    ['open vault --until "2 weeks"', '2 weeks'],
    ['open vault --until=tomorrow', 'tomorrow'],
  ])('an option of several words takes those that make sense: %s', (line, said) => {
    const open = lookup({
      ...common,
      phrase: 'open <place> [--until]',
      args: {
        place: word('a place', 'vault'),
        until: {
          ...word('a time', 'tomorrow', { test: /^(?:tomorrow|(?:in )?\d weeks)$/, wanted: 'soon' }),
          words: 3,
        },
      },
    });
    expect(createMatcher([open])(line)).toEqual(matched(open, { place: 'vault', until: said }));
  });

  test('an unknown option is named', () => {
    expect(lines('acl object enable 12 --force')).toMatchObject({
      kind: 'wrong_option',
      option: '--force',
    });
  });
});

describe('a password', () => {
  const create = lookup({
    ...common,
    phrase: 'sql user create <user> <--password>',
    args: { user: word('a user', 'crm'), password: secret('a password') },
  });
  const lines = createMatcher([create, sessions]);

  test.each([
    'sql user create crm --password hunter2',
    'sql user create crm hunter2',
    'sql user create crm password=hunter2',
    'rdp sessions --password hunter2',
    'rdp login pwd: hunter2',
    'nonsense --token xoxb-1',
    'sql user create crm --pasword hunter2',
    'rdp sessions --set passphrase=hunter2',
    'rdp sessions --set vnc_pass=hunter2',
    'sql user create crm --new-password hunter2',
    'sql user create crm --key hunter2',
    'sql usr crate crm --pw hunter2',
    'sql usr crate crm --passwrod hunter2',
  ])('is not taken from a line: %s', (line) => {
    expect(lines(line).kind).toBe('secret');
  });

  test('is requested in a form when the line is without it', () => {
    expect(lines('sql user create crm')).toMatchObject({
      kind: 'missing',
      argument: 'password',
      typed: { user: ['crm'] },
    });
  });

  test('may be a topic', () => {
    expect(lines('help password reset').kind).not.toBe('secret');
  });
});

describe('a line that does not fit says why', () => {
  test.each([
    ['rdp disconnect', disconnect, 'session'],
    ['categorize', categorize, 'domain'],
    ['categorize , ;', categorize, 'domain'],
    ['move a.com', move, 'category'],
  ])('%j is missing something', (line, of, argument) => {
    expect(match(line)).toMatchObject({ kind: 'missing', command: of, argument });
  });

  test.each(['audit --by', 'audit --by=', 'audit --by --denied'])(
    'an option without its value is asked for: %s',
    (line) => expect(matchReal(line)).toMatchObject({ kind: 'missing', argument: 'by' }),
  );

  test('a wrong value is named with the reason', () => {
    expect(match('rdp disconnect twelve')).toMatchObject({
      kind: 'invalid',
      command: disconnect,
      argument: 'session',
      word: 'twelve',
      problem: { code: 'not_a_number' },
    });
    expect(match('categorize a.com, nonsense, c.com')).toMatchObject({ kind: 'invalid', word: 'nonsense' });
  });

  test('more of a kind than a command takes at once are counted, and the same one counts once', () => {
    const few = lookup({ ...common, phrase: 'check <domain>…', args: { domain: { ...domain, most: 2 } } });
    const of = createMatcher([few]);
    expect(of('check a.com b.com c.com b.com')).toMatchObject({
      kind: 'too_many',
      command: few,
      argument: 'domain',
      given: 3,
      most: 2,
    });
    expect(of('check a.com A.COM b.com')).toMatchObject({ kind: 'command' });
  });

  test('an optional value may be given once or left out', () => {
    const one = lookup({ ...common, phrase: 'tail [log]', args: { log: word('a log', 'audit') } });
    const of = createMatcher([one]);
    expect(of('tail')).toEqual(matched(one, { log: undefined }));
    expect(of('tail audit')).toEqual(matched(one, { log: 'audit' }));
    expect(of('tail audit more')).toMatchObject({ kind: 'surplus' });
  });

  test('surplus words are named', () => {
    expect(match('rdp disconnect 12 13 14')).toMatchObject({
      kind: 'surplus',
      command: disconnect,
      words: ['13', '14'],
    });
    expect(match('rdp sessions twice')).toMatchObject({ kind: 'surplus', words: ['twice'] });
  });

  test('the order of declarations does not decide which phrase is meant', () => {
    const args = { domain };
    const look = lookup({ ...common, phrase: 'show <domain>', args });
    const share = lookup({ ...common, phrase: 'share <domain>', also: ['show <domain> to all'], args });
    for (const commands of [
      [look, share],
      [share, look],
    ]) {
      expect(createMatcher(commands)('show a.com b.com')).toMatchObject({ kind: 'surplus', command: look });
    }
  });

  test('the beginning of a command lists its continuations', () => {
    expect(match('rdp')).toEqual({ kind: 'incomplete', continuations: [disconnect, sessions] });
    expect(match('category')).toEqual({ kind: 'incomplete', continuations: [categorize] });
  });

  test.each(['rdp foo', 'rdp 12', 'RDP kill 12', 'rdp foo help'])(
    'an unknown continuation lists the known ones: %s',
    (line) => {
      expect(match(line)).toEqual({
        kind: 'astray',
        known: line.slice(0, 3),
        continuations: [disconnect, sessions],
      });
    },
  );

  test('a word with half of an emoji is refused by name, because storing would change it', () => {
    expect(match('categorize a\ud83d.example.com')).toMatchObject({
      ...{ kind: 'invalid', problem: { code: 'malformed', wanted: 'text without broken characters' } },
    });
  });

  test('an empty line lists every command once', () => {
    expect(match('')).toEqual({
      kind: 'incomplete',
      continuations: [categorize, disconnect, sessions, move, help],
    });
    expect(match(' \u200b\u0000 ')).toMatchObject({ kind: 'incomplete' });
  });
});

describe('at the start', () => {
  test('two commands with one phrase are refused, whatever they call their arguments', () => {
    const other = lookup({ ...common, phrase: 'rdp disconnect <domain>', args: { domain } });
    expect(() => createMatcher([disconnect, other])).toThrow(
      'Two commands say "rdp disconnect": rdp disconnect <session> and rdp disconnect <domain>',
    );
  });

  test('words that could be two commands in another order are refused, unless one of them is written so', () => {
    const one = lookup({ ...common, phrase: 'disk state list', args: {} });
    const other = lookup({ ...common, phrase: 'disk states', args: {} });
    expect(() => createMatcher([one, other])).toThrow(
      '"list disk states" could be disk state list and disk states',
    );
    const written = lookup({ ...common, phrase: 'state disk', args: {} });
    expect(createMatcher([other, written])('state disk')).toMatchObject({ command: written });
  });

  test('an alias that is the phrase of another command is refused', () => {
    const other = lookup({ ...common, phrase: 'sessions', also: ['rdp sessions'], args: {} });
    expect(() => createMatcher([sessions, other])).toThrow(/Two commands say/);
  });
});

describe('any typed line', () => {
  test('of kilobytes of junk takes only a moment', () => {
    const spent = processorTime(() => {
      for (const piece of ['x', 'rdp ', '" ', '<http://', ',', 'a.', '—', '\u200b', 'categorize ']) {
        expect(matchReal(`categorize ${piece.repeat(3_000 / piece.length)}`).kind).toBeTypeOf('string');
        expect(matchReal(piece.repeat(3_000 / piece.length)).kind).toBeTypeOf('string');
      }
    });
    expect(spent).toBeLessThan(1_000);
  });
});
