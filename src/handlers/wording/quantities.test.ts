import { describe, expect, test } from 'vitest';
import { bytes, duration, number, percent, readDuration } from './quantities.ts';

describe('an amount of bytes', () => {
  test.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1_000, '1 kB'],
    [418_211, '418 kB'],
    [999_499, '999 kB'],
    [999_500, '1 MB'],
    [61_220_000_000, '61.2 GB'],
    [1_413_972_762_624, '1.4 TB'],
    [99_960_000, '100 MB'],
    [5e18, '5,000 PB'],
    [-2_500_000, '-2.5 MB'],
  ])('%d bytes are %s', (amount, said) => {
    expect(bytes(amount)).toBe(said);
  });
});

describe('a share', () => {
  test.each([
    [64.3, '64.3%'],
    [64, '64%'],
    [0, '0%'],
    [100, '100%'],
    [0.0412, '0.04%'],
    [130, '130%'],
  ])('%d percent are %s', (share, said) => {
    expect(percent(share)).toBe(said);
  });

  test('rounds to all or to nothing only if exact', () => {
    expect(percent(99.99)).toBe('99.9%');
    expect(percent(0.001)).toBe('less than 0.01%');
  });
});

describe('a length of time', () => {
  test.each([
    [0, '0 s'],
    [0.41, '410 µs'],
    [350, '350 ms'],
    [999.6, '1 s'],
    [1_849, '1.8 s'],
    [30_000, '30 s'],
    [59_700, '1 min'],
    [125_000, '2 min 5 s'],
    [3_599_900, '1 h'],
    [12_000_000, '3 h 20 min'],
    [86_399_000, '1 day'],
    [25 * 3_600_000, '1 day 1 h'],
    [12.3 * 86_400_000, '12 days 7 h'],
    [-1_849, '-1.8 s'],
  ])('%d ms are %s', (milliseconds, said) => {
    expect(duration(milliseconds)).toBe(said);
  });

  test.each([
    ['295h12m4s', 295 * 3_600_000 + 12 * 60_000 + 4_000],
    ['41.25s', 41_250],
    ['1.5ms', 1.5],
    ['410µs', 0.41],
    ['9 days, 4 hours', 9 * 86_400_000 + 4 * 3_600_000],
    ['3 min 2 secs', 182_000],
    ['0s', 0],
  ])('written as %s is read', (written, milliseconds) => {
    expect(readDuration(written)).toBeCloseTo(milliseconds, 6);
  });

  test.each(['', '12', 'soon', '3 months', '5s later', '2026-01-01', '1e3s', '-4s'])(
    'is not found in %j',
    (written) => {
      expect(readDuration(written)).toBeUndefined();
    },
  );
});

test('a number is grouped in threes', () => {
  expect(number(24_201_331)).toBe('24,201,331');
  expect(number(0.125)).toBe('0.13');
});
