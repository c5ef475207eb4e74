import { expect, test } from 'vitest';
import type { Caller } from '../../caller.ts';
import { createLines, type Turn } from './sending.ts';

const alice: Caller = { person: 'alice', priority: 'low' };
const bob: Caller = { person: 'bob', priority: 'low' };
const carol: Caller = { person: 'carol', priority: 'high' };

/** Lines on a clock that the test turns, and the order of sending. */
function start() {
  const clock = { at: 1_000_000 };
  let sleepers: { readonly until: number; readonly wake: () => void }[] = [];
  const lines = createLines({
    now: () => clock.at,
    sleep: (milliseconds) => new Promise((wake) => sleepers.push({ until: clock.at + milliseconds, wake })),
  });
  const went: string[] = [];
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    lines,
    went,
    wait: (caller: Caller, isWanted = () => true): Promise<Turn> => {
      const turn = lines.wait('C1', { caller, isWanted, isFirst: true });
      void turn.then((what) => went.push(what === 'now' ? caller.person : `${caller.person} ${what}`));
      return turn;
    },
    seconds: async (count: number) => {
      await settled();
      for (let second = 0; second < count; second += 1) {
        // A little more than a second, the longest wait of the next one.
        clock.at += 1_111;
        const due = sleepers.filter(({ until }) => until <= clock.at);
        sleepers = sleepers.filter(({ until }) => until > clock.at);
        for (const { wake } of due) wake();
        await settled();
      }
      return went.splice(0).join(' ');
    },
  };
}

test('a burst goes at once, and then one a second, with turns among people', async () => {
  const { wait, seconds } = start();
  for (let message = 0; message < 9; message += 1) void wait(alice);
  expect(await seconds(0)).toBe(Array(5).fill('alice').join(' '));
  void wait(bob);
  expect(await seconds(3)).toBe('alice bob alice');
});

test('a change goes before every lookup, also earlier ones', async () => {
  const { wait, seconds } = start();
  for (let message = 0; message < 30; message += 1) void wait(alice);
  await seconds(0);
  void wait(carol);
  expect(await seconds(2)).toBe('carol alice');
});

test('a lookup passes after every three changes', async () => {
  const { wait, seconds } = start();
  for (let message = 0; message < 12; message += 1) void wait(alice);
  await seconds(0);
  for (let message = 0; message < 8; message += 1) void wait(carol);
  expect(await seconds(8)).toBe('carol carol carol alice carol carol carol alice');
});

test('a full line drops the person with the most messages first', async () => {
  const { wait, went, seconds } = start();
  for (let message = 0; message < 45; message += 1) void wait(alice);
  await seconds(0);
  expect(went.length).toBe(0);
  void wait(bob);
  expect(await seconds(2)).toBe('alice too_late alice bob');
});

test('an obsolete message takes nobody’s place', async () => {
  const { wait, seconds } = start();
  let isWanted = true;
  for (let message = 0; message < 5; message += 1) void wait(alice);
  void wait(alice, () => isWanted);
  void wait(bob);
  await seconds(0);
  isWanted = false;
  expect(await seconds(1)).toBe('alice not_wanted bob');
});

test('a message that cannot go within half a minute is refused at once, and the channel opens when Slack said', async () => {
  const { wait, lines, seconds } = start();
  lines.hold('C1', 40_000);
  void wait(alice);
  expect(await seconds(0)).toBe('alice too_late');
  await seconds(15);
  void wait(alice);
  expect(await seconds(20)).toBe('');
  expect(await seconds(3)).toBe('alice');
});

test('a hold during a wait applies to the waiting messages, too', async () => {
  const { wait, lines, seconds } = start();
  for (let message = 0; message < 6; message += 1) void wait(alice);
  await seconds(0);
  lines.hold('C1', 5_000);
  expect(await seconds(4)).toBe('');
  expect(await seconds(3)).toBe('alice');
});
