import { describe, expect, test } from 'vitest';
import { emergencyUnit, enabled, minute, over, reminder, settle } from '../../../test/emergency-unit.ts';
import { plainText } from '../../handlers/reply.ts';
import type { Chat } from '../base/chat.ts';

/** The same chat, but what is told in threads waits until it is let go. */
function slow(chat: Chat): { readonly chat: Chat; readonly letGo: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const tell: Chat['reply'] = async (...given) => {
    await promise;
    return chat.reply(...given);
  };
  return { chat: { ...chat, reply: tell }, letGo: resolve };
}

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
    expect(unit.told()).toContain('Reminder no longer needed: Emergency mode on hq.');
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
    expect(await bot.timedChanges()).toMatchObject([{ state: 'over', ended: { how: 'found' } }]);
    expect(unit.told().find((one) => over.test(one))).toMatch(/\nEnded: outside Appliance Bot: a check at /);
    expect(unit.gate.ordered).toHaveLength(1);
  });

  test('an appliance that cannot be asked keeps nobody from being reminded', async () => {
    const { unit, bot } = await enabled();
    unit.gate.reads = 'unreachable';
    await bot.pass(25);
    expect(unit.count(reminder)).toBe(1);
    expect(await bot.timedChange()).toMatchObject({ state: 'on' });
  });
});

describe('a reminder that is slow to get out', () => {
  const reminding = async () => {
    const { unit, bot } = await enabled();
    const { chat, letGo } = slow(bot.parts.chat);
    const other = await unit.start({ chat });
    unit.clock.at += 30 * minute - 1_000;
    const told = other.tick();
    await settle();
    return { unit, bot, told, letGo };
  };

  test('does not put off the end', async () => {
    const { unit, bot, told, letGo } = await reminding();
    unit.clock.at += 1_000;
    await bot.tick();
    expect(unit.gate.mode).toBe('normal');
    letGo();
    await told;
  });

  test('does not put off what somebody has ordered and was not carried out', async () => {
    const { unit, bot, told, letGo } = await reminding();
    unit.gate.orders = 'forgotten';
    await bot.disable();
    expect(await bot.timedChange()).toMatchObject({ state: 'ending', tries: 1 });
    letGo();
    await told;
  });

  test('lets nobody else begin the end that is under way', async () => {
    const { unit, bot, told, letGo } = await reminding();
    const { promise, resolve } = Promise.withResolvers<void>();
    unit.gate.whileOrdered = () => promise;
    unit.clock.at += 2 * minute;
    const ending = bot.tick();
    await settle();
    letGo();
    await told;
    const third = await unit.start();
    const looking = third.tick();
    await settle();
    expect(unit.ends()).toBe(1);
    resolve();
    await Promise.all([ending, looking]);
    expect(await bot.timedChanges()).toMatchObject([{ state: 'over', orders: 1 }]);
  });

  test('offers nothing that cannot be done any more when it gets out after the end', async () => {
    const { unit, bot, told, letGo } = await reminding();
    unit.clock.at += 2 * minute;
    await bot.tick();
    letGo();
    await told;
    expect(unit.told()).toContain('Reminder no longer needed: Emergency mode on hq.');
    expect(unit.count(reminder)).toBe(0);
  });

  test('nor an end that has been put off meanwhile', async () => {
    const { unit, bot, told, letGo } = await reminding();
    const endsAt = (await bot.timedChange())?.endsAt ?? 0;
    await bot.journal.extendTimedChange(1, endsAt, {
      action: 'a2',
      at: unit.clock.at,
      until: endsAt + 20 * minute,
    });
    letGo();
    await told;
    expect(unit.told().at(-1)).toMatch(/^⏳ Emergency mode on hq is on until .*\.$/);
  });
});

describe('the report', () => {
  test('that nobody could be told is told later, once', async () => {
    const { unit, bot } = await enabled();
    unit.shut.add('channel').add('people');
    await bot.pass(30);
    expect(await bot.timedChanges()).toMatchObject([{ state: 'over' }]);
    unit.shut.clear();
    await bot.pass(0);
    expect(unit.count(over)).toBe(0);
    await bot.pass(1);
    expect(unit.count(over)).toBe(1);
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
    const { promise: stuck, resolve } = Promise.withResolvers<void>();
    const edit = () => {
      resolve();
      return new Promise<never>(() => undefined);
    };
    const dying = await unit.start({ chat: { ...chat, edit } });
    unit.clock.at += 30 * minute;
    void dying.tick();
    await stuck;
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
