import { describe, expect, test } from 'vitest';
import { lastMomentOf, momentOf, readSince } from './since.ts';

/** A Wednesday, 12:00 in Berlin. */
const now = Date.UTC(2026, 10, 25, 11);

const at = (typed: string, moment = now) => {
  const since = readSince(typed);
  return since && new Date(momentOf(since, moment, 'Europe/Berlin')).toISOString();
};

describe('the start of a period', () => {
  test.each([
    ['2h', '2026-11-25T09:00:00.000Z'],
    ['7d', '2026-11-18T11:00:00.000Z'],
    ['1h30m', '2026-11-25T09:30:00.000Z'],
    ['11:30', '2026-11-25T10:30:00.000Z'],
    ['9:05', '2026-11-25T08:05:00.000Z'],
    // This time of today is still to come.
    ['14:30', '2026-11-24T13:30:00.000Z'],
    ['2026-11-20', '2026-11-19T23:00:00.000Z'],
    ['2026-11-20T14:30', '2026-11-20T13:30:00.000Z'],
    // In summer time.
    ['2026-07-01 08:00', '2026-07-01T06:00:00.000Z'],
  ])('%s is that moment in the time zone of the policy', (typed, moment) => {
    expect(at(typed)).toBe(moment);
  });

  test('is right on the days on which the clocks are turned', () => {
    expect(at('2026-03-29T01:30')).toBe('2026-03-29T00:30:00.000Z');
    expect(at('2026-03-29T03:30')).toBe('2026-03-29T01:30:00.000Z');
    expect(at('2026-10-25T12:00')).toBe('2026-10-25T11:00:00.000Z');
  });

  test.each(['', 'soon', '2026', '25:00', '12:60', '2026-02-31', '2026-13-01', '7'])(
    '%j is no time',
    (typed) => {
      expect(readSince(typed)).toBeUndefined();
    },
  );
});

test.each([
  ['14:30', undefined, '2026-11-24T13:30:00.000Z'],
  // In the morning, "today until 14:30" may include the future.
  ['14:30', 'today', '2026-11-25T13:30:00.000Z'],
  ['09:00', 'today', '2026-11-25T08:00:00.000Z'],
  ['02:00', '24 nov 22:00', '2026-11-25T01:00:00.000Z'],
  ['02:00', '11:30', '2026-11-26T01:00:00.000Z'],
  ['yesterday', 'yesterday', '2026-11-24T22:59:59.999Z'],
  ['3h', '2h', '2026-11-25T08:00:00.000Z'],
])('until %s since %s is that moment', (until, since, moment) => {
  const [end, begin] = [until, since ?? ''].map(readSince);
  const from = begin && momentOf(begin, now, 'Europe/Berlin');
  expect(end && new Date(lastMomentOf(end, now, 'Europe/Berlin', from)).toISOString()).toBe(moment);
});
