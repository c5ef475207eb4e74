import { expect, test } from 'vitest';
import { csvRows } from './csv.ts';

test('rows are read with their quotes, commas and lines inside of quotes, and no more than asked for', () => {
  expect(csvRows('site,note\r\na.example,"says ""no"", often"\n"two\nlines",\n')).toEqual([
    ['site', 'note'],
    ['a.example', 'says "no", often'],
    ['two\nlines', ''],
  ]);
  expect(csvRows('a\nb\nc\n', 2)).toEqual([['a'], ['b']]);
  expect(csvRows('')).toEqual([]);
});
