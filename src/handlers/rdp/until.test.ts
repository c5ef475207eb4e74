import { describe, expect, test } from 'vitest';
import type { Member } from '../../api/index.ts';
import { plainText } from '../reply.ts';
import { endOfLifeFor, until, untilText } from './until.ts';

const member = (endOfLife: number): Member => ({
  id: 1,
  endOfLife,
  fields: { endoflife: String(endOfLife) },
});
const read = (typed: string) => {
  const reading = until.read(typed);
  return reading.ok ? reading.value : reading.problem.code;
};

describe('until when', () => {
  test.each([
    ['2027-03-31', Date.UTC(2027, 2, 31, 23, 59, 59)],
    ['31.3.2027', Date.UTC(2027, 2, 31, 23, 59, 59)],
    ['2027-03-31T18:00', Date.UTC(2027, 2, 31, 18)],
    ['2027-03-31T18:00:05Z', Date.UTC(2027, 2, 31, 18, 0, 5)],
    ['Never', 'never'],
  ])('%s is understood', (typed, value) => expect(read(typed)).toBe(value));

  test.each([
    '2027-02-31',
    '2027-13-01',
    '31/03/2027',
    '2027-03-31T25:00',
    '1893456000',
    'soon',
    '0001-01-01',
    '',
  ])('%s is no day, and is not made into one', (typed) => expect(read(typed)).toBe('malformed'));

  test('it is written in seconds, or in milliseconds where the appliance has those', () => {
    const day = Date.UTC(2027, 2, 31);
    expect(endOfLifeFor(day, [])).toBe(day / 1_000);
    expect(endOfLifeFor(day, [member(0), member(1_893_456_000)])).toBe(day / 1_000);
    expect(endOfLifeFor(day, [member(1_893_456_000_000)])).toBe(day);
  });

  test('"never" is only written as the appliance itself does', () => {
    expect(endOfLifeFor('never', [member(0)])).toBe(0);
    expect(endOfLifeFor('never', [member(1_893_456_000)])).toBeUndefined();
  });

  test('what is no number is shown as it was written', () => {
    expect(plainText(untilText({ fields: { EndOfLife: 'unlimited' } }))).toBe('unlimited');
    expect(plainText(untilText({ fields: {} }))).toBe('not reported');
    expect(plainText(untilText(member(0)))).toBe('no end');
    expect(plainText(untilText(member(1_893_456_000), Date.UTC(2031, 0)))).toBe(
      '2030-01-01T00:00:00.000Z, which is past',
    );
  });
});
