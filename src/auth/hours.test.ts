import { describe, expect, test } from 'vitest';
import { type Hours, hoursInWords, isWithin, nextAt, readHours } from './hours.ts';

const everyDay = [0, 1, 2, 3, 4, 5, 6];

/** Read hours. @throws Error when they are none */
function hours(text: string): Hours {
  const read = readHours(text);
  if (read === undefined) throw new Error(`"${text}" are no hours.`);
  return read;
}

const at = (utc: string): number => Date.parse(`${utc}Z`);

describe('hours are read', () => {
  test.each<readonly [string, Hours]>([
    ['Mon-Fri 08:00-18:00', { days: [0, 1, 2, 3, 4], from: 480, to: 1_080 }],
    ['mon – fri  8:00 – 18:00', { days: [0, 1, 2, 3, 4], from: 480, to: 1_080 }],
    ['  SAT , SUN  ', { days: [5, 6], from: 0, to: 1_440 }],
    ['22:00-06:00', { days: everyDay, from: 1_320, to: 360 }],
    ['Fri-Mon', { days: [0, 4, 5, 6], from: 0, to: 1_440 }],
    ['Mon,Wed-Thu,Mon 09:30-10:00', { days: [0, 2, 3], from: 570, to: 600 }],
    ['Sun-Sun', { days: [6], from: 0, to: 1_440 }],
    ['Mon 18:00-24:00', { days: [0], from: 1_080, to: 1_440 }],
    ['Mon 18:00-00:00', { days: [0], from: 1_080, to: 0 }],
  ])('%s', (text, expected) => {
    expect(readHours(text)).toEqual(expected);
  });

  test.each([
    '',
    '   ',
    '-',
    ',',
    'never',
    'Monday',
    'Mon Tue',
    'Mon-',
    'Mon-Tue-Wed',
    'Mon,,Tue',
    'Mon-Xyz',
    '08:00',
    '08:00-',
    '8-18',
    '08:00-08:00',
    '24:00-06:00',
    '08:60-18:00',
    '08:00-24:01',
    '08:00-99:00',
    '08:00-18:00 Mon',
    'Mon 08:00-12:00, 13:00-18:00',
    'Mon 08:00-18:00\nTue',
    `${'mon,'.repeat(5_000)}x`,
  ])('%j are none', (text) => {
    expect(readHours(text)).toBeUndefined();
  });
});

describe('hours are said', () => {
  test.each([
    ['Mon-Fri 8:00-18:00', 'Mon–Fri 08:00–18:00'],
    ['sat,sun', 'Sat, Sun'],
    ['22:00-06:00', '22:00–06:00'],
    ['Fri-Mon 18:00-24:00', 'Mon, Fri, Sat, Sun 18:00–24:00'],
    ['Wed', 'Wed'],
    ['Mon-Sun', 'every day'],
  ])('%s as %s', (text, said) => {
    expect(hoursInWords(hours(text))).toBe(said);
  });

  test('in words that are read as the same hours', () => {
    for (const text of [
      'Mon-Fri 08:00-18:00',
      'Fri-Mon 18:00-24:00',
      '22:00-06:00',
      'Sat,Sun',
      'Wed 00:00-00:01',
    ])
      expect(readHours(hoursInWords(hours(text)))).toEqual(hours(text));
  });
});

describe('a moment lies within', () => {
  const office = [hours('Mon-Fri 08:00-18:00')];

  test.each([
    // 2 March 2026 is a Monday.
    ['the first minute', '2026-03-02T08:00:00', true],
    ['the last second', '2026-03-02T17:59:59.999', true],
    ['not the second before', '2026-03-02T07:59:59.999', false],
    ['not the end itself', '2026-03-02T18:00:00', false],
    ['not another day', '2026-03-07T12:00:00', false],
  ])('%s', (_, moment, expected) => {
    expect(isWithin(office, at(moment), 'UTC')).toBe(expected);
  });

  test('one of several, and none of none', () => {
    const two = [hours('Mon 08:00-09:00'), hours('Mon 10:00-11:00')];
    const moments = ['08:30', '09:30', '10:30'].map((time) => at(`2026-03-02T${time}:00`));
    expect(moments.map((moment) => isWithin(two, moment, 'UTC'))).toEqual([true, false, true]);
    expect(isWithin([], at('2026-03-02T08:30:00'), 'UTC')).toBe(false);
  });

  test('by the clock of the time zone, with its own day', () => {
    // Sunday evening in UTC is Monday morning in Auckland, and Sunday morning in Honolulu.
    const moment = at('2026-03-01T20:30:00');
    expect(isWithin(office, moment, 'Pacific/Auckland')).toBe(true);
    expect(isWithin(office, moment, 'Pacific/Honolulu')).toBe(false);
    expect(isWithin([hours('Sun 10:00-11:00')], moment, 'Pacific/Honolulu')).toBe(true);
    // Five hours and three quarters ahead.
    expect(isWithin([hours('Mon 02:15-02:16')], moment, 'Asia/Kathmandu')).toBe(true);
  });

  test('a whole day, from midnight to midnight', () => {
    const saturday = [hours('Sat')];
    const moments = ['2026-03-06T23:59', '2026-03-07T00:00', '2026-03-07T23:59', '2026-03-08T00:00'];
    expect(moments.map((moment) => isWithin(saturday, at(`${moment}:00`), 'UTC'))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});

describe('hours over midnight', () => {
  const night = [hours('Fri 22:00-06:00')];

  test.each([
    ['begin on their day', '2026-03-06T22:00:00', true],
    ['go on until the next morning', '2026-03-07T05:59:00', true],
    ['end there', '2026-03-07T06:00:00', false],
    ['do not hold on the morning of their own day', '2026-03-06T05:00:00', false],
    ['do not begin again in the next evening', '2026-03-07T22:00:00', false],
  ])('%s', (_, moment, expected) => {
    expect(isWithin(night, at(moment), 'UTC')).toBe(expected);
  });

  test('go from Sunday into Monday', () => {
    expect(isWithin([hours('Sun 22:00-06:00')], at('2026-03-02T01:00:00'), 'UTC')).toBe(true);
  });

  test('hours that end at midnight do not touch the next day', () => {
    const evening = [hours('Mon 18:00-00:00')];
    expect(isWithin(evening, at('2026-03-02T23:59:00'), 'UTC')).toBe(true);
    expect(isWithin(evening, at('2026-03-03T00:00:00'), 'UTC')).toBe(false);
  });
});

describe('when the clock is turned', () => {
  const berlin = (text: string, moment: string) => isWithin([hours(text)], at(moment), 'Europe/Berlin');

  test('office hours stay where the clock on the wall says so', () => {
    // An hour ahead of UTC on Friday 27 March 2026, two on Monday 30 March.
    expect(berlin('Mon-Fri 08:00-18:00', '2026-03-27T06:30:00')).toBe(false);
    expect(berlin('Mon-Fri 08:00-18:00', '2026-03-30T06:30:00')).toBe(true);
    expect(berlin('Mon-Fri 08:00-18:00', '2026-03-30T16:00:00')).toBe(false);
  });

  test('skip 02:30 when it is turned forward, in a night that is an hour shorter', () => {
    // 29 March 2026: 01:59:59 is followed by 03:00:00, at 01:00 UTC.
    expect(berlin('Sun 02:00-03:00', '2026-03-29T00:59:59')).toBe(false);
    expect(berlin('Sun 02:00-03:00', '2026-03-29T01:00:00')).toBe(false);
    expect(berlin('Sat 22:00-03:30', '2026-03-29T01:29:00')).toBe(true);
    expect(berlin('Sat 22:00-03:30', '2026-03-29T01:30:00')).toBe(false);
  });

  test('count 02:30 twice when it is turned back', () => {
    // 25 October 2026: 02:59:59 is followed by 02:00:00, at 01:00 UTC.
    const moments = ['00:29', '00:30', '01:29', '01:30', '02:00'].map((time) => `2026-10-25T${time}:00`);
    expect(moments.map((moment) => berlin('Sun 02:00-02:30', moment))).toEqual([
      true,
      false,
      true,
      false,
      false,
    ]);
  });
});

describe('a minute of every day comes once on each day', () => {
  const everyDay = { days: [0, 1, 2, 3, 4, 5, 6], minute: 0 };

  test.each([
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    // Zones whose clocks shift by half an hour, at midnight, in Ramadan, by a quarter of an hour, or skip a
    // day.
    'Australia/Lord_Howe',
    'America/Havana',
    'Africa/Casablanca',
    'Pacific/Chatham',
    'Asia/Kathmandu',
  ])('in %s, whatever is done to its clocks', (timeZone) => {
    const date = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
    for (const minute of [0, 30, 105, 150]) {
      let at = Date.UTC(2026, 0, 1, 12);
      const dates: string[] = [];
      for (let day = 0; day < 366; day += 1) {
        // The question may come late.
        at = nextAt({ ...everyDay, minute }, at + 40 * 60_000, timeZone);
        dates.push(date.format(at));
      }
      expect(new Set(dates).size).toBe(366);
      expect(at).toBeLessThan(Date.UTC(2027, 0, 3, 13));
    }
  });

  test('a minute that the clock shows twice counts the first time; a skipped one comes after the gap', () => {
    const halfPastTwo = { ...everyDay, minute: 150 };
    const next = (day: string) =>
      new Date(nextAt(halfPastTwo, Date.parse(day), 'Europe/Berlin')).toISOString();
    expect(next('2026-10-24T12:00Z')).toBe('2026-10-25T00:30:00.000Z');
    expect(next('2026-10-25T00:30Z')).toBe('2026-10-26T01:30:00.000Z');
    expect(next('2026-10-25T01:05Z')).toBe('2026-10-26T01:30:00.000Z');
    expect(next('2026-03-28T12:00Z')).toBe('2026-03-29T01:30:00.000Z');
    expect(next('2026-03-29T01:30Z')).toBe('2026-03-30T00:30:00.000Z');
  });

  test('a minute comes on the named days alone', () => {
    const mondays = { days: [0], minute: 9 * 60 };
    expect(nextAt(mondays, Date.UTC(2026, 9, 7, 9), 'UTC')).toBe(Date.UTC(2026, 9, 12, 9));
    expect(nextAt(mondays, Date.UTC(2026, 9, 12, 8), 'UTC')).toBe(Date.UTC(2026, 9, 12, 9));
  });
});
