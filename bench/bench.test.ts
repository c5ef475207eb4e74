import { expect, test } from 'vitest';
import { measureAudit } from './audit.ts';
import { measureAsking } from './client/asking.ts';
import { measureBulk } from './client/bulk.ts';
import { measureReading } from './client/reading.ts';
import { measureDeciding } from './deciding.ts';
import { row } from './measurement.ts';
import { table } from './table.ts';
import { measureWholeWay } from './whole-way.ts';
import { measureWrites } from './writes.ts';

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

test('the client is measured beside others with real answers', async () => {
  const rows = await measureAsking({ rounds: 1, requests: 32, warmUp: 16 });
  expect(rows.map(({ against }) => against.whom)).toEqual([
    'undici and JSON.parse',
    'got, checks by hand',
    'axios, checks by hand',
  ]);
  for (const { bot, against, ratio } of rows) expect(ratio).toBeCloseTo(bot / against.value);
});

test('adding in bulk is measured with every site handed over and every chunk told', async () => {
  const [memory, time] = await measureBulk({ rounds: 1, sites: 1_200 });
  expect(memory).toMatchObject({ unit: 'MB', target: { more: 30 } });
  expect(time).toMatchObject({ unit: 'ms' });
});

test('reading is measured on the whole list', async () => {
  const [row] = await measureReading({ rounds: 1, warmUp: 1, objects: 20 });
  expect(row).toMatchObject({ what: 'Reading 20 objects, 200 records', target: { ratio: 2 } });
});

test('deciding is measured on questions that both ways answer alike, each kind with its median and its slow ones', async () => {
  const rows = await measureDeciding({
    rounds: 1,
    warmUp: 1,
    questions: 20,
    channels: 10,
    groups: 5,
    people: 100,
  });
  expect(rows.map(({ what }) => what)).toEqual([
    'Deciding, allowed: median',
    'Deciding, allowed: 99 of 100 within',
    'Deciding, refused with the way out: median',
    'Deciding, refused with the way out: 99 of 100 within',
  ]);
  for (const { unit, target } of rows) expect({ unit, target }).toEqual({ unit: 'µs', target: { most: 50 } });
});

test('a long journal is measured with every record found, verified and started on', async () => {
  const rows = await measureAudit({ actions: 3_000, questions: 20, sample: 20, verifications: 1, starts: 1 });
  expect(rows.map(({ unit, target }) => ({ unit, target }))).toEqual([
    { unit: 'ms', target: { most: 30 } },
    { unit: '/s', target: { least: 100_000 } },
    { unit: 'ms', target: { ratio: 1.2 } },
  ]);
});

test('durable inserts are measured beside bare ones', async () => {
  const [inserts] = await measureWrites({ rounds: 1, rows: 10, warmUp: 5 });
  expect(inserts).toMatchObject({
    unit: '/s',
    against: { whom: 'bare node:sqlite' },
    target: { atLeast: 0.5 },
  });
});
