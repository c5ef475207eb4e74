import { expect, test } from 'vitest';
import { measureAudit } from '../../bench/audit.ts';
import { measureAsking } from '../../bench/client/asking.ts';
import { measureBulk } from '../../bench/client/bulk.ts';
import { measureReading } from '../../bench/client/reading.ts';
import { measureCrowd } from '../../bench/crowd.ts';
import { measureDeciding } from '../../bench/deciding.ts';
import { measureGrown } from '../../bench/grown/measure.ts';
import { measureLosses } from '../../bench/losses.ts';
import { measureMatching } from '../../bench/matching.ts';
import { measureWatching } from '../../bench/watching.ts';
import { measureWholeWay } from '../../bench/whole-way.ts';
import { measureWrites } from '../../bench/writes.ts';

test('the slash command and the mention are taken with real answers, and each comes out as a row with a ratio', async () => {
  const rows = await measureWholeWay({
    rounds: 1,
    commands: 3,
    perSecond: 20,
    warmUp: 1,
    channels: 4,
  });
  expect(rows.map(({ what }) => what)).toEqual(['Whole way, median', 'Whole way of a mention, median']);
  for (const one of rows) {
    expect(one).toMatchObject({ unit: 'ms', target: { ratio: 1.3 }, against: { whom: 'bare Bolt app' } });
    expect(one.ratio).toBeCloseTo(one.bot / one.against.value);
  }
});

test('watching is measured with metrics that were read and traces that were taken', async () => {
  const rows = await measureWatching({ starts: 1, rounds: 1, commands: 60, perSecond: 20, memoryAfter: 20 });
  expect(rows.map(({ what, unit }) => `${what}: ${unit}`)).toEqual([
    'Start, watched: ms',
    'Acknowledgement, watched, median: ms',
    'Acknowledgement, watched, p99: ms',
    'Resident memory, watched: MB',
  ]);
  for (const { bot, against, ratio } of rows) expect(ratio).toBeCloseTo(bot / against.value);
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

test('matching is measured on the examples of all commands, beside expressions that fit them and itself with ten times as many', async () => {
  const [once, tenfold, unknown, unknownTenfold] = await measureMatching({ rounds: 1, warmUp: 0 });
  expect(once).toMatchObject({ unit: 'µs', target: { most: 20 } });
  expect(tenfold).toMatchObject({ unit: 'µs', target: { ratio: 1.3 } });
  expect(unknown).toMatchObject({ unit: 'ms', target: { most: 2 } });
  expect(unknownTenfold).toMatchObject({ unit: 'ms', target: { most: 10 } });
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

test('a grown journal is measured on both stores, with every line answered, and looked after meanwhile', async () => {
  const hour = 60 * 60_000;
  const rows = await measureGrown({
    actions: 1_500,
    every: hour,
    few: 300,
    rounds: 1,
    more: 3,
    pruned: 10,
    calmFor: 1_000,
  });
  for (const store of ['SQLite', 'PostgreSQL']) {
    const own = rows.filter(({ what }) => what.startsWith(`${store}: `));
    expect(own.map(({ what }) => what)).toEqual(
      expect.arrayContaining([
        `${store}: start until connected`,
        `${store}: audit today`,
        `${store}: Home`,
        `${store}: /metrics`,
        `${store}: acknowledgement, p99, while it is verified`,
        `${store}: acknowledgement, p99, while records are deleted`,
      ]),
    );
    for (const { bot, against, ratio } of own) expect(ratio).toBeCloseTo(bot / against.value);
  }
});

test('durable inserts are measured beside bare ones', async () => {
  const [inserts] = await measureWrites({ rounds: 1, rows: 10, warmUp: 5 });
  expect(inserts).toMatchObject({
    unit: '/s',
    against: { whom: 'bare node:sqlite' },
    target: { atLeast: 0.5 },
  });
});

test('a crowd at one button is measured on three replicas, with every answer counted', async () => {
  const [rounds, told] = await measureCrowd({ rounds: 2, people: 8 });
  expect(rounds).toMatchObject({ bot: 2, against: { whom: 'all rounds', value: 2 }, target: { atLeast: 1 } });
  expect(told).toMatchObject({ unit: 'ms', against: { whom: 'one late click alone' } });
});

test('losses are measured on three replicas of which one is killed, with every command, order and action counted', async () => {
  const [rate, answered, orders, actions] = await measureLosses({
    wanted: 10,
    perSecond: 10,
    seconds: 3,
    killEvery: 2,
    channels: 30,
    people: 10,
    branches: 1,
  });
  expect(rate).toMatchObject({ unit: '/s', against: { value: 10 } });
  expect(answered).toMatchObject({ unit: 'commands', target: { atLeast: 1 } });
  expect(orders).toMatchObject({ unit: 'orders', ratio: 1 });
  expect(actions).toMatchObject({ unit: 'actions', ratio: 1 });
});
