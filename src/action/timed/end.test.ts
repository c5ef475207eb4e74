import { describe, expect, test } from 'vitest';
import {
  alarm,
  type EmergencyUnit,
  emergencyUnit,
  enabled,
  minute,
  over,
  type Replica,
} from '../../../test/emergency-unit.ts';
import type { Gate } from '../../../test/gate.ts';
import { absentAppliance } from '../../api/index.ts';
import { disable } from '../../handlers/emergency/emergency.commands.ts';

const alarms = ({ told }: EmergencyUnit) => told().filter((one) => alarm.test(one));
const everybody = ['U0BOB', 'U0CAROL', 'U0DANA'];

/** Enabled for half an hour, which are over but for the look at the clock; the appliance is as it is turned then. */
async function atItsEnd(turned: Partial<Gate> = {}): Promise<{ unit: EmergencyUnit; bot: Replica }> {
  const { unit, bot } = await enabled();
  unit.clock.at += 30 * minute;
  Object.assign(unit.gate, turned);
  return { unit, bot };
}

describe('one try to end it', () => {
  test('sees that it is over already, and orders nothing', async () => {
    const { unit, bot } = await atItsEnd({ mode: 'normal' });
    await bot.tick();
    expect(await bot.timedChanges()).toMatchObject([{ state: 'over', orders: 0, ended: { how: 'found' } }]);
    expect(unit.ends()).toBe(0);
  });

  test.each<[string, Partial<Gate>, RegExp]>([
    [
      'whose order is taken and not carried out',
      { orders: 'forgotten' },
      /hq accepted the order. It is not visible yet: State read back: it is still on\./,
    ],
    ['whose order is refused', { orders: 'refused' }, /Feature not enabled/],
    ['whose order does not arrive', { orders: 'unreachable' }, /it couldn’t be turned off\. .*hq/],
    [
      'after which nothing can be read',
      { reads: 'failing' },
      /The request was sent, and its result couldn’t be read back\. .*HTTP 503/,
    ],
    [
      'in which nothing answers',
      { reads: 'unreachable', orders: 'unreachable' },
      /it couldn’t be turned off\./,
    ],
    [
      'in which nothing answers',
      { reads: 'unreachable', orders: 'unreachable' },
      /it couldn’t be turned off\./,
    ],
    ['behind Global Emergency', { mode: 'global' }, /is in Global Emergency, which it entered automatically/],
  ])(
    '%s has failed: it is on, that is told with the reason, and it is tried again',
    async (_, turned, why) => {
      const { unit, bot } = await atItsEnd(turned);
      await bot.tick();
      const timedChange = await bot.timedChange();
      expect(timedChange).toMatchObject({ state: 'ending', tries: 1, nextTryAt: unit.clock.at + minute });
      expect(alarms(unit)).toHaveLength(1);
      expect(alarms(unit)[0]).toMatch(why);
      expect(unit.headline()).toBe('Emergency mode on hq couldn’t be turned off. Retrying');
      expect(unit.told().some((one) => over.test(one))).toBe(false);
      Object.assign(unit.gate, { mode: 'emergency', orders: 'done', reads: 'answered' });
      await bot.pass(1);
      expect([unit.gate.mode, (await bot.timedChanges())[0]?.state]).toEqual(['normal', 'over']);
    },
  );

  test('whose answer is lost is over, when reading back shows it', async () => {
    const { unit, bot } = await atItsEnd({ orders: 'lost' });
    await bot.tick();
    expect(await bot.timedChanges()).toMatchObject([{ state: 'over', tries: 0, ended: { how: 'ended' } }]);
    expect(unit.ends()).toBe(1);
  });

  test('orders it although nothing can be read before, and believes what it reads after', async () => {
    const { unit, bot } = await atItsEnd({ reads: 'failing' });
    unit.gate.whileOrdered = () => {
      unit.gate.reads = 'answered';
    };
    await bot.tick();
    expect(unit.ends()).toBe(1);
    expect(await bot.timedChanges()).toMatchObject([{ state: 'over', ended: { how: 'ended' } }]);
  });

  test('takes an appliance that is slow to let go for what it is: it looks again for some seconds', async () => {
    const { unit, bot } = await atItsEnd();
    let reads = 0;
    unit.gate.orders = 'forgotten';
    unit.gate.whileRead = () => {
      reads += 1;
      // Two questions a look: one before the order, and three after it.
      if (reads > 6) unit.gate.mode = 'normal';
    };
    await bot.tick();
    expect(await bot.timedChanges()).toMatchObject([{ state: 'over', tries: 0, orders: 1 }]);
  });

  test('what was never seen is not taken for over because a broken directory hides it; what was seen is', async () => {
    const hidden: Partial<Gate> = { isNamed: false, orders: 'forgotten' };
    const seen = await atItsEnd(hidden);
    await seen.bot.tick();
    expect(await seen.bot.timedChanges()).toMatchObject([{ state: 'over', ended: { how: 'found' } }]);
    const unit = await emergencyUnit();
    const bot = await unit.start();
    Object.assign(unit.gate, { isConnected: false, isNamed: false });
    expect(await bot.enable(30)).toBe('done');
    expect(await bot.timedChange()).toMatchObject({ seen: false });
    await bot.pass(30);
    expect(alarms(unit)[0]).toContain('Couldn’t determine whether it is on: the directory is not connected');
    expect(await bot.timedChange()).toMatchObject({ state: 'ending', tries: 1 });
  });

  test('that breaks by a mistake of ours counts as failed, is told, and is made again', async () => {
    const { unit, bot } = await atItsEnd();
    unit.gate.whileRead = () => {
      throw new TypeError('a mistake');
    };
    await expect(bot.tick()).rejects.toThrow('a mistake');
    expect(await bot.timedChange()).toMatchObject({
      state: 'ending',
      tries: 1,
      lastProblem: 'An internal error occurred.',
    });
    expect(alarms(unit)).toHaveLength(1);
    unit.gate.whileRead = () => undefined;
    await bot.pass(1);
    expect(unit.gate.mode).toBe('normal');
  });

  test('orders nothing that somebody has ended while it was looked at', async () => {
    const { unit, bot } = await atItsEnd();
    const [timedChange] = await bot.timedChanges();
    unit.gate.whileRead = async () => {
      await bot.journal.endTimedChange(timedChange?.id ?? 0, {
        how: 'confirmed',
        person: 'U0BEN',
        says: 'seen',
      });
    };
    await bot.tick();
    expect(unit.ends()).toBe(0);
    expect(await bot.timedChanges()).toMatchObject([{ state: 'over', ended: { person: 'U0BEN' } }]);
    expect(unit.told().filter((one) => over.test(one))).toHaveLength(1);
  });
});

describe('an end that goes on failing', () => {
  test('is tried after 1, 2, 4, 8, 16, 32 minutes and then with every hour, and never given up', async () => {
    const { unit, bot } = await atItsEnd({ orders: 'forgotten' });
    const pauses: number[] = [];
    for (let tries = 1; tries <= 10; tries += 1) {
      await bot.tick();
      const { tries: failures = 0, nextTryAt = 0 } = (await bot.timedChange()) ?? {};
      expect([failures, unit.ends()]).toEqual([tries, tries]);
      pauses.push((nextTryAt - unit.clock.at) / minute);
      unit.clock.at = nextTryAt - 1;
      await bot.tick();
      expect(unit.ends()).toBe(tries);
      unit.clock.at += 1;
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60, 60]);
    unit.gate.orders = 'done';
    await bot.tick();
    const report = unit.told().find((one) => over.test(one));
    expect(report).toMatch(/\nEnded: automatically at .*, after 10 tries that failed\n/);
  });

  test('calls everybody concerned in person with the first try and from the hourly ones on, and the channel with them', async () => {
    const { unit, bot } = await atItsEnd({ orders: 'forgotten' });
    const called: number[] = [];
    for (let tries = 1; tries <= 8; tries += 1) {
      await bot.tick();
      called.push(unit.called(alarm).length);
      unit.clock.at = (await bot.timedChange())?.nextTryAt ?? 0;
    }
    expect(called).toEqual([3, 3, 3, 3, 3, 3, 6, 9]);
    expect(unit.called(alarm).slice(0, 3).toSorted()).toEqual(everybody);
    const loud = unit.seen.thread.filter(({ said }) => said.details?.some(({ kind }) => kind === 'buttons'));
    expect(loud.map(({ isLoud }) => isLoud)).toEqual([true, false, false, false, false, false, true, true]);
    expect(alarms(unit)[1]).toContain('This was try 2.');
  });

  test('calls those again who could not be told, and nobody else', async () => {
    const { unit, bot } = await atItsEnd({ orders: 'forgotten' });
    unit.shut.add('people');
    await bot.tick();
    expect(unit.called(alarm)).toEqual([]);
    unit.shut.clear();
    await bot.pass(1);
    expect(unit.called(alarm).toSorted()).toEqual(everybody);
    await bot.pass(2);
    expect(unit.called(alarm)).toHaveLength(3);
  });

  test('is told in person with every try while the channel takes nothing', async () => {
    const { unit, bot } = await atItsEnd({ orders: 'forgotten' });
    unit.shut.add('channel');
    await bot.tick();
    await bot.pass(1);
    expect(unit.called(alarm)).toHaveLength(6);
  });

  test('is tried at once when somebody has tried in vain, or has made the way free', async () => {
    const { unit, bot } = await atItsEnd({ mode: 'global' });
    await bot.tick();
    expect(alarms(unit)[0]).toContain('/appliance emergency remove');
    expect(await bot.disable()).toContain('is in Global Emergency');
    expect(await bot.timedChange()).toMatchObject({ tries: 1 });
    expect(await bot.remove()).toBe('done');
    expect(unit.gate.mode).toBe('normal');
    expect(await bot.timedChanges()).toMatchObject([{ state: 'over', ended: { how: 'ended' }, tries: 1 }]);
    const { unit: other, bot: again } = await atItsEnd({ orders: 'forgotten' });
    await again.tick();
    expect(await again.disable()).toBe('unknown');
    expect([other.ends(), (await again.timedChange())?.tries]).toEqual([3, 2]);
  });

  test('calls the alarm off when it is over, in the channel and with everybody who was called', async () => {
    const { unit, bot } = await atItsEnd({ orders: 'forgotten' });
    await bot.tick();
    unit.gate.orders = 'done';
    await bot.pass(1);
    expect(unit.called(/is over\.$/).toSorted()).toEqual(everybody);
    const report = unit.seen.thread.at(-1);
    expect([report?.isLoud, unit.told().at(-1)]).toEqual([true, expect.stringMatching(over)]);
  });
});

describe('the word of somebody who has looked', () => {
  const says = 'looked at the web console';

  test('ends it in their name where it cannot be seen, and nothing is ordered any more', async () => {
    const { unit, bot } = await atItsEnd({ mode: 'global' });
    await bot.tick();
    expect(await bot.confirmOver(says, { by: 'U0BEN' })).toBe('done');
    expect(await bot.timedChanges()).toMatchObject([
      { state: 'over', ended: { how: 'confirmed', person: 'U0BEN', says } },
    ]);
    const report = unit.told().find((one) => over.test(one));
    expect(report).toMatch(
      /\nEnded: confirmed manually by U0BEN at .*: looked at the web console\nVerified: no: the appliance couldn’t confirm it/,
    );
    const before = unit.ends();
    for (let hours = 0; hours < 3; hours += 1) await bot.pass(60);
    expect(unit.ends()).toBe(before);
  });

  test('counts for nothing while the appliance says that it is on', async () => {
    const { unit, bot } = await atItsEnd({ orders: 'forgotten' });
    await bot.tick();
    expect(await bot.confirmOver(says)).toMatch(/it is still on\. .*Retrying continues\./);
    expect(await bot.timedChange()).toMatchObject({ state: 'ending' });
    unit.gate.reads = 'unreachable';
    expect(await bot.confirmOver(says)).toBe('done');
  });

  test('is not asked for before its time, nor where nothing is to be ended', async () => {
    const unit = await emergencyUnit();
    const bot = await unit.start();
    expect(await bot.confirmOver(says)).toContain(
      'Appliance Bot is not trying to end an emergency mode on hq.',
    );
    await bot.enable(30);
    expect(await bot.confirmOver(says)).toContain('The emergency mode on hq has time left.');
    expect(await bot.timedChange()).toMatchObject({ state: 'on' });
  });
});

describe('what was begun before the bot was changed', () => {
  test('on an appliance that has left the configuration is told again and again, and ordered nothing, until somebody has seen it over', async () => {
    const { unit } = await atItsEnd();
    const appliances = new Map([['hq', absentAppliance('hq')]]);
    const bot = await unit.restart({ appliances });
    expect(alarms(unit)[0]).toContain('hq is no longer in the bot’s configuration');
    await bot.pass(1);
    await bot.pass(2);
    expect(alarms(unit)).toHaveLength(3);
    expect(unit.ends()).toBe(0);
    expect(await bot.timedChange()).toMatchObject({ orders: 0 });
    expect(await bot.confirmOver('it was sold', { by: 'U0BEN' })).toBe('done');
    await bot.pass(60);
    // Those that stood there say that it is over, and no other has come.
    expect(alarms(unit)).toEqual([]);
  });

  test('by a command that is not known any more is told, so that people end it', async () => {
    const { unit } = await atItsEnd();
    const commandByPhrase = new Map([[disable.phrase, disable]]);
    const bot = await unit.restart({ commandByPhrase });
    expect(alarms(unit)[0]).toContain(
      'This version of the bot doesn’t know how to end it. End it on the appliance.',
    );
    expect(await bot.timedChange()).toMatchObject({ state: 'ending', tries: 1 });
    expect(unit.called(alarm).toSorted()).toEqual(['U0BOB', 'U0CAROL', 'U0DANA']);
  });
});
