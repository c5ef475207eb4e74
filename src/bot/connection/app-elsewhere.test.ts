import { describe, expect, test } from 'vitest';
import { stores } from '../../../test/stores.ts';
import { plainText } from '../../handlers/reply.ts';
import type { Journal } from '../../journal/journal.ts';
import { createLog } from '../../telemetry/log.ts';
import { createAppWatch } from './app-elsewhere.ts';

const minute = 60_000;

function watching(journal: Journal) {
  const told: string[] = [];
  const lines: unknown[] = [];
  const clock = { at: 0 };
  const hear = createAppWatch({
    journal,
    tellAdmins: async ({ headline }) => void told.push(plainText(headline)),
    log: createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) }),
    elapsed: () => clock.at,
  });
  return {
    told,
    others: () => lines.map((line) => Object(line).others ?? 0),
    /** After this time, a connection opens, and Slack reports these counts. */
    hello: async (after: number, all: number, open: number, closing = 0) => {
      clock.at += after;
      await hear({ all, open, closing });
    },
  };
}

describe.each(stores)('in $store, other connections with the same app', ({ newPlace, open }) => {
  test('are reported at the first hello if there are many, to the admins once, and again when they are gone', async () => {
    const { hello, told, others } = watching(await open());
    await hello(0, 10, 1);
    expect(others()).toEqual([9]);
    expect(told).toEqual([
      '⚠️ Other programs are connected to Slack with the same app: 9 connections beside those of this bot. Slack gives them a part of what people type, and this bot never sees it.',
    ]);
    await hello(minute, 10, 2);
    await hello(minute, 10, 2);
    expect(others()).toEqual([9, 8]);
    expect(told).toHaveLength(1);
    await hello(minute, 2, 2);
    expect(others()).toEqual([9, 8, 0]);
    expect(told[1]).toMatch(/^No other program is connected to Slack with the same app any more/);
  });

  test('are reported a minute later if there is only one, and not before', async () => {
    const { hello, told, others } = watching(await open());
    await hello(0, 2, 1);
    expect(others()).toEqual([]);
    await hello(minute, 3, 2);
    expect(others()).toEqual([1]);
    expect(told).toHaveLength(1);
  });

  test('are not reported if an earlier process left them behind', async () => {
    const { hello, told, others } = watching(await open());
    await hello(0, 3, 1);
    await hello(minute, 2, 2);
    expect([...others(), ...told]).toEqual([]);
  });

  test('are not reported if they were just renewed and are still counted', async () => {
    const { hello, told, others } = watching(await open());
    await hello(0, 1, 1);
    for (let renewals = 0; renewals < 5; renewals += 1) await hello(5 * 60 * minute, 3, 2, 1);
    expect([...others(), ...told]).toEqual([]);
  });

  test('are reported as gone after a restart', async () => {
    const place = await newPlace();
    const before = watching(await open(place));
    await before.hello(0, 10, 1);
    const { hello, told } = watching(await open(place));
    await hello(0, 1, 1);
    await hello(minute, 2, 2);
    expect(told).toHaveLength(1);
  });
});

const [, postgres] = stores;
test('connections of replicas on the same journal are not reported in any order, while strangers beside them are, once', async () => {
  const place = await postgres?.newPlace();
  const journals = await Promise.all(
    ['one', 'two', 'three'].map((name) => postgres?.open(place, { at: 1_000 }, name)),
  );
  const replicas = journals.flatMap((journal) => journal ?? []);
  // Each announces itself before it connects.
  for (const journal of replicas) await journal.heartbeat();
  const [one, two, three] = replicas.map(watching);
  // A rolling update: all connect within a second, in any order.
  await Promise.all([one?.hello(0, 3, 1), two?.hello(0, 2, 1), three?.hello(0, 1, 1)]);
  await Promise.all([one?.hello(minute, 6, 2), two?.hello(minute, 6, 2), three?.hello(minute, 6, 2)]);
  expect(
    [one, two, three].flatMap((replica) => [...(replica?.others() ?? []), ...(replica?.told ?? [])]),
  ).toEqual([]);
  // One leaves, and a stranger opens four.
  await replicas[2]?.leave();
  await one?.hello(minute, 8, 2);
  await two?.hello(minute, 8, 2);
  await one?.hello(minute, 8, 2);
  await two?.hello(minute, 8, 2);
  expect([one?.others(), two?.others()]).toEqual([[4], [4]]);
  expect([...(one?.told ?? []), ...(two?.told ?? [])]).toHaveLength(1);
});
