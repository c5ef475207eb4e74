import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { sandboxRoles } from '../../sandbox/sandbox.ts';
import { under } from '../approving.ts';
import { five, withBob } from '../planning-lines.ts';

const approvals = [{ commands: [{ phrase: 'vlan stop' }], by: 'approver' }];

/** The third line of a plan of five, approved by carol, is under way and takes a while. */
async function thirdRuns() {
  const house = await withBob(under({ approvals }, { roles: sandboxRoles }));
  const { plan, press, bot, appliance, data } = house;
  appliance.faults.set('GET /system/network/vlan/stop/{id}', { kind: 'slow', ms: 3_000, times: 1 });
  await plan(...five);
  const pressed = press('Approve', 'carol');
  await vi.waitFor(
    () => expect(appliance.requests.some(({ path }) => path.endsWith('/vlan/stop/3'))).toBe(true),
    8_000,
  );
  const file = join(dirname(data), 'appliance-bot.yml');
  return {
    ...house,
    end: () => pressed,
    reload: async (more: object) => {
      writeFileSync(`${file}.new`, stringify({ ...parse(readFileSync(file, 'utf8')), ...more }));
      renameSync(`${file}.new`, file);
      bot.reload();
    },
  };
}

const channelWith = (roles: object) => ({
  channels: { C0HELPDESK: { name: 'helpdesk', appliance: 'hq', roles: { ...sandboxRoles, ...roles } } },
});

test('a plan stops before a line whose rule changed meanwhile, and the finished lines can be rolled back', async () => {
  const { reload, end, isIn, isUp, click, isEnabled } = await thirdRuns();
  await reload({ approvals: [...approvals, { commands: [{ phrase: 'category add' }], by: 'admin' }] });
  expect(await end()).toMatch(/Plan stopped at line 4: it was not run\. 3 lines done, line 5 not run\./);
  expect([isIn('one.example.net'), isUp(), isIn('two.example.net')]).toEqual([true, false, false]);
  expect(await click('Roll back')).toContain('Rolled back: 3 lines undone');
  expect([isUp(), isEnabled()]).toEqual([true, true]);
}, 30_000);

test('a plan stops before the next line when its requester, or an approver, has lost the role', async () => {
  for (const roles of [{ operator: [], admin: [] }, { approver: ['U0DANA0001'] }]) {
    const { reload, end, isIn, isUp } = await thirdRuns();
    await reload(channelWith(roles));
    expect(await end()).toMatch(/Plan stopped at line 4: it was not run\./);
    expect([isUp(), isIn('two.example.net')]).toEqual([false, false]);
  }
}, 60_000);

test('a change by hand during an earlier line is neither overwritten nor rolled back', async () => {
  const { end, click, isIn, isUp, appliance } = await thirdRuns();
  appliance.state.categories.all.get(252)?.sites.add('two.example.net');
  expect(await end()).toMatch(/➖ Line 4: skipped\. two\.example\.net is already in/);
  expect(await click('Undo')).toContain('Rolled back: 4 lines undone');
  expect([isIn('one.example.net'), isUp()]).toEqual([false, true]);
  expect(appliance.state.categories.all.get(252)?.sites.has('two.example.net')).toBe(true);
}, 30_000);
