import { expect, test } from 'vitest';
import { sandboxRoles } from '../sandbox/sandbox.ts';
import { under } from './approving.ts';
import { ordersTo } from './orders.ts';

const minute = 60_000;
const hour = 60 * minute;
const add = '/appliance category add shop.example.net to 252';

const helpdesk = {
  roles: {
    'site-desk': {
      summary: 'allows sites',
      commands: [{ effect: 'read' }, { phrase: 'category add' }],
    },
  },
  approvals: [{ commands: [{ phrase: 'category add' }], by: 'approver', temporary: { longest: '4h' } }],
};
const withAlice = { roles: { ...sandboxRoles, helpdesk: [], 'site-desk': ['U0ALICE001'] } };

test('the helpdesk may allow a site for four hours; longer, and for good, takes an approver', async () => {
  const { type } = await under(helpdesk, withAlice);
  expect(await type(`${add} --for 5h`)).toContain('1 approval by approver');
  expect(await type('/appliance category add press.example to 252')).toContain('1 approval by approver');
  expect(await type(`${add} --for 4h`)).toContain('shop.example.net added to category shopping, until');
  expect(await type('/appliance can @alice category add x.example to 252')).toContain(
    'unless it is for 4 h at most',
  );
});

test('an extension counts from the beginning: twice four hours are eight', async () => {
  const { type, press, pass, bot } = await under(helpdesk, withAlice);
  await type(`${add} --for 3h`);
  await pass(hour);
  expect(await type(`${add} --for 150m`)).toContain('Extended');
  const waiting = await press('Extend by 3 h');
  expect(waiting).toContain('1 approval by approver');
  const [before] = await bot.journal.timedChanges();
  expect(await press('Approve', 'carol')).toContain('Extended');
  const [after] = await bot.journal.timedChanges();
  expect((after?.endsAt ?? 0) - (before?.endsAt ?? 0)).toBeGreaterThan(2 * hour);
});

test('a role for temporary changes makes nothing for good, says so, and runs lookups as ever', async () => {
  const policy = {
    roles: {
      'on-call': {
        summary: 'stands in',
        temporary: { longest: '12h' },
        commands: [
          { effect: 'read' },
          { phrase: 'category add', temporary: { longest: '4h' } },
          { area: 'rdp' },
        ],
      },
    },
  };
  const settings = { roles: { ...sandboxRoles, helpdesk: [], 'on-call': ['U0ALICE001'] } };
  const { type, press, appliance } = await under(policy, settings);
  const sent = () => ordersTo(appliance).length;
  const before = sent();
  expect(await type(add)).toMatch(
    /You may run category add only temporarily, for at most 4 h\.[^\n]*\n {2}\[Run for 4 h\] \[Ask for approval\]/,
  );
  expect(await type(`${add} --for 5h`)).toContain('only temporarily, for at most 4 h.');
  expect(await type('/appliance rdp policy disable Contractors')).toContain(
    'only temporarily, for at most 12 h.',
  );
  expect(sent()).toBe(before);
  expect(await type('/appliance rdp sessions')).toContain('bob.miller');
  expect(await press('Run for 4 h')).toMatch(/added to category shopping, until/);
  // All of its time counts, so that the same again would be for longer, and is not offered.
  const again = await type(`${add} --for 4h`);
  expect(again.slice(again.lastIndexOf('appliance-bot'))).toMatch(
    /only temporarily, for at most 4 h\.[^\n]*\n {2}It is on already: [^\n]*\n {2}\[Ask for approval\]/,
  );
  expect(await type('/appliance temporary')).toContain('1 temporary change');
});

test('a role for temporary changes may end its own changes early, by the button and by a line, and keep nothing', async () => {
  const onCall = {
    summary: 'stands in',
    temporary: { longest: '12h' },
    commands: [{ effect: 'read' }, { phrase: 'category add' }],
  };
  const settings = { roles: { ...sandboxRoles, helpdesk: [], 'on-call': ['U0ALICE001'] } };
  const { type, press, appliance } = await under({ roles: { 'on-call': onCall } }, settings);
  const isOn = (site: string) => appliance.state.categories.all.get(252)?.sites.has(site);
  await type(`${add} --for 2h`);
  expect(await type('/appliance keep shop.example.net')).toContain('only temporarily, for at most 12 h.');
  expect(isOn('shop.example.net')).toBe(true);
  await type('/appliance end shop.example.net');
  expect(await press('End now')).toContain('Ended early: shop.example.net');
  await type('/appliance category add travel.example to 252 --for 2h');
  expect(await press('End now')).toContain('Ended early: travel.example');
  expect([isOn('shop.example.net'), isOn('travel.example')]).toEqual([false, false]);
});

test('an undo by a role for temporary changes is offered as End now, and not for a time, which would bring the change back', async () => {
  const policy = {
    roles: {
      'on-call': {
        summary: 'stands in',
        temporary: { longest: '4h' },
        commands: [
          { effect: 'read' },
          { phrase: 'category add' },
          { phrase: 'category delete' },
          { phrase: 'undo' },
        ],
      },
    },
  };
  const settings = { roles: { ...sandboxRoles, helpdesk: [], 'on-call': ['U0ALICE001'] } };
  const { type, press, bot } = await under(policy, settings);
  await type(`${add} --for 2h`);
  const refused = await type('/appliance undo');
  expect(refused).toMatch(/only temporarily, for at most 4 h\.[^\n]*\n {2}\[End now\] \[Ask for approval\]/);
  expect(refused).not.toContain('Run for 4 h');
  await press('End now');
  expect(await bot.journal.timedChanges()).toEqual([]);
});

test('a change whose end comes while it waits for approval does not begin, and is over then', async () => {
  const { type, press, pass, read, appliance } = await under(
    { approvals: [{ commands: [{ phrase: 'category add' }], by: 'approver', open: '2h' }] },
    { roles: { ...sandboxRoles, operator: ['U0ALICE001'] } },
  );
  const end = Math.floor(Date.now() / minute) * minute + 20 * minute;
  for (const line of [add, '/appliance category add travel.example to 252'])
    expect(await type(`${line} --until ${new Date(end).toISOString().slice(0, 16)}`)).toContain(
      '1 approval by approver',
    );
  const sent = ordersTo(appliance).length;
  await pass(end - Date.now() - minute / 2);
  expect(await press('Approve', 'carol')).toContain('Run the command again with a later end.');
  await pass(minute);
  expect(read('carol')).toContain('Nobody approved it in time, so no changes were made.');
  expect(read('carol')).not.toContain('[Approve]');
  expect(ordersTo(appliance)).toHaveLength(sent);
});
