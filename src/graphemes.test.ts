import { describe, expect, test } from 'vitest';
import { seeded } from '../test/seeded.ts';
import { abridged, cut, ending, lettersOf, shortened } from './graphemes.ts';

/** Visible letters that consist of several characters, or may join their neighbours. */
const letters = [
  ...['a', 'Z', '7', ' ', '\n', '\r\n', '\r', 'é', 'e\u0301', '©', '©\ufe0f', '1\ufe0f\u20e3'],
  ...['👨‍👩‍👧‍👦', '🏳️‍🌈', '👩🏽‍🚒', '🧑‍🤝‍🧑', '🇩🇪', '🇫🇷', '🇩', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '👍🏿', '☎️', '😀'],
  ...[
    '한',
    '\u1112\u1161\u11ab',
    'नि',
    'क्षि',
    'ภู',
    'السَّلَام',
    'ﷺ',
    'z\u0351\u036b\u0343',
    '\u200d',
    '\u0301',
    '\u0600',
  ],
  ...['漢', '𠮷', '\ud83d', '\ude00', '\u200f', '\u{e0001}'],
];
const random = seeded(20_261_127);
const upTo = (most: number) => Math.floor(random() * (most + 1));
const anyUnit = () => String.fromCharCode(upTo(random() < 0.5 ? 0x7f : 0xffff));
/** Random text of such letters, of any units, or of plain ones. */
function anyText(): string {
  const from = [
    () => letters[upTo(letters.length - 1)] ?? '',
    anyUnit,
    () => String.fromCharCode(upTo(0x7f)),
  ];
  const one = from[upTo(from.length - 1)] ?? anyUnit;
  return Array.from({ length: upTo(40) }, one).join('');
}
const cases = Array.from({ length: 3_000 }, () => ({ text: anyText(), most: upTo(80) }));
const bounds = (text: string): readonly number[] => {
  let at = 0;
  return [0, ...[...lettersOf(text)].map((letter) => (at += letter.length))];
};

describe('a text is cut between letters as people see them', () => {
  test('as late as there is room, or as early for its end', () => {
    for (const { text, most } of cases) {
      const [begin, end] = [cut(text, most), ending(text, most)];
      expect(text.startsWith(begin)).toBe(true);
      expect(text.endsWith(end)).toBe(true);
      expect(Math.max(begin.length, end.length)).toBeLessThanOrEqual(most);
      const all = bounds(text);
      const last = all.findLast((at) => at <= most) ?? 0;
      const first = all.find((at) => at >= text.length - most) ?? text.length;
      if (last > 0) expect(begin.length, JSON.stringify({ text, most })).toBe(last);
      if (first < text.length) expect(end.length, JSON.stringify({ text, most })).toBe(text.length - first);
    }
  });

  test('and never between the halves of a character, also where one letter is longer than all the room', () => {
    for (const { text, most } of cases) {
      const whole = text.toWellFormed();
      expect(cut(whole, most).isWellFormed()).toBe(true);
      expect(ending(whole, most).isWellFormed()).toBe(true);
    }
    const towers = `z${'\u0301'.repeat(5_000)}`;
    expect(cut(towers, 75)).toHaveLength(75);
    expect(ending(towers, 75)).toHaveLength(75);
    expect(cut('👨‍👩‍👧‍👦', 1)).toBe('');
    expect(cut('👨‍👩‍👧‍👦', 3)).toBe('👨‍');
  });

  test('and the missing length is stated', () => {
    const family = '👨‍👩‍👧‍👦';
    expect(shortened(`ab${family}`, 12)).toBe('ab…');
    expect(shortened(`ab${family}`, 13)).toBe(`ab${family}`);
    expect(abridged(`ab${family}`, 5)).toBe('ab… (13 characters)');
    expect(ending(`${family}ab`, 5)).toBe('ab');
    expect(ending('🇩🇪🇫🇷', 6)).toBe('🇫🇷');
  });

  test('without a segmenter between plain letters', () => {
    const { segment } = Intl.Segmenter.prototype;
    Intl.Segmenter.prototype.segment = () => {
      throw new Error('Plain letters need no segmenter');
    };
    try {
      expect(cut('a plain line', 7)).toBe('a plain');
      expect(ending('a plain line', 4)).toBe('line');
      expect(shortened('Grüße aus Köln', 4)).toBe('Grü…');
      expect(cut('👨‍👩‍👧‍👦 and more', 13)).toBe('👨‍👩‍👧‍👦 a');
      expect(abridged('short', 60)).toBe('short');
    } finally {
      Intl.Segmenter.prototype.segment = segment;
    }
  });
});
