import { expect, test } from 'vitest';
import { expectLinear } from '../../../test/growth.ts';
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

test('a quote that is not closed, or closed in the middle, still ends', async () => {
  expect(csvRows('a,"b\nc')).toEqual([['a', 'b\nc']]);
  expect(csvRows('"a"b,c\rd')).toEqual([['a', 'c'], ['d']]);
  for (const piece of ['"', '""', '"a', 'a"', '"\r']) {
    await expectLinear(400_000, (size) => `x${piece.repeat(size / piece.length)}\rx`, csvRows);
  }
});
