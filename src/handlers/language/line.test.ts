import { describe, expect, test } from 'vitest';
import { processorTime } from '../../../test/processor-time.ts';
import { match } from '../registry.ts';
import { cleanLine, splitValues, withoutManners, wordsIn } from './line.ts';

describe('a typed line is cleaned', () => {
  test.each([
    ['spaces of every kind become one', '  rdp \t disconnect\u00a0\u2003 12 \n', 'rdp disconnect 12'],
    ['smart double quotes', 'say “hello world” „so“ «so»', 'say "hello world" "so" "so"'],
    ['smart single quotes', 'say ‘hello’ ‚so‛', "say 'hello' 'so'"],
    ['an em dash before an option', 'emergency enable —for 30m', 'emergency enable --for 30m'],
    ['an en dash before an option', '–for 30m', '--for 30m'],
    ['a long dash inside a word is a hyphen', 'srv—db–01‑a', 'srv-db-01-a'],
    ['a long dash before a number is a minus', 'shift –5', 'shift -5'],
    ['a linked domain', 'categorize <http://example.com|example.com>', 'categorize example.com'],
    [
      'a linked address',
      'categorize <https://example.com/a/b|example.com/a/b>',
      'categorize example.com/a/b',
    ],
    ['a link without a label', 'categorize <https://example.com>', 'categorize https://example.com'],
    ['two links', '<http://a.com|a.com> <http://b.com|b.com>', 'a.com b.com'],
    ['a linked mail address', '<mailto:bob@example.com|bob@example.com>', 'bob@example.com'],
    ['a linked mail address without a label', '<mailto:bob@example.com>', 'bob@example.com'],
    ['a mention stays as it is', 'help <@U0ALICE001|alice>', 'help <@U0ALICE001|alice>'],
    ['zero-width marks', 'r\u200bd\u2060p\ufeff ses\u00adsions', 'rdp sessions'],
    ['bidi marks', '\u202erdp\u202c \u2067sessions\u2069 \u200f\u061c', 'rdp sessions'],
    ['control characters', 'rdp\u0000sessions\u001b\u0085', 'rdp sessions'],
    ['escaped characters', 'a &amp; b &lt;c&gt;', 'a & b <c>'],
    ['what was typed as an entity stays one', '&amp;lt;', '&lt;'],
    ['composed and decomposed letters are the same', 'mu\u0308nchen.de', 'münchen.de'],
    ['a line pasted whole', '/appliance categorize example.com', 'categorize example.com'],
    ['a line pasted whole, in back-ticks', '`/Appliance rdp sessions`', 'rdp sessions'],
    ['a line in a code block', '```rdp sessions```', 'rdp sessions'],
    ['a line in quotes', '“rdp sessions”', 'rdp sessions'],
    ['a line in single quotes', "'rdp sessions'", 'rdp sessions'],
    ['two quoted words are not a quoted line', '"a b" "c d"', '"a b" "c d"'],
    ['another word that begins like the command', '/appliances', '/appliances'],
    ['the command alone', '/appliance', ''],
    ['nothing at all', ' \u200b\u0000 ', ''],
  ])('%s', (_, typed, cleaned) => {
    expect(cleanLine(typed)).toBe(cleaned);
  });

  test('a label that says something else than its link does not hide the target', () => {
    expect(cleanLine('<https://evil.example|example.com>')).toBe('https://evil.example');
    expect(cleanLine('<mailto:eve@evil.example|bob@example.com>')).toBe('eve@evil.example');
  });

  test('cleaning twice changes nothing more, for what people type', () => {
    const once = cleanLine('categorize “<http://a.com|a.com>” —all');
    expect(cleanLine(once)).toBe(once);
  });

  test('kilobytes of junk are cleaned at once', () => {
    const junk = ['`', '/appliance ', '<http://', '<mailto:a|', '&amp;', '“', '—a ', '\u200b', '" '];
    const spent = processorTime(() => {
      for (const piece of junk) cleanLine(piece.repeat(3_000 / piece.length));
    });
    expect(spent).toBeLessThan(500);
  });
});

test('values are separated by spaces, commas and semicolons, except in quotes', () => {
  expect(splitValues('a.com, b.com;c.com "d, e" https://f.com/g,h ,')).toEqual([
    ...['a.com', 'b.com', 'c.com', 'd, e', 'https://f.com/g,h'],
  ]);
});

describe('a cleaned line is split into words', () => {
  test.each([
    ['', []],
    ['rdp disconnect 12', ['rdp', 'disconnect', '12']],
    ['add "two words" more', ['add', 'two words', 'more']],
    ["add 'two words' more", ['add', 'two words', 'more']],
    ['say ""', ['say', '']],
    ['a "lone quote', ['a', '"lone', 'quote']],
    ['categorize `example.com`', ['categorize', 'example.com']],
    ['a `lone tick', ['a', '`lone', 'tick']],
    ["it's theirs", ["it's", 'theirs']],
    ['a"b c"', ['a"b', 'c"']],
    ['"a b"c', ['"a', 'b"c']],
    ["'^a{1,3}', b", ['^a{1,3}', ',', 'b']],
    ['"it\'s here"', ["it's here"]],
  ])('%j', (line, words) => {
    expect(wordsIn(line).map(({ text }) => text)).toEqual(words);
  });
});

describe('filler words around a line', () => {
  test.each([
    ['please why example.com', 'why example.com'],
    ['why is example.com blocked?', 'why is example.com blocked'],
    ['hey, can you please rdp disconnect 12, thanks!', 'rdp disconnect 12'],
    ['apply now', 'apply'],
    ['category add example.com to 252 --now', 'category add example.com to 252 --now'],
    ['please', 'please'],
  ])('"%s" says "%s"', (typed, said) => {
    expect(withoutManners(typed)).toBe(said);
  });

  test.each([
    ['please why example.com', 'why <domain>'],
    ['why example.com please', 'why <domain>'],
    ['is example.com blocked?', 'why <domain>'],
    ['rdp restart, please!', 'rdp restart'],
  ])('"%s" is understood as it is meant', (typed, phrase) => {
    expect(match(typed)).toMatchObject({ kind: 'command', command: { phrase } });
  });

  test('do not include words that belong to the line', () => {
    expect(match('acl record add 12 please')).toMatchObject({
      kind: 'command',
      typed: { pattern: ['please'] },
    });
  });
});

test('a remark behind a pasted site is no value, and a line that is no site stays', () => {
  expect(
    cleanLine(
      'category add to 252:\na.example # bad, see x.example\nb.example (reported)\nc.example - c\nd # e',
    ),
  ).toBe('category add to 252: a.example b.example c.example d # e');
});
