import { describe, expect, test } from 'vitest';
import { categorize, common, disconnect, match, sessions } from '../../../test/phrases.ts';
import { domain } from '../argument.ts';
import { change, lookup } from '../declare.ts';
import { match as matchReal } from '../registry.ts';
import { createMatcher } from './phrase.ts';

describe('a line nobody knows', () => {
  const nearest = (line: string): readonly string[] => {
    const found = match(line);
    return found.kind === 'unknown'
      ? found.nearest.map((suggestion) => suggestion.command.phrase)
      : [`is ${found.kind}`];
  };

  test.each([
    ['rdp disconect 12', 'rdp disconnect <session>'],
    ['rpd disconnect 12', 'rdp disconnect <session>'],
    ['rdp sesion', 'rdp sessions'],
    ['RDP SESIONS', 'rdp sessions'],
    ['please rdp sesions', 'rdp sessions'],
    ['categorise example.com', 'categorize <domain>…'],
    ['catagory of example.com', 'categorize <domain>…'],
    ['halp', 'help [topic]…'],
  ])('%s is answered with the nearest command first', (line, phrase) => {
    expect(nearest(line)[0]).toBe(phrase);
  });

  test('the nearer comes before the less near, and three are enough', () => {
    const names = ['rdp sessionss', 'rdp sessionsss', 'rdp sessionssss', 'rdp sessionsssss'];
    const crowd = createMatcher(names.toReversed().map((phrase) => lookup({ ...common, phrase, args: {} })));
    const found = crowd('rdp sessionsx');
    expect(found.kind === 'unknown' && found.nearest.map(({ command: near }) => near.phrase)).toEqual(
      names.slice(0, 3),
    );
  });

  const suggested = (line: string) => {
    const found = match(line);
    return found.kind === 'unknown' ? found.nearest.map((suggestion) => suggestion.line) : `is ${found.kind}`;
  };

  test.each([
    ['tell me categorize foo.org', 'categorize foo.org'],
    ['Someone please categorize foo.org, bar.org', 'categorize foo.org, bar.org'],
    ['now rdp disconnect 7', 'rdp disconnect 7'],
    ['please categorise foo.org', 'categorize foo.org'],
    ['oh help', 'help'],
    ['rdp disconect 99', 'rdp disconnect 99'],
    ['catagory of foo.org', 'categorize foo.org'],
    ['muve foo.org "two words"', 'move foo.org "two words"'],
    ['foo.org', 'categorize foo.org'],
    ['https://foo.org/login', 'categorize https://foo.org/login'],
    ['is foo.org blocked?', 'categorize foo.org'],
  ])('%s is answered with the whole line to type, with what was typed in it', (typed, line) => {
    expect(suggested(typed)).toEqual([line]);
    expect(match(line)).toMatchObject({ kind: 'command' });
  });

  test.each([
    ['now rdp disconnect', disconnect],
    ['rdp disconect twelve', disconnect],
    [`categorise ${'foo.org '.repeat(50)}`, categorize],
  ])('where what was typed would not do, the example is shown: %s', (typed, { phrase }) => {
    const example = match(typed);
    expect(example).toMatchObject({
      kind: 'unknown',
      nearest: [{ command: { phrase }, line: common.example }],
    });
  });

  test('the beginning of a command after polite words can go on in these ways', () => {
    expect(nearest('tell me about rdp')).toEqual([disconnect.phrase, sessions.phrase]);
  });

  test.each([
    ['category ad example.com to 252', 'category add example.com to 252'],
    ['rdp target enabel 4', 'rdp target enable 4'],
    ['vlan stp 3', 'vlan stop 3'],
    ['emergency enabel --for 30m --reason x', 'emergency enable --for 30m --reason x'],
    ['software instal squid 59', 'software install squid 59'],
  ])('the slip in what comes after the words that are right is mended first: %s', (typed, line) => {
    const found = matchReal(typed);
    expect(found.kind === 'unknown' && found.nearest[0]?.line).toBe(line);
    expect(found.kind === 'unknown' && found.nearest.length).toBe(3);
  });

  test('words that are right make nothing look like a slip', () => {
    expect(matchReal('rdp frob 12')).toMatchObject({ kind: 'astray', known: 'rdp' });
  });

  test('a thing to be asked about suggests no command that changes something', () => {
    const block = change({
      phrase: 'block <domain>',
      args: { domain },
      summary: '',
      example: '',
      effect: 'write',
      verb: '',
      doing: () => [],
      done: () => [],
      preview: async () => ({ kind: 'nothing', why: [] }),
      run: async () => ({ confirmed: true }),
      verify: async () => ({ kind: 'happened', evidence: [] }),
    });
    expect(createMatcher([block])('foo.org')).toEqual({ kind: 'unknown', nearest: [] });
  });

  test.each([
    'xyzzy',
    '🦆🦆🦆',
    'SELECT * FROM users',
    '<!channel>',
    'x'.repeat(3_000),
    'constructor __proto__',
  ])('%j is like none of them', (line) => {
    expect(nearest(line)).toEqual([]);
  });
});
