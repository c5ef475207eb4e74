import { expect, test } from 'vitest';
import { row } from './measurement.ts';
import { table } from './table.ts';
import { measureWholeWay } from './whole-way.ts';

test('both ways are taken with real answers and come out as one row with a ratio', async () => {
  const [whole, ...others] = await measureWholeWay({
    rounds: 1,
    commands: 3,
    perSecond: 20,
    warmUp: 1,
    channels: 4,
  });
  expect(others).toEqual([]);
  expect(whole).toMatchObject({ unit: 'ms', target: { ratio: 1.3 }, against: { whom: 'bare Bolt app' } });
  expect(whole?.ratio).toBeCloseTo((whole?.bot ?? 0) / (whole?.against.value ?? 0));
});

test('a target is a factor or a surplus, and a row that misses it says so', () => {
  const rows = [
    row('Twice', 'ms', 2, { whom: 'one', value: 1 }, { ratio: 1.5 }),
    row('Little more', 'MB', 140, { whom: 'a hundred', value: 100 }, { more: 40 }),
  ];
  expect(rows.map(({ met }) => met)).toEqual([false, true]);
  expect(table(rows)).toMatch(/Twice .* 2\.00 +≤ 1\.50 +MISSED/);
  expect(table(rows)).toMatch(/Little more .* 1\.40 +≤ \+40 MB +met/);
});

test('a measurement that gave no figure is an error and not a target that is met', () => {
  expect(() => row('Nothing', 'ms', Number.NaN, { whom: 'one', value: 1 }, { ratio: 1.5 })).toThrow(
    RangeError,
  );
});
