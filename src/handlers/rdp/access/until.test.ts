import { describe, expect, test } from 'vitest';
import type { Member } from '../../../api/index.ts';
import { plainText } from '../../reply.ts';
import { endOf, endOfLifeFor, until, untilText } from './until.ts';

const member = (endOfLife: number): Member => ({
  id: 1,
  endOfLife,
  fields: { endoflife: String(endOfLife) },
});
const read = (typed: string) => {
  const reading = until.read(typed);
  return reading.ok ? reading.value : reading.problem.code;
};

describe('the end of access', () => {
  test.each([
    ['2027-03-31', Date.UTC(2027, 2, 31, 23, 59, 59)],
    ['31.3.2027', Date.UTC(2027, 2, 31, 23, 59, 59)],
    ['2027-03-31T18:00', Date.UTC(2027, 2, 31, 18)],
    ['2027-03-31T18:00:05Z', Date.UTC(2027, 2, 31, 18, 0, 5)],
    ['Never', 'never'],
  ])('%s is understood', (typed, value) => expect(read(typed)).toBe(value));

  test.each([
    ['today', '2026-11-20T00:00:00Z', '2026-11-20'],
    ['today', '2026-11-20T23:59:59Z', '2026-11-20'],
    ['tomorrow', '2026-12-31T23:59:30Z', '2027-01-01'],
    ['30d', '2026-11-20T12:00:00Z', '2026-12-20'],
    ['In 30 days', '2028-02-28T12:00:00Z', '2028-03-29'],
    ['1 day', '2028-02-28T12:00:00Z', '2028-02-29'],
    ['1 day', '2027-02-28T12:00:00Z', '2027-03-01'],
    ['2 weeks', '2026-12-25T00:00:30Z', '2027-01-08'],
    ['in  2w', '2036-02-20T00:00:00Z', '2036-03-05'],
    ['1 month', '2027-01-31T12:00:00Z', '2027-02-28'],
    ['1 month', '2028-01-31T12:00:00Z', '2028-02-29'],
    ['6 months', '2026-08-31T12:00:00Z', '2027-02-28'],
    ['3 months', '2026-11-20T12:00:00Z', '2027-02-20'],
    ['1 year', '2028-02-29T12:00:00Z', '2029-02-28'],
    ['4y', '2028-02-29T12:00:00Z', '2032-02-29'],
    ['friday', '2026-11-26T12:00:00Z', '2026-11-27'],
    ['this Fri', '2026-11-27T23:59:30Z', '2026-11-27'],
    ['thursday', '2026-12-31T12:00:00Z', '2026-12-31'],
    ['on wed', '2026-12-31T12:00:00Z', '2027-01-06'],
    ['end of month', '2028-02-01T00:00:00Z', '2028-02-29'],
    ['end of the month', '2027-02-28T23:59:30Z', '2027-02-28'],
    ['end of month', '2026-12-31T12:00:00Z', '2026-12-31'],
  ])('%s, said at %s, is %s to its end, in UTC', (typed, now, day) => {
    const reading = until.read(typed);
    const end = reading.ok ? endOf(reading.value, Date.parse(now)) : undefined;
    expect(end).toBe(Date.parse(`${day}T23:59:59Z`));
  });

  test('a relative day stays the same all day long, and a written date forever', () => {
    const reading = until.read('30d');
    const [morning, night] = ['2026-11-20T00:00:00.000Z', '2026-11-20T23:59:59.999Z'].map(
      (now) => reading.ok && endOf(reading.value, Date.parse(now)),
    );
    expect(morning).toBe(night);
    expect(endOf(Date.UTC(2027, 2, 31), 0)).toBe(Date.UTC(2027, 2, 31));
    expect(endOf('never', 0)).toBe('never');
  });

  test.each([
    '6m',
    '8h',
    '0d',
    '-3d',
    '1000d',
    'in',
    'in tomorrow',
    '30 dogs',
    'next friday',
    'frid.',
    '2027-02-31',
    '2027-13-01',
    '31/03/2027',
    '2027-03-31T25:00',
    '1893456000',
    'soon',
    'end of year',
    '0001-01-01',
    '',
  ])('%s is no day, and is not turned into one', (typed) => expect(read(typed)).toBe('malformed'));

  test('is written in seconds, or in milliseconds if the appliance uses those', () => {
    const day = Date.UTC(2027, 2, 31);
    expect(endOfLifeFor(day, [])).toBe(day / 1_000);
    expect(endOfLifeFor(day, [member(0), member(1_893_456_000)])).toBe(day / 1_000);
    expect(endOfLifeFor(day, [member(1_893_456_000_000)])).toBe(day);
  });

  test('"never" is only written as the appliance itself does', () => {
    expect(endOfLifeFor('never', [member(0)])).toBe(0);
    expect(endOfLifeFor('never', [member(1_893_456_000)])).toBeUndefined();
  });

  test('that is no number is shown as written', () => {
    expect(plainText(untilText({ fields: { EndOfLife: 'unlimited' } }))).toBe('unlimited');
    expect(plainText(untilText({ fields: {} }))).toBe('not reported');
    expect(plainText(untilText(member(0)))).toBe('no end');
    expect(plainText(untilText(member(1_893_456_000), Date.UTC(2031, 0)))).toBe(
      '2030-01-01T00:00:00.000Z, in the past',
    );
  });
});
