import { describe, expect, test } from 'vitest';
import { momentsSaid } from './said-time.ts';
import { readStart, type StartOption } from './start.ts';

/** Thursday, 5 March 2026, 14:30 in Berlin. */
const thursday = '2026-03-05T13:30';

function start(option: StartOption, text: string, now = thursday): string | undefined {
  const read = readStart({ option, text });
  if (read === undefined || read.kind === 'window') return read?.name;
  const at = Date.parse(`${now}Z`);
  const moments = momentsSaid(read.time, at, 'Europe/Berlin');
  return moments.map((moment) => new Date(moment).toISOString().slice(0, 16)).join(' or ');
}

describe('the start of a change', () => {
  test.each([
    ['22:00', '2026-03-05T21:00'],
    ['6pm', '2026-03-05T17:00'],
    ['9:00', '2026-03-06T08:00'],
    ['sat 02:00', '2026-03-07T01:00'],
    ['02:00 on saturday', '2026-03-07T01:00'],
    ['tomorrow 6:00', '2026-03-06T05:00'],
    ['6:00 tomorrow', '2026-03-06T05:00'],
    // A past time is reported, not moved to another day.
    ['today 9:00', '2026-03-05T08:00'],
    ['midnight', '2026-03-05T23:00'],
    ['noon', '2026-03-06T11:00'],
    ['in 2h', '2026-03-05T15:30'],
    ['2026-03-31T14:30', '2026-03-31T12:30'],
    ['24:00', '2026-03-05T23:00'],
    ['31.3. 14:30', '2026-03-31T12:30'],
    ['31 March 2026, 14:30', '2026-03-31T12:30'],
    ['mar 31st at 6pm', '2026-03-31T16:00'],
    // This date has passed this year.
    ['4.3. 9:00', '2027-03-04T08:00'],
    // This year and the next have no such day.
    ['29.2. 9:00', '2028-02-29T08:00'],
    ['tomorrow 6 in the morning', '2026-03-06T05:00'],
    // Ambiguous times need a question.
    ['2h', '2026-03-05T15:30 or 2026-03-06T01:00'],
    ['3/4 10:00', '2026-04-03T08:00 or 2027-03-04T09:00'],
  ])('at %s', (text, at) => expect(start('at', text)).toBe(at));

  test.each([
    ...['friday', 'tomorrow', '2026-03-31', '3d', 'tonight', 'soon', '25:00', 'in', ''],
    ...['28.11.', 'monday morning', '3/4', '29.2.2027 10:00', '10.11', 'end of friday'],
  ])('is not --at %s', (text) => expect(start('at', text)).toBeUndefined());

  test('is a window by its name', () => expect(start('window', 'Night')).toBe('night'));

  test('comes after the gap when the clock skips it, and the first time when the clock shows it twice', () => {
    // 29 March 2026: 02:00 is 03:00. 25 October 2026: 03:00 is 02:00 once more.
    expect(start('at', '02:30', '2026-03-28T20:00')).toBe('2026-03-29T01:30');
    expect(start('at', 'sunday 2:30', '2026-03-27T20:00')).toBe('2026-03-29T01:30');
    expect(start('at', '02:30', '2026-10-24T20:00')).toBe('2026-10-25T00:30');
    expect(start('at', '2026-10-25T02:30', '2026-10-24T20:00')).toBe('2026-10-25T00:30');
    // Between the two 02:30s, the next one is tomorrow.
    expect(start('at', '02:30', '2026-10-25T01:00')).toBe('2026-10-26T01:30');
  });
});
