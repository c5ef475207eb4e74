import { describe, expect, test } from 'vitest';
import { emergencyUnit, enabled, minute, over, reminder, settle } from '../../../test/emergency-unit.ts';
import { plainText } from '../../handlers/reply.ts';

describe('before its end', () => {
  test('everybody concerned is reminded, once, five minutes before and not earlier', async () => {
    const { unit, bot } = await enabled();
    unit.clock.at += 25 * minute - 1;
    await bot.tick();
    expect(unit.count(reminder)).toBe(0);
    unit.clock.at += 1;
    await bot.tick();
    expect(unit.told().at(-1)).toMatch(
      /^⏳ Emergency mode on hq ends in 5 min, at .* U0BOB and U0CAROL: if it is still needed, extend it now\./,
    );
    expect(unit.seen.thread.at(-1)?.isLoud).toBe(true);
    await bot.pass(1);
    expect(unit.count(reminder)).toBe(1);
    // Its buttons would promise what they cannot do any more.
    await bot.pass(4);
    expect(
      unit.seen.thread.filter(({ said }) => said.details?.some(({ kind }) => kind === 'buttons')),
    ).toEqual([]);
    expect(unit.told()).toContain('⏳ Emergency mode on hq is over.');
  });

  test('nobody is reminded of an end that was set less than five minutes before', async () => {
    const unit = await emergencyUnit();
    const bot = await unit.start();
    await bot.enable(5);
    for (let passed = 0; passed < 5; passed += 1) await bot.pass(1);
    expect(unit.count(reminder)).toBe(0);
    expect(unit.gate.mode).toBe('normal');
  });

  test('whoever is to be reminded hears in person where the channel does not take it', async () => {
    const { unit, bot } = await enabled();
    unit.shut.add('channel');
    await bot.pass(25);
    expect(unit.called(reminder)).toEqual(['U0BOB', 'U0CAROL']);
    await bot.pass(1);
    expect(unit.called(reminder)).toHaveLength(2);
  });

  test('nobody is reminded of what is over already: it is reported as ended elsewhere, and no order is sent', async () => {
    const { unit, bot } = await enabled();
    unit.gate.mode = 'normal';
    await bot.pass(25);
    expect(unit.count(reminder)).toBe(0);
    expect(await bot.leases()).toMatchObject([{ state: 'over', ended: { how: 'found' } }]);
    expect(unit.told().find((one) => over.test(one))).toMatch(
      /\nEnded: elsewhere and not by me: when I looked at /,
    );
    expect(unit.gate.ordered).toHaveLength(1);
  });

  test('an appliance that cannot be asked keeps nobody from being reminded', async () => {
    const { unit, bot } = await enabled();
    unit.gate.reads = 'unreachable';
    await bot.pass(25);
    expect(unit.count(reminder)).toBe(1);
    expect(await bot.lease()).toMatchObject({ state: 'on' });
  });
});

describe('the report', () => {
  test('that nobody could be told is told later, once', async () => {
    const { unit, bot } = await enabled();
    unit.shut.add('channel').add('people');
    await bot.pass(30);
    expect(await bot.leases()).toMatchObject([{ state: 'over' }]);
    unit.shut.clear();
    await bot.pass(1);
    expect(unit.count(over)).toBe(0);
    await bot.pass(1);
    await bot.pass(60);
    expect([unit.count(over), unit.seen.twice]).toEqual([1, []]);
  });

  test('that the channel does not take is told to each of those concerned', async () => {
    const { unit, bot } = await enabled();
    unit.shut.add('channel');
    await bot.pass(30);
    expect(unit.called(/is over\.$/).toSorted()).toEqual(['U0BOB', 'U0CAROL', 'U0DANA']);
    unit.shut.clear();
    await bot.pass(60);
    expect(unit.count(over)).toBe(0);
  });

  test('takes the place of its announcement, also after a crash between the two', async () => {
    const { unit, bot } = await enabled();
    const { chat } = bot.parts;
    const dying = await unit.start({ chat: { ...chat, amend: () => new Promise(() => undefined) } });
    unit.clock.at += 30 * minute;
    void dying.tick();
    await settle();
    expect(unit.told().at(-1)).toBe('Emergency mode on hq is over. The report follows.');
    const before = unit.told().length;
    await unit.restart();
    expect(unit.told().at(-1)).toMatch(over);
    expect([unit.told().length, unit.seen.twice]).toEqual([before, []]);
  });

  test('tells what else was changed there meanwhile, and not what belongs to it', async () => {
    const { unit, bot } = await enabled();
    const of = {
      team: 'T1',
      channel: 'C0INCIDENT',
      person: 'U0BEN',
      effect: 'write',
      state: 'running',
    } as const;
    const other = await bot.journal.write({ ...of, line: 'acl object disable 7', appliance: 'hq' });
    await bot.journal.move(other, 'done');
    await bot.journal.write({ ...of, line: 'vlan add 9', appliance: 'branch' });
    await bot.extend(10);
    await bot.pass(40);
    const rows = unit.seen.thread
      .at(-1)
      ?.said.details?.flatMap((part) => (part.kind === 'table' ? part.rows : []));
    expect(rows?.map((row) => row.map((cell) => plainText(cell)))).toEqual([
      ['U0BEN', 'acl object disable 7', 'done'],
    ]);
  });
});
