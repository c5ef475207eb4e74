import { expect, test } from 'vitest';
import { row } from './measurement.ts';
import { table } from './table.ts';

test('a target is a factor or a surplus, and a row that misses it says so', () => {
  const rows = [
    row('Twice', 'ms', 2, { whom: 'one', value: 1 }, { ratio: 1.5 }),
    row('Half', '/s', 1, { whom: 'two', value: 2 }, { atLeast: 0.85 }),
    row('Little more', 'MB', 140, { whom: 'a hundred', value: 100 }, { more: 40 }),
    row('Enough', '/s', 12, { whom: 'three', value: 30 }, { least: 10 }),
  ];
  expect(rows.map(({ met }) => met)).toEqual([false, false, true, true]);
  expect(table(rows)).toMatch(/Twice .* 2\.00 +≤ 1\.50 +MISSED/);
  expect(table(rows)).toMatch(/Half .* 0\.50 +≥ 0\.85 +MISSED/);
  expect(table(rows)).toMatch(/Little more .* 1\.40 +≤ \+40 MB +met/);
  expect(table(rows)).toMatch(/Enough .* 0\.40 +≥ 10 \/s +met/);
});

test('a measurement that gave no figure is an error and not a target that is met', () => {
  expect(() => row('Nothing', 'ms', Number.NaN, { whom: 'one', value: 1 }, { ratio: 1.5 })).toThrow(
    RangeError,
  );
});
