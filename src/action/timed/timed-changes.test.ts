import { describe, expect, test } from 'vitest';
import { emergencyUnit, enabled, minute, over, reminder } from '../../../test/emergency-unit.ts';
import { shippedEmergency } from '../../auth/policy.ts';

describe('emergency mode', () => {
  test('is ended at its time and not one millisecond before, read back, and reported once', async () => {
    const unit = await emergencyUnit();
    const bot = await unit.start();
    expect(await bot.enable(30)).toBe('done');
    expect(await bot.timedChange()).toMatchObject({ state: 'on', seen: true, orders: 0 });
    expect(unit.headline()).toMatch(/^Emergency mode on hq is on until /);
    unit.clock.at += 30 * minute - 1;
    await bot.tick();
    expect(unit.gate.mode).toBe('emergency');
    expect(unit.gate.ordered.map(({ what }) => what)).toEqual(['enable']);
    unit.clock.at += 1;
    const at = unit.clock.at;
    await bot.tick();
    expect(unit.gate.mode).toBe('normal');
    expect(unit.gate.ordered.at(-1)).toEqual({ what: 'disable', at });
    expect(await bot.timedChanges()).toMatchObject([
      { state: 'over', orders: 1, tries: 0, ended: { how: 'ended', at } },
    ]);
    expect(unit.headline()).toBe('Emergency mode on hq is over');
    for (let hours = 0; hours < 5; hours += 1) await bot.pass(60);
    expect(unit.gate.ordered).toHaveLength(2);
    expect(unit.count(over)).toBe(1);
    expect(unit.seen.twice).toEqual([]);
  });

  test('lasts from when it was approved, not from when it was asked', async () => {
    const unit = await emergencyUnit();
    const bot = await unit.start();
    expect(await bot.enable(30, { approvedBy: 'nobody' })).toBe('waiting');
    unit.clock.at += 10 * minute;
    expect(await bot.timedChange()).toBeUndefined();
    expect(await bot.approve('U0CAROL')).toBe('done');
    expect(await bot.timedChange()).toMatchObject({
      startedAt: unit.clock.at,
      endsAt: unit.clock.at + 30 * minute,
    });
  });

  test('is reported with how long, how it ended and what was seen; who asked, who approved and why stand on its card', async () => {
    const { unit, bot } = await enabled();
    await bot.pass(30);
    const report = unit.told().find((one) => over.test(one));
    expect(report).not.toMatch(/Asked by|Approved by|Reason/);
    expect(unit.cardFields()).toMatchObject({
      Reason: 'directory down',
      'Approved by': expect.stringMatching(/^U0CAROL at /),
    });
    expect(report).toMatch(
      /^Emergency mode on hq is over\.\nTime: from .* to .*, 30 min; planned until .*\nEnded: automatically at /,
    );
    expect(report).toMatch(/\nVerified: yes\. State read back: the proxy authenticates people\./);
    expect(report).toMatch(/\nMeanwhile: no other changes were made there with Appliance Bot$/);
  });

  test('that certainly did not begin has no end, and nothing is said of it', async () => {
    const unit = await emergencyUnit();
    const bot = await unit.start();
    unit.gate.orders = 'refused';
    expect(await bot.enable(30)).toBe('failed');
    const told = unit.told();
    await bot.pass(60);
    expect(await bot.timedChanges()).toEqual([]);
    expect(unit.told()).toEqual(told);
    expect(unit.gate.ordered).toHaveLength(1);
  });

  test.each([
    ['is taken for on, and ended', 'lost', 'failing', 'unknown'],
    ['which was seen all the same is on, and ended', 'lost', 'answered', 'done'],
  ] as const)('whose order got no answer %s', async (_, orders, reads, state) => {
    const unit = await emergencyUnit();
    const bot = await unit.start();
    unit.gate.whileOrdered = () => Object.assign(unit.gate, { reads });
    unit.gate.orders = orders;
    expect(await bot.enable(30)).toBe(state);
    expect(await bot.timedChange()).toMatchObject({ state: 'on', seen: state === 'done' });
    Object.assign(unit.gate, { orders: 'done', reads: 'answered', whileOrdered: () => undefined });
    await bot.pass(30);
    expect(unit.gate.mode).toBe('normal');
    expect(unit.count(over)).toBe(1);
  });

  test('is begun once, whoever else asks: later, or at the same moment', async () => {
    const unit = await emergencyUnit();
    const bot = await unit.start();
    const both = await Promise.all([bot.enable(30), bot.enable(60, { by: 'U0BEN' })]);
    expect(both.toSorted()).toEqual(['done', 'failed']);
    expect(await bot.timedChanges()).toHaveLength(1);
    expect(unit.gate.ordered).toHaveLength(1);
    expect(await bot.enable(30)).toContain('is already in emergency mode, until');
  });

  test('is asked for no longer than the policy allows', async () => {
    const unit = await emergencyUnit({ emergency: { ...shippedEmergency, longest: 60 * minute } });
    const bot = await unit.start();
    expect(await bot.enable(61)).toContain('the policy limits emergency mode to 1 h from now');
    expect(await bot.enable(60)).toBe('done');
  });

  test('can be enabled again when it is over, with an end and a report of its own', async () => {
    const { unit, bot } = await enabled();
    await bot.pass(30);
    expect(await bot.enable(10)).toBe('done');
    await bot.pass(9);
    expect(unit.gate.mode).toBe('emergency');
    await bot.pass(1);
    expect(unit.gate.mode).toBe('normal');
    expect((await bot.timedChanges()).map(({ state }) => state)).toEqual(['over', 'over']);
    expect(unit.count(over)).toBe(2);
  });

  test('on several appliances begins and ends on each by itself', async () => {
    const unit = await emergencyUnit({}, ['branch']);
    const bot = await unit.start();
    const branch = unit.gates.get('branch');
    const on = ['hq', 'branch'];
    await bot.enable(30, { on });
    await bot.disable({ on: ['branch'] });
    expect([unit.gate.mode, branch?.mode]).toEqual(['emergency', 'normal']);
    expect(unit.headline()).toMatch(/on hq is on until .*; on branch is over$/);
    await bot.pass(30);
    expect((await bot.timedChanges()).map(({ ended }) => ended?.how)).toEqual(['ended', 'person']);
    expect(unit.headline()).toBe('Emergency mode on hq and branch is over');
  });

  test('that begins on one of two says where it did not, and ends where it did', async () => {
    const unit = await emergencyUnit({}, ['branch']);
    const bot = await unit.start();
    Object.assign(unit.gates.get('branch') ?? {}, { orders: 'refused' });
    expect(await bot.enable(30, { on: ['hq', 'branch'] })).toBe('failed');
    expect(unit.headline()).toMatch(/^Emergency mode on hq is on until .*; on branch it did not begin$/);
    await bot.pass(30);
    expect(unit.headline()).toBe('Emergency mode on hq is over; on branch it did not begin');
    expect(unit.count(/^Emergency mode on .* is over\.\n/)).toBe(1);
  });
});

describe('an extension', () => {
  test('puts the end off, is told with who asked and who approved, and is reminded of', async () => {
    const { unit, bot } = await enabled();
    const endsAt = unit.clock.at + 30 * minute;
    await bot.pass(26);
    expect(await bot.extend(20)).toBe('done');
    expect(await bot.timedChange()).toMatchObject({
      endsAt: endsAt + 20 * minute,
      nextTryAt: endsAt + 20 * minute,
    });
    expect(unit.told().at(-1)).toMatch(/^Extended until .*, requested by U0BOB and approved by U0CAROL\.$/);
    // The reminder of the end that was put off.
    expect(unit.told().find((one) => reminder.test(one))).toMatch(
      /^⏳ Emergency mode on hq is on until .*\.$/,
    );
    await bot.pass(4);
    expect(unit.gate.mode).toBe('emergency');
    await bot.pass(15);
    expect(unit.count(reminder)).toBe(2);
    await bot.pass(5);
    expect(unit.gate.mode).toBe('normal');
    const report = unit.told().find((one) => over.test(one));
    expect(report).toMatch(
      /\nExtended: at .* until .*, requested by U0BOB and approved by U0CAROL: still down\n/,
    );
  });

  test('goes to the policy’s longest time from now on, and no further; again and again', async () => {
    const unit = await emergencyUnit({ emergency: { ...shippedEmergency, longest: 60 * minute } });
    const bot = await unit.start();
    await bot.enable(30);
    expect(await bot.extend(31)).toContain('the policy limits emergency mode to 1 h from now');
    expect(await bot.extend(30)).toBe('done');
    expect(await bot.extend(1)).toContain('the policy limits emergency mode to 1 h from now');
    await bot.pass(1);
    expect(await bot.extend(1)).toBe('done');
    expect((await bot.timedChange())?.extensions).toHaveLength(2);
    await bot.pass(59);
    expect(unit.gate.mode).toBe('emergency');
    await bot.pass(1);
    expect(unit.gate.mode).toBe('normal');
  });

  test('is refused where there is nothing to extend: none at all, one from elsewhere, one whose end is under way', async () => {
    const unit = await emergencyUnit();
    const bot = await unit.start();
    expect(await bot.extend(10)).toContain('Appliance Bot has no active emergency mode to extend on hq');
    unit.gate.mode = 'emergency';
    expect(await bot.extend(10)).toContain('Appliance Bot has no active emergency mode to extend on hq');
    unit.gate.mode = 'normal';
    await bot.enable(30);
    unit.gate.orders = 'forgotten';
    await bot.pass(30);
    expect(await bot.extend(10)).toContain('Emergency mode on hq has expired and is being ended');
  });

  test('that is approved when it is over changes nothing', async () => {
    const { unit, bot } = await enabled();
    await bot.pass(28);
    expect(await bot.extend(10, { approvedBy: 'nobody' })).toBe('waiting');
    await bot.pass(2);
    expect(await bot.approve('U0CAROL')).toContain('has no active emergency mode to extend');
    expect(unit.gate.mode).toBe('normal');
    expect((await bot.timedChanges())[0]?.extensions).toEqual([]);
  });

  test('of two from the same end counts once: the second is asked anew', async () => {
    const { unit, bot } = await enabled();
    expect(await bot.extend(20, { approvedBy: 'nobody' })).toBe('waiting');
    expect(await bot.extend(10, { by: 'U0BEN' })).toBe('done');
    expect(await bot.approve('U0CAROL')).toBe('waiting');
    expect((await bot.timedChange())?.extensions).toHaveLength(1);
    // What is shown now is what it comes to now.
    expect(await bot.approve('U0CAROL')).toBe('done');
    expect(await bot.timedChange()).toMatchObject({ endsAt: unit.clock.at + 60 * minute });
  });
});

describe('ended by somebody', () => {
  test('before its time it is reported as theirs, and nothing is ordered at its time', async () => {
    const { unit, bot } = await enabled();
    await bot.pass(7);
    expect(await bot.disable({ by: 'U0BEN' })).toBe('done');
    expect(unit.told().find((one) => over.test(one))).toMatch(
      /\nEnded: by U0BEN at .*\nVerified: yes\. State read back/,
    );
    await bot.pass(60);
    expect(unit.gate.ordered.map(({ what }) => what)).toEqual(['enable', 'disable']);
    expect(unit.count(over)).toBe(1);
  });

  test('and not carried out, the bot goes on with it at once, and until it is seen', async () => {
    const { unit, bot } = await enabled();
    unit.gate.orders = 'forgotten';
    expect(await bot.disable()).toBe('unknown');
    expect(JSON.stringify([...unit.seen.cards.values()])).toContain('It is retried until it is verified.');
    expect(await bot.timedChange()).toMatchObject({ state: 'ending', tries: 1 });
    unit.gate.orders = 'done';
    await bot.pass(1);
    expect(await bot.timedChanges()).toMatchObject([{ state: 'over', ended: { how: 'ended' } }]);
  });

  test('with an order that certainly did not arrive, it has its time', async () => {
    const { unit, bot } = await enabled();
    unit.gate.orders = 'unreachable';
    expect(await bot.disable()).toBe('failed');
    expect(await bot.timedChange()).toMatchObject({ state: 'on', tries: 0 });
  });

  test('while it could not be ended, that is it, and the alarm is called off', async () => {
    const { unit, bot } = await enabled();
    unit.gate.orders = 'forgotten';
    await bot.pass(30);
    unit.gate.orders = 'done';
    expect(await bot.disable({ by: 'U0BEN' })).toBe('done');
    expect(await bot.timedChanges()).toMatchObject([
      { state: 'over', ended: { how: 'person', person: 'U0BEN' } },
    ]);
    expect(unit.called(/is over\.$/).toSorted()).toEqual(['U0BOB', 'U0CAROL', 'U0DANA']);
  });

  test('elsewhere, and enabled again elsewhere, it is ended at its time all the same', async () => {
    const { unit, bot } = await enabled();
    unit.gate.mode = 'normal';
    unit.clock.at += 10 * minute;
    unit.gate.mode = 'emergency';
    await bot.pass(20);
    expect(unit.gate.mode).toBe('normal');
    expect(await bot.timedChanges()).toMatchObject([{ state: 'over', ended: { how: 'ended' } }]);
  });
});
