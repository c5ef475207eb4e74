import { describe, expect, test } from 'vitest';
import { processorTime } from '../test/processor-time.ts';
import { marked, strangeIn } from './marks.ts';

describe('invisible characters are marked', () => {
  test.each([
    ['a Hangul filler', 'a\u3164b'],
    ['a Hangul initial filler', 'a\u115fb'],
    ['a Hangul medial filler', 'a\u1160b'],
    ['a half-width filler', 'a\uffa0b'],
    ['a grapheme joiner', 'a\u034fb'],
    ['a blank of Braille', 'a\u2800b'],
    ['a vowel separator', 'a\u180eb'],
    ['a tag letter', 'a\u{e0041}b'],
    ['a variation selector behind a letter', 'a\ufe0fb'],
    ['a rare variation selector', 'a\u{e0100}b'],
    ['an order turned round', 'a\u202eb'],
    ['a zero-width space', 'a\u200bb'],
    ['a joiner between Latin letters', 'a\u200db'],
    ['a control', 'a\u0007b'],
    ['a line separator', 'a\u2028b'],
    ['half a letter', 'a\ud83eb'],
  ])('%s', (_, text) => {
    expect(marked(text)).toBe('a\ufffdb');
    expect(strangeIn(text)).toEqual({ unseen: true, mixed: false });
  });

  test('a variation selector behind a digit of an address', () => {
    expect(marked('10.0.0.1\ufe0f2')).toBe('10.0.0.1\ufffd2');
  });
});

describe('a word of look-alike letters is marked', () => {
  test.each([
    ['g\u043e\u043egle', 'g\u043e\u043egle⚠'],
    ['p\u0430ypal.com', 'p\u0430ypal⚠.com'],
    ['admin\u03bf', 'admin\u03bf⚠'],
    ['\u0440\u03bf\u0442', '\u0440\u03bf\u0442⚠'],
    ['\u13a0pple and oranges', '\u13a0pple⚠ and oranges'],
  ])('%j', (text, shown) => {
    expect(marked(text)).toBe(shown);
    expect(strangeIn(text)).toEqual({ unseen: false, mixed: true });
  });
});

test.each([
  ...['Бухгалтерия', 'Λογιστήριο', 'חשבונאות', 'المحاسبة', '会計課', '회계', 'บัญชี', 'Հայաստան', 'საქართველო'],
  ...['می\u200cخواهم', 'क्\u200dष', 'ශ්\u200dරී', 'ক্\u200dষ', '\u1820\u180b\u1821'],
  ...[
    '👩\u200d💻',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    '❤\ufe0f',
    '1\ufe0f\u20e3',
    '🇩🇪',
    '☎\ufe0e',
    '⚠\ufe0f',
  ],
  ...[
    'München',
    'Łódź',
    'İzmir',
    'e\u0301',
    '東京 Tokyo',
    'LINEカード',
    'µs',
    'μs',
    'kΩ',
    'ΔT',
    'x86',
    'привет world',
    'a-б',
  ],
])('%s stays as it is', (text) => {
  expect(marked(text)).toBe(text);
  expect(strangeIn(text)).toEqual({ unseen: false, mixed: false });
});

test('marking twice changes nothing more', () => {
  const once = marked('g\u043egle \u202e x\u3164 ⚠');
  expect(marked(once)).toBe(once);
});

test('a megabyte of it takes no longer than four times what a quarter takes', () => {
  for (const piece of ['\u200b', 'а\u0430y ', 'y\u0430', '👩\u200d💻', `${'y'.repeat(99)}\u3164`]) {
    const once = (length: number) => processorTime(() => marked(piece.repeat(length / piece.length)));
    // The faster of two, because a garbage collection may fall into one.
    const spent = (length: number) => Math.min(once(length), once(length));
    spent(10_000);
    const quarter = spent(250_000);
    expect([piece, spent(1_000_000) < 8 * quarter + 200]).toEqual([piece, true]);
  }
});
