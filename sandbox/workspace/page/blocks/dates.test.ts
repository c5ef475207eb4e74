import { expect, test } from 'vitest';
import { writeDate } from './dates.ts';

const at = (year: number, month: number, day: number, hour = 12) => new Date(year, month - 1, day, hour);
const seconds = (date: Date) => date.getTime() / 1000;
const now = at(2026, 3, 10, 9);
const write = (date: Date, format: string) => writeDate(seconds(date), format, 'fallback', now, 'en-US');

test('near days have names, the others dates', () => {
  expect(write(at(2026, 3, 10, 23), '{date_short_pretty}')).toBe('today');
  expect(write(at(2026, 3, 9, 0), '{date_pretty}')).toBe('yesterday');
  expect(write(at(2026, 3, 11, 1), '{date_long_pretty}')).toBe('tomorrow');
  expect(write(at(2026, 3, 12), '{date_short_pretty}')).toBe('Mar 12, 2026');
});

test('several tokens and the words between them make one text', () => {
  expect(write(at(2026, 3, 12, 15), '{date_num} at {time}')).toMatch(/^2026-03-12 at 3:00\sPM$/);
});

test('an unknown format shows the fallback', () => {
  expect(write(at(2026, 3, 12), '{date_klingon}')).toBe('fallback');
  expect(write(at(2026, 3, 12), 'no token')).toBe('fallback');
});
