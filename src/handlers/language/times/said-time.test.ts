import { describe, expect, test } from 'vitest';
import { choicesIn, momentsSaid, pastMoment, readSaidTime, typedMoment } from './said-time.ts';

/** Thursday, 5 March 2026, 14:30 in Berlin. */
const thursday = '2026-03-05T13:30';
const minutes = (at: number) => new Date(at).toISOString().slice(0, 16);

function ahead(text: string, now = thursday, timeZone = 'Europe/Berlin'): string | undefined {
  const said = readSaidTime(text);
  return (
    said &&
    momentsSaid(said, Date.parse(`${now}Z`), timeZone)
      .map(minutes)
      .join(' or ')
  );
}
function past(text: string, now = thursday, timeZone = 'Europe/Berlin'): string | undefined {
  const said = readSaidTime(text);
  const found = said && pastMoment(said, Date.parse(`${now}Z`), timeZone);
  return found === undefined ? undefined : minutes(found);
}

describe('a time in words', () => {
  test.each([
    // The next one, and the last one.
    ['22:30', '2026-03-05T21:30', '2026-03-04T21:30'],
    ['22.30', '2026-03-05T21:30', '2026-03-04T21:30'],
    ['2230', '2026-03-05T21:30', '2026-03-04T21:30'],
    ['22h30', '2026-03-05T21:30', '2026-03-04T21:30'],
    ['18h', '2026-03-05T17:00', '2026-03-04T17:00'],
    ['18 uhr', '2026-03-05T17:00', '2026-03-04T17:00'],
    ['6pm', '2026-03-05T17:00', '2026-03-04T17:00'],
    ['at 6:30 pm', '2026-03-05T17:30', '2026-03-04T17:30'],
    ['9.00', '2026-03-06T08:00', '2026-03-05T08:00'],
    ['noon', '2026-03-06T11:00', '2026-03-05T11:00'],
    ['midnight', '2026-03-05T23:00', '2026-03-04T23:00'],
    ['24:00', '2026-03-05T23:00', '2026-03-04T23:00'],
    ['2400', '2026-03-05T23:00', '2026-03-04T23:00'],
    ['eod', '2026-03-05T23:00', '2026-03-04T23:00'],
    ['end of day', '2026-03-05T23:00', '2026-03-04T23:00'],
    ['tonight 22:00', '2026-03-05T21:00', '2026-03-04T21:00'],
    ['tonight at 10', '2026-03-05T21:00', '2026-03-04T21:00'],
    ['10 tonight', '2026-03-05T21:00', '2026-03-04T21:00'],
    ['sat 02:00', '2026-03-07T01:00', '2026-02-28T01:00'],
    ['saturday at 2:00', '2026-03-07T01:00', '2026-02-28T01:00'],
    ['02:00 on saturday', '2026-03-07T01:00', '2026-02-28T01:00'],
    ['the coming saturday 2:00', '2026-03-07T01:00', '2026-02-28T01:00'],
    ['thursday 9:00', '2026-03-12T08:00', '2026-03-05T08:00'],
    ['monday morning', '2026-03-09T07:00', '2026-03-02T07:00'],
    ['now', '2026-03-05T13:30', '2026-03-05T13:30'],
    // For a day, its end and its beginning.
    ['friday', '2026-03-06T23:00', '2026-02-26T23:00'],
    ['28/11', '2026-11-28T23:00', '2025-11-27T23:00'],
    ['28.11.', '2026-11-28T23:00', '2025-11-27T23:00'],
    ['28.11', '2026-11-28T23:00', '2025-11-27T23:00'],
    ['28 nov', '2026-11-28T23:00', '2025-11-27T23:00'],
    ['november 28th', '2026-11-28T23:00', '2025-11-27T23:00'],
    ['5/5', '2026-05-05T22:00', '2025-05-04T22:00'],
    ['11/28 18:00', '2026-11-28T17:00', '2025-11-28T17:00'],
    ['tomorrow', '2026-03-06T23:00', undefined],
    ['the day after tomorrow 6:00', '2026-03-07T05:00', undefined],
    ['in 2h', '2026-03-05T15:30', undefined],
    ['in half an hour', '2026-03-05T14:00', undefined],
    ['2h ago', '2026-03-05T11:30', '2026-03-05T11:30'],
    ['yesterday 18:00', '2026-03-04T17:00', '2026-03-04T17:00'],
    ['2026-03-31T14:30', '2026-03-31T12:30', undefined],
    ['2026-03-31 14:30', '2026-03-31T12:30', undefined],
    ['31 March 2026, 14:30', '2026-03-31T12:30', undefined],
  ])('%s', (text, next, last) => {
    expect(ahead(text)).toBe(next);
    expect(past(text)).toBe(last);
  });

  test.each([
    ['03/04 10:00', '2026-04-03T08:00 or 2027-03-04T09:00', ['3 apr 10:00', '4 mar 10:00']],
    ['3/4/2027', '2027-03-04T23:00 or 2027-04-03T22:00', ['3 apr 2027', '4 mar 2027']],
    ['10.11', '2026-03-06T09:11 or 2026-11-10T23:00', ['10:11', '10 nov']],
    ['2h', '2026-03-05T15:30 or 2026-03-06T01:00', ['02:00', 'in 2h']],
    ['next friday 10:00', '2026-03-06T09:00 or 2026-03-13T09:00', ['friday 10:00']],
  ])('%s is ambiguous, and never resolved by a guess', (text, moments, choices) => {
    expect(ahead(text)).toBe(moments);
    const said = readSaidTime(text);
    expect(said && choicesIn(said)).toEqual(choices);
  });

  test('"next" on the same weekday means in a week', () => {
    expect(ahead('next thursday 10:00')).toBe('2026-03-12T09:00');
  });

  test.each([
    '',
    '18',
    'soon',
    '25:00',
    '12:60',
    '1260',
    '31.2.',
    '29.2.2027',
    '13/13',
    'fr',
    '2026-02-31',
    '13pm',
  ])('%j is no time', (text) => expect(readSaidTime(text)).toBeUndefined());
});

describe('the nights when the clocks are turned', () => {
  // 29 March 2026 in Berlin: 02:00 is 03:00. 25 October: 03:00 is 02:00 once more. 1 November in New York: 02:00 is 01:00 once more.
  test.each([
    ['02:30', '2026-03-28T20:00', 'Europe/Berlin', '2026-03-29T01:30'],
    ['sunday 2:30', '2026-03-27T20:00', 'Europe/Berlin', '2026-03-29T01:30'],
    ['29 mar', '2026-03-28T20:00', 'Europe/Berlin', '2026-03-29T22:00'],
    ['02:30', '2026-10-24T20:00', 'Europe/Berlin', '2026-10-25T00:30'],
    ['25.10. 2:30', '2026-10-24T20:00', 'Europe/Berlin', '2026-10-25T00:30'],
    // Between the two 02:30s, the past one is the first and the next one is tomorrow.
    ['02:30', '2026-10-25T01:00', 'Europe/Berlin', '2026-10-26T01:30'],
    ['in 3h', '2026-10-24T23:00', 'Europe/Berlin', '2026-10-25T02:00'],
    ['01:30', '2026-11-01T02:00', 'America/New_York', '2026-11-01T05:30'],
    // In Beirut the clocks skip midnight itself.
    ['tomorrow 00:00', '2026-03-28T10:00', 'Asia/Beirut', '2026-03-28T22:00'],
  ])('%s at %s in %s', (text, now, zone, moment) => expect(ahead(text, now, zone)).toBe(moment));

  test.each([
    ['2:30', '2026-03-29T06:00', 'Europe/Berlin', '2026-03-29T01:30'],
    ['2:30', '2026-10-25T06:00', 'Europe/Berlin', '2026-10-25T00:30'],
    ['yesterday', '2026-10-26T06:00', 'Europe/Berlin', '2026-10-24T22:00'],
  ])('past: %s at %s in %s', (text, now, zone, moment) => expect(past(text, now, zone)).toBe(moment));
});

describe('the end of a year', () => {
  test.each([
    ['2.1. 6:00', '2026-12-31T20:00', 'Europe/Berlin', '2027-01-02T05:00'],
    ['31 dec 23:30', '2026-12-31T20:00', 'Europe/Berlin', '2026-12-31T22:30'],
    ['30 dec', '2026-12-31T20:00', 'Europe/Berlin', '2027-12-30T23:00'],
    ['friday', '2026-12-31T20:00', 'Europe/Berlin', '2027-01-01T23:00'],
    // In Tokyo the next year has begun.
    ['today 18:00', '2026-12-31T20:00', 'Asia/Tokyo', '2027-01-01T09:00'],
    ['29.2. 9:00', '2026-12-31T20:00', 'Europe/Berlin', '2028-02-29T08:00'],
  ])('%s at %s in %s', (text, now, zone, moment) => expect(ahead(text, now, zone)).toBe(moment));

  test('past: 31 dec', () => expect(past('31 dec', '2027-01-01T20:00')).toBe('2026-12-30T23:00'));
});

test('a moment can be typed again as the same one in every zone, without a T in it', () => {
  for (const timeZone of ['Europe/Berlin', 'UTC', 'Asia/Kolkata', 'America/New_York', 'Pacific/Kiritimati'])
    for (const at of ['2026-07-01T22:15', '2026-12-31T23:59', '2026-03-29T00:30']) {
      const typed = typedMoment(Date.parse(`${at}Z`), timeZone);
      expect(typed).toMatch(/^\d{1,2} [a-z]{3} \d{4} \d\d:\d\d$/);
      expect(ahead(typed, thursday, timeZone)).toBe(at);
    }
});
