import { describe, expect, test } from 'vitest';
import { endOf, readTerm, type TermOption } from './term.ts';
import { typedMoment } from './times/said-time.ts';

/** Thursday, 5 March 2026, 14:30 in Berlin. */
const now = Date.parse('2026-03-05T13:30:00Z');

function end(option: TermOption, text: string, timeZone = 'Europe/Berlin'): string | undefined {
  const term = readTerm({ option, text });
  return term && new Date(endOf(term, now, timeZone)).toISOString().slice(0, 16);
}

describe('the duration of a change', () => {
  test.each([
    ['2h', '2026-03-05T15:30'],
    ['1h30m', '2026-03-05T15:00'],
    ['3 days', '2026-03-08T13:30'],
    ['45', '2026-03-05T14:15'],
    ['two hours', '2026-03-05T15:30'],
    ['an hour and a half', '2026-03-05T15:00'],
    ['the next 30 minutes', '2026-03-05T14:00'],
    ['1.5 h', '2026-03-05T15:00'],
    ['2 weeks', '2026-03-19T13:30'],
  ])('for %s', (text, at) => expect(end('for', text)).toBe(at));

  test.each([
    ['18:00', '2026-03-05T17:00'],
    ['6pm', '2026-03-05T17:00'],
    ['6:30 pm', '2026-03-05T17:30'],
    // This hour of today is past.
    ['9:00', '2026-03-06T08:00'],
    ['friday', '2026-03-06T23:00'],
    ['Fri 12:00', '2026-03-06T11:00'],
    ['thursday', '2026-03-05T23:00'],
    ['thu 9:00', '2026-03-12T08:00'],
    ['tomorrow', '2026-03-06T23:00'],
    ['tomorrow at 9am', '2026-03-06T08:00'],
    ['tonight', '2026-03-05T23:00'],
    ['noon', '2026-03-06T11:00'],
    ['midnight', '2026-03-05T23:00'],
    ['end of the day', '2026-03-05T23:00'],
    ['this friday', '2026-03-06T23:00'],
    ['2026-03-31', '2026-03-31T22:00'],
    ['2026-03-31T14:30', '2026-03-31T12:30'],
    // The clocks change on 29 March.
    ['2026-03-29', '2026-03-29T22:00'],
  ])('until %s', (text, at) => expect(end('until', text)).toBe(at));

  test.each([
    ['for', 'ever'],
    ['for', '0m'],
    ['for', '91d'],
    ['for', '90d1s'],
    ['for', '2 months'],
    ['for', 'an'],
    ['until', 'whenever'],
    ['until', '25:00'],
    ['until', '18'],
    ['until', 'fr'],
    ['until', '2026-02-31'],
    ['until', ''],
  ] as const)('is not --%s %s', (option, text) => expect(end(option, text)).toBeUndefined());

  test('is typed again as the same moment', () => {
    for (const timeZone of ['Europe/Berlin', 'UTC', 'Asia/Kolkata', 'America/New_York']) {
      const at = Date.parse('2026-07-01T22:15:00Z');
      expect(end('until', typedMoment(at, timeZone), timeZone)).toBe('2026-07-01T22:15');
    }
  });
});
