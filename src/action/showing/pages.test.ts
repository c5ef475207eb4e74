import { describe, expect, test } from 'vitest';
import { plainText, say, strong } from '../../handlers/reply.ts';
import type { Said } from '../base/chat.ts';
import { filtered, isLong, pageOf, type StoredResult } from './pages.ts';
import type { Table } from './plain-files.ts';

const rowsOf = (count: number, length = 1): Table => ({
  kind: 'table',
  columns: ['Row', 'Text'],
  rows: Array.from({ length: count }, (_, row) => [[`row ${row + 1}.`], ['x'.repeat(length)]]),
});
const stored = (table: Table, above = ''): StoredResult => ({
  holds: 'message',
  source: { phrase: 'acl objects', line: 'acl objects', targets: [{ appliance: 'hq', args: {} }] },
  headline: [],
  before: [{ kind: 'text', text: [above] }],
  table,
  after: [{ kind: 'text', text: ['below'] }],
});
const look = { token: 'opaque', page: 0, whispered: false };

const shownIn = ({ details = [] }: Said) =>
  details.flatMap((part) => (part.kind === 'table' ? part.rows : []));
const buttonsIn = ({ details = [] }: Said) =>
  details.flatMap((part) => (part.kind === 'buttons' ? part.buttons.map(({ label }) => label) : []));
const wordsIn = ({ details = [] }: Said) =>
  details.flatMap((part) => (part.kind === 'text' ? [plainText(part.text)] : []));

describe('pages', () => {
  test.each([
    [0, false],
    [15, false],
    [16, true],
  ])('a table of %i rows: %s', (count, long) => {
    expect(isLong(rowsOf(count))).toBe(long);
  });

  test.each([
    [40, 1],
    [40, 1_000],
    [7, 5_000],
    [3, 50_000],
  ])('show each of %i rows of %i characters once, in order', (count, length) => {
    const table = rowsOf(count, length);
    const seen = [];
    for (let page = 0; ; page += 1) {
      const said = pageOf(stored(table), { ...look, page });
      expect(shownIn(said).length).toBeGreaterThan(0);
      expect(shownIn(said).length).toBeLessThanOrEqual(15);
      seen.push(...shownIn(said));
      if (!buttonsIn(said).includes('Next ▶')) break;
    }
    expect(seen).toEqual(table.rows);
  });

  test('are short where the rest of the message is long', () => {
    const rows = rowsOf(40, 300);
    expect(shownIn(pageOf(stored(rows, 'x'.repeat(8_000)), look)).length).toBeLessThan(6);
  });

  test('that there are not are the nearest that there are', () => {
    expect(wordsIn(pageOf(stored(rowsOf(20)), { ...look, page: 99 }))).toContain('Rows 16–20 of 20');
    expect(wordsIn(pageOf(stored(rowsOf(20)), { ...look, page: -1 }))).toContain('Rows 1–15 of 20');
  });

  test('have the buttons that do something there', () => {
    const at = (page: number) => buttonsIn(pageOf(stored(rowsOf(40)), { ...look, page }));
    expect(at(0)).toEqual(['Next ▶', 'Filter…', 'CSV', 'JSON']);
    expect(at(1)).toEqual(['◀ Previous', 'Next ▶', 'Filter…', 'CSV', 'JSON']);
    expect(at(2)).toEqual(['◀ Previous', 'Filter…', 'CSV', 'JSON']);
    expect(buttonsIn(pageOf(stored(rowsOf(40)), { ...look, whispered: true }))).toEqual([
      'Next ▶',
      'Filter…',
    ]);
  });
});

describe('a filter', () => {
  const table: Table = {
    kind: 'table',
    columns: ['Name', 'State'],
    rows: [
      [['Google_SNI'], say`${strong('Enabled')}`],
      [['google maps'], ['disabled']],
      [['STRASSE'], ['ＷＩＤＥ']],
    ],
  };
  const names = (words: string) => filtered(table, words).rows.map(([name = []]) => plainText(name));

  test.each([
    ['google', ['Google_SNI', 'google maps']],
    ['GOOGLE enabled', ['Google_SNI']],
    ['  maps   google ', ['google maps']],
    ['wide', ['STRASSE']],
    ['google strasse', []],
    ['.*', []],
    ['', ['Google_SNI', 'google maps', 'STRASSE']],
  ])('of %j leaves the rows that hold every word in some cell', (words, left) => {
    expect(names(words)).toEqual(left);
  });

  test('does not match across two cells', () => {
    expect(names('snienabled')).toEqual([]);
  });

  test('says how many rows it left', () => {
    const words = (filter: string) => wordsIn(pageOf(stored(rowsOf(40)), { ...look, filter }))[1];
    expect(words('row')).toBe('Rows 1–15 of the 40 that match row, 40 in all');
    expect(words('row 1')).toBe('13 of 40 rows match row 1');
    expect(words('12.')).toBe('1 of 40 rows matches 12.');
    expect(words('none')).toBe('None of the 40 rows matches none');
  });
});
