import { expect, test } from 'vitest';
import { createPace } from './pace.ts';

/** A pace with a clock that the test turns. */
function start(burst: number, perSecond: number) {
  const clock = { at: 1_000_000 };
  return { clock, pace: createPace(burst, perSecond, () => clock.at) };
}

const times = (count: number, wait: () => number): number[] => Array.from({ length: count }, wait);

test('a burst goes out at once, then one a second', () => {
  const { pace } = start(3, 1);
  expect(times(6, () => pace.wait('C1'))).toEqual([0, 0, 0, 1_000, 2_000, 3_000]);
});

test('what waited long enough goes out at once again, one for each second', () => {
  const { pace, clock } = start(3, 1);
  times(3, () => pace.wait('C1'));
  clock.at += 2_000;
  expect(times(3, () => pace.wait('C1'))).toEqual([0, 0, 1_000]);
});

test('a long silence saves up no more than one burst', () => {
  const { pace, clock } = start(3, 1);
  pace.wait('C1');
  clock.at += 3_600_000;
  expect(times(4, () => pace.wait('C1'))).toEqual([0, 0, 0, 1_000]);
});

test('over a minute of asking all the time, about one a second goes out', () => {
  const { pace, clock } = start(10, 1);
  const from = clock.at;
  let sent = 0;
  while (clock.at < from + 60_000) {
    clock.at += pace.wait('C1');
    sent += 1;
  }
  expect(sent).toBeGreaterThanOrEqual(69);
  expect(sent).toBeLessThanOrEqual(71);
});

test('another rate is kept too', () => {
  const { pace } = start(1, 4);
  expect(times(4, () => pace.wait('C1'))).toEqual([0, 250, 500, 750]);
});

test('a thousand channels do not disturb one another', () => {
  const { pace } = start(2, 1);
  for (let round = 0; round < 2; round += 1) {
    for (let channel = 0; channel < 1_000; channel += 1) expect(pace.wait(`C${channel}`)).toBe(0);
  }
  times(50, () => pace.wait('C0'));
  expect(pace.wait('C1')).toBe(1_000);
});

test('on hold nothing goes to this channel, and to others it does', () => {
  const { pace, clock } = start(3, 1);
  pace.hold('C1', 30_000);
  const wait = pace.wait('C1');
  expect(wait).toBeGreaterThanOrEqual(30_000);
  expect(wait).toBeLessThanOrEqual(31_000);
  expect(pace.wait('C2')).toBe(0);
  clock.at += 30_000;
  expect(pace.wait('C1')).toBeLessThanOrEqual(2_000);
});

test('a short hold does not shorten a long one', () => {
  const { pace } = start(3, 1);
  pace.hold('C1', 30_000);
  pace.hold('C1', 1_000);
  expect(pace.wait('C1')).toBeGreaterThanOrEqual(30_000);
});

test('a clock that was ahead and is put right keeps nothing waiting for it', () => {
  const { pace, clock } = start(3, 1);
  clock.at += 86_400_000;
  pace.hold('C1', 30_000);
  times(5, () => pace.wait('C2'));
  clock.at -= 86_400_000;
  expect([pace.wait('C1'), pace.wait('C2')]).toEqual([0, 0]);
});
