import { describe, expect, test } from 'vitest';
import { sandboxRoles } from '../sandbox/sandbox.ts';
import { converse } from './conversation.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** A bot whose own clock can be wrong, while Slack's is right and no more time goes by than does. */
async function withClock() {
  const wrong = { by: 0 };
  let passed = 0;
  const right = () => Date.now() + passed;
  const conversation = await converse({
    policy: {
      channels: { C0HELPDESK: { name: 'helpdesk', appliance: 'hq', roles: sandboxRoles } },
      audit: { keep: '30d' },
    },
    world: {
      now: () => right() + wrong.by,
      shared: { databaseTime: right },
      otherClocks: { elapsed: right, slackTime: (real) => real + passed },
    },
  });
  return {
    ...conversation,
    wrong,
    pass: async (milliseconds: number) => {
      passed += milliseconds;
      await conversation.pass(0);
    },
    kept: async () => (await conversation.bot.journal.findRecords({}, 100)).count,
  };
}

describe('a wrong clock', () => {
  test('off by 400 days for 20 seconds deletes nothing for good: neither the audit nor an Undo', async () => {
    const house = await withClock();
    const { type, pass, kept, press, wrong } = house;
    await type('/appliance rdp sessions');
    await type('/appliance acl object disable google_sni', 'bob');
    await pass(minute);
    const before = await kept();
    expect(before).toBeGreaterThan(1);
    wrong.by = 400 * day;
    for (let looks = 0; looks < 10; looks += 1) await pass(2_000);
    expect(await kept()).toBeGreaterThanOrEqual(before);
    wrong.by = 0;
    await pass(2_000);
    expect(await press('Undo', 'bob')).toContain('Undone');
  });

  test('at the start deletes nothing, and old records go when it is right again', async () => {
    const house = await withClock();
    const { type, pass, wrong } = house;
    await type('/appliance rdp sessions');
    await pass(minute);
    wrong.by = 400 * day;
    await house.restart();
    await pass(61 * minute);
    expect(await house.kept()).toBe(1);
    wrong.by = 0;
    await house.restart();
    await pass(31 * day);
    await type('/appliance whoami');
    await pass(61 * minute);
    expect(await house.kept()).toBe(1);
  });

  test('does not keep old records for ever: after a pause of 400 days they go as soon as Slack has confirmed the time, too', async () => {
    const house = await withClock();
    await house.type('/appliance rdp sessions');
    await house.pass(minute);
    expect(await house.kept()).toBe(1);
    await house.stopBot(0);
    await house.pass(400 * day);
    await house.startBot(0);
    await house.pass(minute);
    expect(await house.kept()).toBe(0);
  });
});

describe('the newest is the last to come, whatever the clock says:', () => {
  const site = (name: string) => `/appliance category add ${name}.example.net to 252`;

  test('undo takes back the last change after the clock was set back by seconds', async () => {
    const { type, wait, appliance } = await converse();
    const live = () => appliance.state.categories.all.get(252)?.live;
    await type(site('first'), 'bob');
    wait(-10_000);
    await type(site('second'), 'bob');
    await type('/appliance undo', 'bob');
    expect([live()?.has('first.example.net'), live()?.has('second.example.net')]).toEqual([true, false]);
  });

  test('again repeats the last line, and audit and timeline list both in their order', async () => {
    const { type, wait, pass, bot } = await converse();
    await type('/appliance rdp sessions');
    wait(-10_000);
    await type('/appliance acl objects');
    await type('/appliance again');
    const lines = (await bot.journal.recent(10)).map(({ line }) => line);
    expect(lines).toEqual(['acl objects', 'acl objects', 'rdp sessions']);
    await pass(2_000);
    const places = (told: string) => {
      const table = told.slice(told.lastIndexOf('───'));
      return [table.indexOf('rdp sessions'), table.indexOf('acl objects')];
    };
    const [first, then] = places(await type('/appliance timeline'));
    expect(first).toBeGreaterThan(-1);
    expect(first).toBeLessThan(then ?? 0);
    const [older, newer] = places(await type('/appliance audit'));
    expect(newer).toBeGreaterThan(-1);
    expect(newer).toBeLessThan(older ?? 0);
  });
});
