import { expect, test } from 'vitest';
import type { Conversation } from '../conversation.ts';
import { converse } from '../conversation.ts';
import { messagesSent, wrongIn } from '../hostile.ts';
import { crowded, hostileNames, tooLong } from '../hostile-names.ts';

/** Expects that Slack took every message, and that none is obeyed. */
function expectTaken(house: Conversation): void {
  const refused = house.workspace.log.calls().filter(({ ok }) => !ok);
  expect(refused).toEqual([]);
  expect(wrongIn(messagesSent(house))).toEqual([]);
}

/** More requests, changes, watches and appliances than any page has room for. */
async function busyHouse(name: (state: object) => void) {
  const approvals = [{ commands: [{ phrase: 'acl object disable' }], by: 'approver', reason: true }];
  const house = await converse({ branches: 20, policy: { approvals } });
  for (const appliance of [house.appliance, ...house.branches.values()]) name(appliance.state);
  const reason = 'a long reason '.repeat(30);
  for (let id = 1; id <= 12; id += 1) {
    await house.type(`/appliance acl object disable ${id} --reason "${reason}"`, 'dana');
    await house.type(`/appliance acl object disable ${id} --on branch-2 --reason "${reason}"`, 'bob');
    await house.type(`/appliance category add largest-${id}.example to 252`, 'dana');
  }
  for (const what of ['status', 'directory', 'mirror', 'updates', 'rdp denied'])
    await house.type(`/appliance watch ${what} --on all`, 'dana');
  for (let hour = 0; hour < 24; hour += 1)
    await house.type(`/appliance rdp sessions --on all every weekday at ${hour}:00`, 'dana');
  return house;
}

test.each([
  ['10,000 characters long', tooLong],
  ['made to be obeyed', hostileNames],
  ['a thousand', crowded],
])('Slack accepts Home, watches and their posts where names are %s', async (_, name) => {
  const house = await busyHouse(name);
  for (const who of ['dana', 'bob', 'carol', 'vic']) await house.person(who).openHome();
  const { home } = house.workspace.snapshot('U0DANA0001');
  expect(home?.blocks.length).toBeGreaterThan(30);
  await house.type('/appliance watches', 'dana');
  for (const appliance of [house.appliance, ...house.branches.values()]) {
    const [port] = appliance.state.directory.proxy.ports;
    if (port !== undefined) Object.assign(port, { listening: false });
  }
  for (let gone = 0; gone < 90; gone += 6) await house.pass(6_000);
  expect(house.read('dana')).toContain('branch-20 status: ❌');
  for (const who of ['dana', 'bob', 'carol']) await house.person(who).openHome();
  await house.type('/appliance audit --since 1d', 'dana');
  await house.type('/appliance timeline --since 1d', 'dana');
  expectTaken(house);
});
