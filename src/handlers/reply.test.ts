import { expect, test } from 'vitest';
import {
  channel,
  clock,
  code,
  elapsed,
  enumerate,
  group,
  messageLink,
  moment,
  person,
  plainText,
  plural,
  say,
  strong,
} from './reply.ts';

test('a value in a sentence stays plain, whatever it contains', () => {
  expect(say`Hello ${'<!channel> *bold*'}!`).toEqual(['Hello ', '<!channel> *bold*', '!']);
});

test('numbers, spans and whole texts can be values of a sentence; an empty one leaves no trace', () => {
  expect(say`${0} of ${3}: ${strong('a')}${say`, ${code('b')}`}${''}`).toEqual([
    '0',
    ' of ',
    '3',
    ': ',
    strong('a'),
    ', ',
    code('b'),
  ]);
  expect(say``).toEqual([]);
});

test.each([
  [[], 'and', ''],
  [['a'], 'and', 'a'],
  [['a', 'b'], 'and', 'a and b'],
  [['a', 'b', 'c'], 'and', 'a, b and c'],
  [['a', 'b', 'c'], 'or', 'a, b or c'],
] as const)('%j are joined', (texts, conjunction, said) => {
  expect(plainText(enumerate(texts, conjunction))).toBe(said);
});

test('formatted texts keep their formatting when joined', () => {
  expect(enumerate([strong('a'), say`${code('b')}!`])).toEqual([strong('a'), ' and ', code('b'), '!']);
});

test('one is singular, and everything else is not', () => {
  expect([0, 1, 2].map((count) => plural(count, 'session'))).toEqual([
    '0 sessions',
    '1 session',
    '2 sessions',
  ]);
  expect(plural(2, 'category', 'categories')).toBe('2 categories');
});

test.each([
  [-5_000, 'less than a minute'],
  [0, 'less than a minute'],
  [59_999, 'less than a minute'],
  [60_000, '1 min'],
  [59 * 60_000, '59 min'],
  [60 * 60_000, '1 h'],
  [200 * 60_000, '3 h 20 min'],
  [24 * 3_600_000, '1 day'],
  [50 * 3_600_000, '2 days'],
])('%d milliseconds are %s', (milliseconds, said) => {
  expect(elapsed(milliseconds)).toBe(said);
});

test('plain text for the journal keeps IDs, and writes moments as ISO 8601', () => {
  const at = Date.UTC(2026, 10, 20, 12);
  const text = say`${person('U1')} ${group('S1')} ${channel('C1')} ${strong('b')} ${code('c')} ${clock(at)} ${moment(new Date(at))}`;
  expect(plainText(text)).toBe('U1 S1 C1 b c 2026-11-20T12:00:00.000Z 2026-11-20T12:00:00.000Z');
});

test('a link to a message reads as its label', () => {
  expect(plainText(say`See ${messageLink('the thread', 'C1', '1.000001')}.`)).toBe('See the thread.');
});

test('a reply survives the journal: it is plain JSON', () => {
  const text = say`${person('U1')} ${moment(12)} ${strong('x')} ${messageLink('y', 'C1', '1.000001')}`;
  expect(JSON.parse(JSON.stringify(text))).toEqual(text);
});
