import { describe, expect, test } from 'vitest';
import {
  alarm,
  emergencyUnit,
  enabled,
  minute,
  over,
  type Replica,
  reminder,
  settle,
} from '../../../test/emergency-unit.ts';
import { standsStill } from '../../../test/gate.ts';

describe('a clock that has jumped', () => {
  test('by hours finds what is to end, and ends it once, without a reminder of it', async () => {
    const { unit, bot } = await enabled();
    await bot.pass(7 * 60);
    expect([unit.gate.mode, unit.ends()]).toEqual(['normal', 1]);
    expect([unit.count(reminder), unit.count(over)]).toEqual([0, 1]);
    expect(unit.told().find((one) => over.test(one))).toMatch(/, 7 h; planned until /);
  });

  test('makes up for no tries: one, and the next in its time', async () => {
    const { unit, bot } = await enabled();
    unit.gate.orders = 'forgotten';
    await bot.pass(30);
    await bot.pass(24 * 60);
    expect(await bot.timedChange()).toMatchObject({ tries: 2, nextTryAt: unit.clock.at + 2 * minute });
  });

  test('back ends nothing early, and forgets nothing', async () => {
    const { unit, bot } = await enabled();
    await bot.pass(-60);
    expect(unit.gate.mode).toBe('emergency');
    await bot.pass(90);
    expect(unit.gate.mode).toBe('normal');
  });
});

describe('two replicas that look at the same moment', () => {
  test('remind, end and report once', async () => {
    const { unit, bot } = await enabled();
    const other = await unit.start();
    for (const minutes of [25, 5, 1, 60]) {
      unit.clock.at += minutes * minute;
      await Promise.all([bot.tick(), other.tick()]);
    }
    expect([
      unit.count(/^Reminder no longer needed: Emergency mode on hq\.$/),
      unit.ends(),
      unit.count(over),
    ]).toEqual([1, 1, 1]);
    expect(unit.seen.twice).toEqual([]);
  });

  test('count one failure between them, and call everybody once', async () => {
    const { unit, bot } = await enabled();
    const other = await unit.start();
    unit.gate.orders = 'forgotten';
    unit.clock.at += 30 * minute;
    await Promise.all([bot.tick(), other.tick()]);
    expect(await bot.timedChange()).toMatchObject({ tries: 1, orders: 1 });
    expect([unit.count(alarm), unit.called(alarm).length]).toEqual([1, 3]);
  });

  test('leave what has not arrived to the one that sends it: it ends when its order has', async () => {
    const unit = await emergencyUnit();
    const [bot, other] = [await unit.start(), await unit.start()];
    const looks: Promise<void>[] = [];
    unit.gate.whileOrdered = async () => {
      unit.gate.whileOrdered = () => undefined;
      unit.clock.at += 2 * minute;
      await other.tick();
      looks.push(bot.tick());
      await settle();
      expect(unit.ends()).toBe(0);
    };
    await bot.enable(1);
    await Promise.all(looks);
    expect([unit.gate.mode, unit.ends()]).toEqual(['normal', 1]);
  });

  test('do not wait for ever for an order of which nothing is heard any more', async () => {
    const unit = await emergencyUnit();
    const [bot, other] = [await unit.start(), await unit.start()];
    const stuck = standsStill(unit.gate, 'whileOrdered');
    void bot.enable(1);
    await stuck;
    unit.gate.mode = 'emergency';
    unit.gate.whileOrdered = () => undefined;
    await other.pass(4);
    expect(unit.ends()).toBe(0);
    await other.pass(1);
    expect([unit.gate.mode, unit.ends()]).toEqual(['normal', 1]);
  });

  test('go on with what the other has claimed and never ended', async () => {
    const { unit, bot } = await enabled();
    const other = await unit.start();
    const stuck = standsStill(unit.gate, 'whileRead');
    unit.clock.at += 30 * minute;
    void bot.tick();
    await stuck;
    unit.gate.whileRead = () => undefined;
    await other.pass(4);
    expect([unit.gate.mode, unit.ends()]).toEqual(['emergency', 0]);
    await other.pass(1);
    expect([unit.gate.mode, unit.ends()]).toEqual(['normal', 1]);
    expect(unit.count(over)).toBe(1);
  });
});

describe('a bot that is started again', () => {
  test.each([
    ['before the end', 10, 20],
    ['at the end', 30, 0],
    ['long after it', 45, 0],
  ])('%s ends it in its time, and reports it once', async (_, down, left) => {
    const { unit } = await enabled();
    unit.clock.at += down * minute;
    const bot = await unit.restart();
    expect(unit.gate.mode).toBe(left > 0 ? 'emergency' : 'normal');
    await bot.pass(left);
    await bot.pass(60);
    expect([unit.gate.mode, unit.ends(), unit.count(over)]).toEqual(['normal', 1, 1]);
  });

  test('does not remind of the same end again', async () => {
    const { unit, bot } = await enabled();
    await bot.pass(25);
    const again = await unit.restart();
    await again.pass(1);
    expect(unit.count(reminder)).toBe(1);
  });

  test('finds the reminder that stands there already, though it was not noted', async () => {
    const { unit, bot } = await enabled();
    const { journal } = bot;
    const dying = await unit.start({
      journal: { ...journal, reminded: () => new Promise(() => undefined) },
    });
    unit.clock.at += 25 * minute;
    void dying.tick();
    await expect.poll(() => unit.count(reminder)).toBe(1);
    const again = await unit.restart();
    await again.pass(1);
    expect([unit.count(reminder), unit.seen.twice]).toEqual([1, []]);
    expect(await again.timedChange()).toMatchObject({ reminder: { message: expect.any(String) } });
  });

  test('goes on with what could not be ended, in its time, and calls everybody once more', async () => {
    const { unit, bot } = await enabled();
    unit.gate.orders = 'forgotten';
    await bot.pass(30);
    await bot.pass(1);
    expect(await bot.timedChange()).toMatchObject({ tries: 2 });
    const again = await unit.restart();
    await again.pass(1);
    expect(unit.ends()).toBe(2);
    await again.pass(1);
    expect(await again.timedChange()).toMatchObject({ tries: 3, orders: 3 });
    expect(unit.called(alarm)).toHaveLength(6);
    unit.gate.orders = 'done';
    await again.pass(5);
    expect(unit.gate.mode).toBe('normal');
  });

  test('looks again where it died with its order under way, which nobody else waits for then', async () => {
    const { unit, bot } = await enabled();
    const stuck = standsStill(unit.gate, 'whileOrdered');
    unit.clock.at += 30 * minute;
    void bot.tick();
    await stuck;
    unit.gate.whileOrdered = () => undefined;
    // What was on its way arrives.
    unit.gate.mode = 'normal';
    const again = await unit.restart();
    expect(await again.timedChanges()).toMatchObject([{ state: 'over', orders: 1, ended: { how: 'found' } }]);
    // It was the bot's own order all the same.
    expect(unit.told().find((one) => over.test(one))).toMatch(/\nEnded: automatically: a check at /);
  });

  test('gives up the action that began it and that nobody is at any more, when it is over', async () => {
    const unit = await emergencyUnit();
    const bot = await unit.start();
    const stuck = standsStill(unit.gate, 'whileOrdered');
    void bot.enable(30);
    await stuck;
    unit.gate.whileOrdered = () => undefined;
    const [running] = await bot.journal.recent();
    expect(running?.state).toBe('running');
    const again = await unit.restart();
    await again.pass(30);
    expect(await again.journal.byId(running?.id ?? '')).toMatchObject({
      state: 'unknown',
      outcome: { code: 'over' },
    });
    // Nobody knows whether it was on, so its end was ordered.
    expect(unit.told().at(-1)).toMatch(/^Emergency mode on hq was ended, not verified\.\n/);
  });
});

test('a bot that is being stopped begins nothing more', async () => {
  const { unit, bot } = await enabled();
  bot.stop();
  await bot.pass(45);
  expect([unit.gate.mode, unit.count(reminder)]).toEqual(['emergency', 0]);
});

test.each([
  ['their own order to end it', (bot: Replica) => bot.disable()],
  ['an extension', (bot: Replica) => bot.extend(20)],
])(
  '%s at the very moment of its end: it is ended once, or goes on, and is reported once',
  async (_, does) => {
    const { unit, bot } = await enabled();
    unit.clock.at += 30 * minute;
    await Promise.all([bot.tick(), does(bot)]);
    const isOn = (await bot.timedChange()) !== undefined;
    expect(unit.gate.mode).toBe(isOn ? 'emergency' : 'normal');
    await bot.pass(20);
    expect([unit.gate.mode, unit.count(over)]).toEqual(['normal', 1]);
  },
);
