import { expect, test } from 'vitest';
import { onlyNockAnswers } from '../../../test/nock.ts';
import { connectAppliance } from '../client.ts';
import { answers, appliance, url } from './testing.ts';

onlyNockAnswers();

test('the interfaces have their ID and all reported fields', async () => {
  answers('/system/network/vlan/list', {
    Status: true,
    Error: '',
    Interfaces: [{ ID: '7', Name: 'eth0.120', State: 'up', Statistics: { rx_bytes: 5 } }],
  });
  expect(await appliance.vlan.list()).toMatchObject([
    { id: 7, name: 'eth0.120', fields: { State: 'up', Statistics: '{"rx_bytes":5}' } },
  ]);
});

test('the tag of a VLAN is never taken for the ID of its interface', async () => {
  answers('/system/network/vlan/list', { Interfaces: [{ ID: 7, vlanid: 120 }] });
  expect(await appliance.vlan.list()).toMatchObject([{ id: 7 }]);
  answers('/system/network/vlan/list', { Interfaces: [{ vlanid: 120 }] });
  await expect(appliance.vlan.list()).rejects.toMatchObject({
    code: 'unexpected_reply',
    at: 'Interfaces.0',
  });
});

test.each(['start', 'stop', 'reconfigure', 'unlink'] as const)('%s names the interface', async (order) => {
  answers(`/system/network/vlan/${order}/7`, { Status: true });
  expect(await appliance.vlan[order]({ id: 7 })).toEqual({ confirmed: true, info: '' });
});

test.each(['install', 'uninstall', 'build'] as const)('%s is about all interfaces', async (order) => {
  answers(`/system/network/vlan/${order}`, { Status: true });
  expect(await appliance.vlan[order]()).toEqual({ confirmed: true, info: '' });
});

test('a release without VLANs is reported before anything is sent', async () => {
  const older = connectAppliance({ name: 'old', url, release: '4.50' });
  await expect(older.vlan.build()).rejects.toMatchObject({ code: 'not_available', sent: 'no' });
  await older.close();
});

test('a list of VLANs is a list of their interfaces', async () => {
  for (const name of ['VLANs', 'vlan_interfaces', 'Interfaces']) {
    answers('/system/network/vlan/list', { Status: true, [name]: [{ ID: 3, Name: 'eth0.30' }] });
    expect(await appliance.vlan.list()).toMatchObject([{ id: 3, name: 'eth0.30' }]);
  }
});
