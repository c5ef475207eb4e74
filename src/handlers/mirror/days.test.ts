import { describe, expect, test } from 'vitest';
import { type DayCount, everyDay, inSpans } from './days.ts';

const day = (date: string, ...values: readonly number[]): DayCount => ({ date, values });
const from = (first: string, count: number): DayCount[] =>
  Array.from({ length: count }, (_, at) => ({
    date: new Date(Date.parse(first) + at * 86_400_000).toISOString().slice(0, 10),
    values: [1],
  }));

describe('every day', () => {
  test('is there from the earliest to today, oldest first, with zeros where there was nothing', () => {
    expect(everyDay([day('2026-03-01', 4, 1), day('2026-02-27', 2, 0)], '2026-03-02', 2)).toEqual([
      day('2026-02-27', 2, 0),
      day('2026-02-28', 0, 0),
      day('2026-03-01', 4, 1),
      day('2026-03-02', 0, 0),
    ]);
  });

  test('goes on to the latest where a clock is ahead, and nothing stays nothing', () => {
    expect(everyDay([day('2026-03-05', 1)], '2026-03-02', 1).map(({ date }) => date)).toEqual(['2026-03-05']);
    expect(everyDay([], '2026-03-02', 1)).toEqual([]);
  });
});

describe('days in spans', () => {
  test('are single days while there is room', () => {
    const { spans, daysEach } = inSpans(from('2026-02-27', 3), 20);
    expect(daysEach).toBe(1);
    expect(spans.map(({ label }) => label)).toEqual(['27 Feb', '28 Feb', '1 Mar']);
  });

  test('are put together beyond that; only the oldest may be shorter', () => {
    const { spans, daysEach } = inSpans(from('2026-02-24', 7), 4);
    expect(daysEach).toBe(2);
    expect(spans).toEqual([
      { label: '24 Feb', values: [1] },
      { label: '25–26 Feb', values: [2] },
      { label: '27–28 Feb', values: [2] },
      { label: '1–2 Mar', values: [2] },
    ]);
    expect(inSpans(from('2026-02-28', 2), 1).spans).toEqual([{ label: '28 Feb – 1 Mar', values: [2] }]);
  });

  test.each([1, 19, 20, 21, 30, 40, 41, 100, 366])(
    'of %i days are at most 20, with nothing lost',
    (count) => {
      const { spans } = inSpans(from('2025-01-01', count), 20);
      expect(spans.length).toBeLessThanOrEqual(20);
      expect(new Set(spans.map(({ label }) => label)).size).toBe(spans.length);
      expect(spans.reduce((sum, { values: [one = 0] }) => sum + one, 0)).toBe(count);
      for (const { label } of spans) expect(label.length).toBeLessThanOrEqual(20);
    },
  );
});
