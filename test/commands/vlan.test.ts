import { expect, test } from 'vitest';
import { converse } from '../conversation.ts';

const prefix = 'GET /system/network/vlan';

test('the interfaces are listed with the essentials, and those that are down are named first', async () => {
  const { type } = await converse();
  const said = await type('/appliance vlan list', 'vic');
  expect(said).toContain(
    '6 VLAN interfaces, 2 of them down: eth1.40 (Design workstations) and eth2.99 (Guests)',
  );
  expect(said).toMatch(/3 +eth1\.31 +up +Finance and personnel +31 +10\.20\.7\.1/);
  expect(await type('/appliance show vlan eth1.31', 'vic')).toContain(
    'eth1.31 (Finance and personnel) is up',
  );
});

test('stopping an interface shows its users, is confirmed, read back, and taken back by Undo', async () => {
  const { type, press, appliance } = await converse();
  const { interfaces } = appliance.state.vlan;
  const card = await type('/appliance vlan stop 3', 'bob');
  expect(card).toContain('Stop VLAN interface eth1.31 (Finance and personnel)?');
  expect(card).toContain('this network loses connectivity, and possibly Appliance Bot does too');
  expect(interfaces.get(3)?.upSince).toBeDefined();
  expect(await press('Stop', 'bob')).toContain('Verified. Interface read back: it is down.');
  expect(interfaces.get(3)?.upSince).toBeUndefined();
  expect(await type('/appliance stop vlan 3', 'bob')).toContain('is already down. No changes were made.');
  await press('Undo', 'bob');
  expect(interfaces.get(3)?.upSince).toBeDefined();
});

test('starting runs at once and takes a name; a tag is not taken for an ID', async () => {
  const { type, press, appliance } = await converse();
  const { interfaces } = appliance.state.vlan;
  expect(await type('/appliance vlan start eth1.40', 'bob')).toContain(
    '✅ VLAN interface eth1.40 (Design workstations) started',
  );
  expect(interfaces.get(5)?.upSince).toBeDefined();
  await press('Undo', 'bob');
  expect(interfaces.get(5)?.upSince).toBeUndefined();
  const said = await type('/appliance vlan stop 31', 'bob');
  expect(said).toContain('hq lists no VLAN interface 31. No changes were made.');
  expect(said).toContain('[eth1.31 (3), Finance and personnel, up]');
});

test('an appliance that says yes and does nothing is not believed', async () => {
  const { type, press, appliance } = await converse();
  appliance.faults.set(`${prefix}/stop/{id}`, { kind: 'forget' });
  await type('/appliance vlan stop 3', 'bob');
  const said = await press('Stop', 'bob');
  expect(said).toContain('Stopping VLAN interface eth1.31 (Finance and personnel): accepted, never seen');
  expect(said).toContain('10 min later it still doesn’t show. Interface read back: it is up.');
  appliance.faults.set(`${prefix}/reconfigure/{id}`, { kind: 'forget' });
  await type('/appliance vlan reconfigure 3', 'bob');
  expect(await press('Reconfigure', 'bob')).toContain('so it was not rebuilt');
  appliance.faults.set(`${prefix}/unlink/{id}`, { kind: 'forget' });
  await type('/appliance vlan unlink 8', 'bob');
  expect(await press('Remove', 'bob')).toContain(
    'Accepted, not verified: eth2.99 is in the list and down, as before, and nothing shows whether it is linked',
  );
  await type('/appliance vlan unlink 3', 'bob');
  appliance.faults.set(`${prefix}/unlink/{id}`, { kind: 'forget' });
  expect(await press('Remove', 'bob')).toContain('eth1.31 is still there and is up');
});

test('a rebuilt interface is proven by its counters, and a removed one is gone for good', async () => {
  const { type, press, appliance } = await converse();
  await type('/appliance vlan reconfigure 3', 'bob');
  expect(await press('Reconfigure', 'bob')).toContain('it is up, and its counters started over');
  expect(await type('/appliance vlan unlink 8', 'bob')).toContain('The API cannot create it again');
  expect(await press('Remove', 'bob')).toContain('eth2.99 is gone, 5 others left');
  expect(appliance.state.vlan.interfaces.has(8)).toBe(false);
});

test('building interrupts running interfaces, says so, and names those that came up', async () => {
  const { type, press, appliance } = await converse();
  const card = await type('/appliance vlan build', 'bob');
  expect(card).toContain('Build all 6 VLAN interfaces of hq? Their traffic is interrupted meanwhile.');
  expect(card).toContain('Interrupted  eth1.20 (Servers)');
  const said = await press('Build', 'bob');
  expect(said).toContain('eth1.40 (Design workstations) and eth2.99 (Guests) came up, and none is down');
  expect(appliance.requests.filter(({ path }) => path.endsWith('/vlan/build'))).toHaveLength(1);
  // When all were up before, nothing tells.
  await type('/appliance vlan build', 'bob');
  expect(await press('Build', 'bob')).toContain('Accepted, not verified: all interfaces were up before');
});

test('the feature is uninstalled after a question that names every interface, and installed again at once', async () => {
  const { type, press, appliance } = await converse();
  expect(await type('/appliance vlan install', 'bob')).toContain(
    'already installed: hq lists 6 VLAN interfaces',
  );
  const card = await type('/appliance vlan uninstall', 'bob');
  expect(card).toContain('Impact: 6 VLAN interfaces removed.');
  expect(await press('Uninstall', 'bob')).toContain(
    'the appliance replied: The VLAN feature is not installed.',
  );
  expect(appliance.state.vlan.installed).toBe(false);
  expect(await type('/appliance vlan list', 'bob')).toContain(
    'The VLAN feature is not installed on hq. /appliance vlan install installs it',
  );
  const said = await type('/appliance vlan install', 'bob');
  expect(said).toContain('VLAN feature installed');
  expect(said).toContain('6 interfaces, 6 of them down. /appliance vlan build builds them.');
});

test('an interface that changes between the question and the click asks again', async () => {
  const { type, press, appliance } = await converse();
  await type('/appliance vlan unlink 3', 'bob');
  const one = appliance.state.vlan.interfaces.get(3);
  if (one !== undefined) one.upSince = undefined;
  expect(await press('Remove', 'bob')).toContain('This is not what you were shown a moment ago');
  expect(appliance.state.vlan.interfaces.has(3)).toBe(true);
});

test('invalid numbers get a plain sentence, and a viewer may only read', async () => {
  const { type, appliance } = await converse();
  for (const number of ['-3', '3.5', '99999999999999999999']) {
    expect(await type(`/appliance vlan stop ${number}`, 'bob')).toMatch(/No changes were made\./);
  }
  expect(await type('/appliance vlan stop 3', 'vic')).toContain('vlan stop requires');
  expect(appliance.requests.filter(({ path }) => path.includes('/stop/'))).toEqual([]);
});

test('"vlan stop" without an interface asks for one', async () => {
  const { type, person } = await converse();
  await type('/appliance vlan stop', 'bob');
  expect(person('bob').form()).toMatchObject({
    title: 'VLAN stop',
    fields: [{ label: 'VLAN interface' }, { label: 'Run at' }, { label: 'Undo after' }],
  });
});
