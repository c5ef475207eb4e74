import { describe, expect, test } from 'vitest';
import { ordersTo } from './orders.ts';
import { hotfixFile, send } from './packages.ts';
import { withBob as start } from './with-bob.ts';

const minute = 60_000;
const version = '- /appliance_version';
const differs = 'Another appliance answers at the address of hq: its release is 4.50 SP6, not 4.50 SP5.';

/** hq, whose place another appliance can take, which looks the same but for its release. */
async function withBob() {
  const house = await start();
  const { version } = house.appliance.state.directory;
  const replace = (servicePack: string) =>
    Object.assign(version, { servicePack, text: `4.50 Service Pack ${servicePack}` });
  const isEnabled = () => house.appliance.state.acl.objects.get(3)?.enabled;
  return { ...house, replace, isEnabled, sentTo: () => ordersTo(house.appliance).length };
}

test('an appliance that replaced the one in the preview gets no order, and the click asks again', async () => {
  const { ask, click, replace, appliance, sentTo } = await withBob();
  const hasSession = () => appliance.state.rdp.sessions.has(12);
  await ask('rdp disconnect 12');
  replace('6');
  const said = await click('Disconnect');
  expect(said).toContain(`${differs} No changes were made. Look again before you press.`);
  expect(sentTo()).toBe(0);
  expect(hasSession()).toBe(true);
  expect(await click('Disconnect')).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
});

test('a planned change does not run on another appliance, and the bot says so', async () => {
  const { ask, read, pass, replace, isEnabled } = await withBob();
  await ask('acl object disable google_sni --at "in 2h"');
  replace('6');
  await pass(121 * minute);
  expect(read('bob')).toContain(differs);
  expect(isEnabled()).toBe(true);
});

test('a plan stops before a line whose appliance is another one', async () => {
  const { ask, click, read, replace, isEnabled } = await withBob();
  await ask('plan acl object disable google_sni; category add shop.example.net to 252');
  replace('6');
  await click('Run plan');
  expect(read('bob')).toContain('Another appliance answers at the address of hq');
  expect(isEnabled()).toBe(true);
});

test('a temporary change on one appliance is not undone on another', async () => {
  const { ask, read, pass, replace, isEnabled } = await withBob();
  await ask('acl object disable google_sni --for 30m');
  expect(isEnabled()).toBe(false);
  replace('6');
  await pass(31 * minute);
  expect(isEnabled()).toBe(false);
  expect(read('bob')).toContain(differs);
});

test('Undo of a change on another appliance sends nothing', async () => {
  const { ask, click, replace, isEnabled } = await withBob();
  await ask('acl object disable google_sni');
  replace('6');
  expect(await click('Undo')).toContain(`${differs} The change to undo was made on the former one.`);
  expect(isEnabled()).toBe(false);
});

test('the end of emergency mode is neither seen nor ordered on another appliance', async () => {
  const { type, press, read, pass, replace, appliance } = await withBob();
  await type('/appliance emergency enable --for 30m --reason "directory down"', 'bob');
  await press('Approve', 'carol');
  expect(appliance.state.directory.emergency).toBe(true);
  replace('6');
  await pass(31 * minute);
  expect(appliance.state.directory.emergency).toBe(true);
  expect(read('bob')).toContain(`${differs} Nothing was sent to it.`);
  replace('5');
  await pass(31 * minute);
  expect(appliance.state.directory.emergency).toBe(false);
});

test('the state of another appliance does not prove an order', async () => {
  const { ask, click, replace, appliance, sent } = await withBob();
  appliance.faults.set('POST /rdpproxy/sessions/{id}/disconnect', { kind: 'slow', ms: 800 });
  await ask('rdp disconnect 12');
  const pressed = click('Disconnect');
  await expect.poll(() => sent(/POST .*disconnect/)).toHaveLength(1);
  replace('6');
  expect(await pressed).toContain(
    'Accepted, not verified: another appliance answers at the address of hq now: its release is 4.50 SP6, not 4.50 SP5.',
  );
});

test('a plan is not rolled back on another appliance', async () => {
  const { ask, click, replace, isEnabled } = await withBob();
  await ask('plan acl object disable google_sni; category add shop.example.net to 252');
  await click('Run plan');
  expect(isEnabled()).toBe(false);
  replace('6');
  expect(await click('Undo')).toContain(differs);
  expect(isEnabled()).toBe(false);
});

test('an upgrade by the bot itself does not make it another appliance', async () => {
  const house = await withBob();
  const { ask, pass, press, replace, isEnabled } = house;
  await ask('acl object disable google_sni --for 30m');
  await send(house, hotfixFile);
  await press('Hotfix', 'dana');
  await press('Upload', 'dana');
  replace('6');
  await pass(31 * minute);
  expect(isEnabled()).toBe(true);
});

test('an appliance that does not report its identity gets its orders as before', async () => {
  const { ask, click, appliance, replace } = await withBob();
  appliance.faults.set('- /appliance_version', { kind: 'status', status: 404 });
  await ask('rdp disconnect 12');
  replace('6');
  expect(await click('Disconnect')).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
});

describe('an appliance with the same serial number and another release', () => {
  const named = { kind: 'identity', hostname: 'gw-1.corp.example', serial: 'SN-4711-01' } as const;
  const upgraded = { ...named, service_pack: '6' } as const;
  const says = 'hq was upgraded since this was asked for: its release is 4.50 SP6, not 4.50 SP5.';

  test('counts as the same one, upgraded: confirmed changes run, and the card says so', async () => {
    const { ask, click, appliance } = await withBob();
    appliance.faults.set(version, named);
    await ask('rdp disconnect 12');
    appliance.faults.set(version, upgraded);
    const told = await click('Disconnect');
    expect(told).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
    expect(told).toContain(says);
  });

  test('asks for a new confirmation where the change depends on the release', async () => {
    const house = await withBob();
    const { press, appliance, sentTo } = house;
    appliance.faults.set(version, named);
    await send(house, hotfixFile);
    await press('Hotfix', 'dana');
    appliance.faults.set(version, upgraded);
    expect(await press('Upload', 'dana')).toContain(
      `${says} No changes were made. Look again before you press.`,
    );
    expect(sentTo()).toBe(0);
  });

  test('gets planned changes, and the ends of temporary ones', async () => {
    const { ask, pass, appliance, isEnabled } = await withBob();
    appliance.faults.set(version, named);
    await ask('acl object disable google_sni --for 30m');
    expect(isEnabled()).toBe(false);
    appliance.faults.set(version, upgraded);
    await pass(31 * minute);
    expect(isEnabled()).toBe(true);
  });
});

test('an appliance without an identity at the preview counts as the earlier one', async () => {
  const { ask, click, appliance, sentTo } = await withBob();
  appliance.faults.set(version, { kind: 'identity', serial: 'SN-4711-01' });
  await ask('upgrade status');
  appliance.faults.set(version, { kind: 'status', status: 503 });
  await ask('rdp disconnect 12');
  appliance.faults.set(version, { kind: 'identity', serial: 'SN-4711-02' });
  expect(await click('Disconnect')).toContain(
    'Another appliance answers at the address of hq: its serial number is SN-4711-02, not SN-4711-01.',
  );
  expect(sentTo()).toBe(0);
});

test('a pending compile does not run on another appliance than the changed one', async () => {
  const { ask, pass, replace, appliance, sent } = await withBob();
  const compiled = () => sent(/compile/).length;
  appliance.faults.set('- /proxy/acls/compile', { kind: 'status', status: 503, times: 1 });
  await ask('acl object disable google_sni');
  expect(compiled()).toBe(1);
  replace('6');
  await pass(30 * minute);
  expect(compiled()).toBe(1);
  expect(await ask('pending')).toContain(`${differs} Nothing is compiled there for this change.`);
  replace('5');
  await pass(30 * minute);
  expect(compiled()).toBe(2);
});

test('a lookup does not ask an appliance for its identity', async () => {
  const { ask, appliance } = await withBob();
  await ask('rdp sessions');
  expect(appliance.requests.map(({ path }) => path)).not.toContain('/appliance_version');
});
