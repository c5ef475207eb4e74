import { expect, test } from 'vitest';
import type { Caller } from '../../caller.ts';
import { createLines, type Turn } from './lines.ts';

const alice: Caller = { person: 'alice', priority: 'low' };
const bob: Caller = { person: 'bob', priority: 'low' };
const carol: Caller = { person: 'carol', priority: 'high' };

/** Lines on a clock that the test turns, and who went when it was their turn. */
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
        // A little more than a second, as long as the next one has to wait.
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

test('a burst goes at once, and then one a second, in turn among people', async () => {
  const { wait, seconds } = start();
  for (let message = 0; message < 9; message += 1) void wait(alice);
  expect(await seconds(0)).toBe(Array(5).fill('alice').join(' '));
  void wait(bob);
  expect(await seconds(3)).toBe('alice bob alice');
});

test('a change goes before every lookup, also those that were there before it', async () => {
  const { wait, seconds } = start();
  for (let message = 0; message < 30; message += 1) void wait(alice);
  await seconds(0);
  void wait(carol);
  expect(await seconds(2)).toBe('carol alice');
});

test('of many changes, every fourth lets a lookup pass', async () => {
  const { wait, seconds } = start();
  for (let message = 0; message < 12; message += 1) void wait(alice);
  await seconds(0);
  for (let message = 0; message < 8; message += 1) void wait(carol);
  expect(await seconds(8)).toBe('carol carol carol alice carol carol carol alice');
});

test('where there is no room, what one person has too much of gives way to somebody else’s first', async () => {
  const { wait, went, seconds } = start();
  for (let message = 0; message < 45; message += 1) void wait(alice);
  await seconds(0);
  expect(went.length).toBe(0);
  void wait(bob);
  expect(await seconds(2)).toBe('alice too_late alice bob');
});

test('what nobody wants any more takes nobody’s place', async () => {
  const { wait, seconds } = start();
  let isWanted = true;
  for (let message = 0; message < 5; message += 1) void wait(alice);
  void wait(alice, () => isWanted);
  void wait(bob);
  await seconds(0);
  isWanted = false;
  expect(await seconds(1)).toBe('alice not_wanted bob');
});

test('what cannot go within half a minute is told so at once, and the channel is open when Slack has said', async () => {
  const { wait, lines, seconds } = start();
  lines.hold('C1', 40_000);
  void wait(alice);
  expect(await seconds(0)).toBe('alice too_late');
  await seconds(15);
  void wait(alice);
  expect(await seconds(20)).toBe('');
  expect(await seconds(3)).toBe('alice');
});

test('a hold that comes while somebody waits counts for them, too', async () => {
  const { wait, lines, seconds } = start();
  for (let message = 0; message < 6; message += 1) void wait(alice);
  await seconds(0);
  lines.hold('C1', 5_000);
  expect(await seconds(4)).toBe('');
  expect(await seconds(3)).toBe('alice');
});
