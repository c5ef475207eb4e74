import { describe, expect, test } from 'vitest';
import { type DayCount, everyDay } from './days.ts';

const day = (date: string, ...values: readonly number[]): DayCount => ({ date, values });
describe('every day', () => {
  test('is listed from the earliest to today, oldest first, with zeros for missing days', () => {
    expect(everyDay([day('2026-03-01', 4, 1), day('2026-02-27', 2, 0)], '2026-03-02', 2)).toEqual([
      day('2026-02-27', 2, 0),
      day('2026-02-28', 0, 0),
      day('2026-03-01', 4, 1),
      day('2026-03-02', 0, 0),
    ]);
  });

  test('continues to the latest if a clock is ahead, and an empty list stays empty', () => {
    expect(everyDay([day('2026-03-05', 1)], '2026-03-02', 1).map(({ date }) => date)).toEqual(['2026-03-05']);
    expect(everyDay([], '2026-03-02', 1)).toEqual([]);
  });
});
