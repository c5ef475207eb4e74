import { expect, test } from 'vitest';
import { type Hours, readHours } from '../hours.ts';
import { nextSpan } from './freeze.ts';

function span(after: string, ...hours: readonly string[]): string | undefined {
  const read = hours.flatMap((one): Hours[] => {
    const found = readHours(one);
    return found === undefined ? [] : [found];
  });
  const found = nextSpan(read, Date.parse(`${after}Z`), 'Europe/Berlin');
  return found && [found.from, found.to].map((at) => new Date(at).toISOString().slice(0, 16)).join(' ');
}

test('a window is the open one or the next one, and one window across midnight', () => {
  // A Thursday.
  expect(span('2026-03-05T12:00', 'Mon-Fri 22:00-05:00')).toBe('2026-03-05T21:00 2026-03-06T04:00');
  expect(span('2026-03-05T23:00', 'Mon-Fri 22:00-05:00')).toBe('2026-03-05T21:00 2026-03-06T04:00');
  expect(span('2026-03-07T05:00', 'Mon-Fri 22:00-05:00')).toBe('2026-03-09T21:00 2026-03-10T04:00');
  expect(span('2026-03-05T12:00', 'Sat,Sun')).toBe('2026-03-06T23:00 2026-03-08T23:00');
  expect(span('2026-03-05T12:00', 'Fri 22:00-24:00', 'Sat 00:00-06:00')).toBe(
    '2026-03-06T21:00 2026-03-07T05:00',
  );
});

test('a window follows the wall clock on days when it is turned, and vanishes if the clock skips all of it', () => {
  // 29 March 2026: 02:00 is 03:00. 25 October 2026: 03:00 is 02:00 once more.
  expect(span('2026-03-28T12:00', 'Sun 01:00-04:00')).toBe('2026-03-29T00:00 2026-03-29T02:00');
  expect(span('2026-10-24T12:00', 'Sun 01:00-04:00')).toBe('2026-10-24T23:00 2026-10-25T03:00');
  expect(span('2026-03-28T12:00', 'Sun 02:00-03:00')).toBe('2026-04-05T00:00 2026-04-05T01:00');
});
