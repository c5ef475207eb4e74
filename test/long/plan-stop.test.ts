import { expect, test, vi } from 'vitest';
import { five, withBob } from '../planning-lines.ts';

/** The plan of five runs, and its third line takes a while. */
async function running() {
  const house = await withBob();
  const { plan, person, appliance, bot } = house;
  const slow = { kind: 'slow', ms: 3_000, times: 1 } as const;
  appliance.faults.set('GET /system/network/vlan/stop/{id}', slow);
  await plan(...five);
  const pressed = person('bob').press('helpdesk', 'Run plan');
  await vi.waitFor(
    () => expect(appliance.requests.map(({ path }) => path)).toContain('/system/network/vlan/stop/3'),
    5_000,
  );
  return {
    ...house,
    end: async () => {
      await pressed;
      await bot.idle();
    },
  };
}

test('the stop button of a running plan lets the current line finish, begins no other, and then people decide', async () => {
  const { person, end, read, isIn, isUp, click } = await running();
  expect(read('bob')).toContain('[Stop]');
  await person('dana').press('helpdesk', 'Stop');
  await end();
  expect(read('dana')).toContain('the line that runs is finished and read back, and none after it is begun');
  expect(read('bob')).toMatch(
    /Plan stopped by @dana before line 4\. 3 lines done, lines 4 and 5 not run\.[\s\S]*\[Roll back\] \[Go on\] \[Leave it so\]/,
  );
  expect(read('bob')).not.toContain('[Stop]');
  expect([isIn('one.example.net'), isUp(), isIn('two.example.net')]).toEqual([true, false, false]);
  expect(await click('Go on')).toContain('Plan done: lines 4 and 5');
  expect([isIn('two.example.net'), isIn('three.example.net', 257)]).toEqual([true, true]);
});

test('a typed stop stops a plan once, for people who may run it; a plan that does not run is not stopped', async () => {
  const { ask, person, end, planned, click, isUp, isIn, isEnabled, read } = await running();
  await Promise.all([
    person('alice').type('helpdesk', '/appliance stop plan'),
    person('bob').type('helpdesk', '/appliance stop plan'),
    planned().then((name) => person('dana').type('helpdesk', `/appliance plan stop ${name}`)),
  ]);
  await end();
  expect(read('alice')).toContain('Only @bob, who asked for it');
  expect(`${read('bob')}${read('dana')}`).toMatch(/has stopped A-\w{8} before/);
  expect(await ask('stop plan')).toContain('A plan isn’t running in this channel. Nothing was stopped.');
  expect(await click('Roll back')).toContain('Rolled back: 3 lines undone');
  expect([isUp(), isEnabled(), isIn('one.example.net')]).toEqual([true, true, false]);
});

test('a plan that was stopped right before a crash is not continued after it', async () => {
  const { person, restart, read, isIn, bot } = await running();
  await person('dana').press('helpdesk', 'Stop');
  await restart();
  await bot.idle().catch(() => undefined);
  await vi.waitFor(() => expect(read('bob')).toContain('[Go on]'), 10_000);
  expect(read('bob')).toMatch(/Plan stopped (?:by @dana before line 4|at line 3)/);
  expect(isIn('two.example.net')).toBe(false);
}, 20_000);
