import { describe, expect, test } from 'vitest';
import { appliance, call, get, withAnAppliance } from '../testing.ts';

withAnAppliance({ generation: 'field-v1' });

describe('the SQL server', () => {
  test('takes GET where the document shows no method', async () => {
    expect(await call('/sqldb/databases')).toMatchObject({ status: 200 });
    expect(await call('/sqldb/databases', { method: 'POST' })).toMatchObject({ status: 405 });
    expect(await call('/sqldb/service/restart', { method: 'POST' })).toMatchObject({ status: 405 });
  });

  test('deletes a database over GET', async () => {
    const path = '/sqldb/database/delete/statistics';
    expect(await call(path, { method: 'POST' })).toMatchObject({ status: 405 });
    expect(appliance.state.sqldb.databases.has('statistics')).toBe(true);
    expect(await get(path)).toMatchObject({ Status: true });
    expect(appliance.state.sqldb.databases.has('statistics')).toBe(false);
  });

  test('reports one account over GET, flat, with a letter for each privilege', async () => {
    expect(await get('/sqldb/user/statistics/localhost')).toMatchObject({
      Status: true,
      User: 'statistics',
      Host: 'localhost',
      Select_priv: 'Y',
      Drop_priv: 'N',
    });
  });

  test('lists privileges database by database, and none that is global', async () => {
    const reply = await get('/sqldb/user/statistics/localhost/privileges');
    expect(reply).toMatchObject({
      Databases: [{ DatabaseName: 'statistics', Select_priv: 'Y', Drop_priv: 'Y', Grant_priv: 'N' }],
    });
    expect(reply).not.toHaveProperty('Privileges');
    // Root has global privileges, and none on a database of its own.
    expect(await get('/sqldb/user/root/localhost/privileges')).toMatchObject({ Databases: null });
  });

  test('lists databases with name and size in bytes', async () => {
    expect(await get('/sqldb/databases')).toMatchObject({
      Databases: expect.arrayContaining([{ Name: 'console', Size: 58_720_256 }]),
    });
  });
});

describe('a status', () => {
  test.each([
    ['the remote-desktop gateway', '/rdpproxy/status', 'APP_RDPPROXY'],
    ['the DNS server', '/authdns/status', 'APP_AUTHDNS'],
    ['the FTP server', '/ftpd/status', 'APP_FTPD'],
  ])('is INI text for %s', async (_, path, section) => {
    const reply = await get<{ Info?: string; info?: string }>(path);
    expect(reply.Info ?? reply.info).toMatch(
      new RegExp(`^\\[${section}\\]\nrunning=1\nmaster_pid=[1-9]\\d*\n$`),
    );
  });

  test('says that a restarting server does not run', async () => {
    await get('/authdns/restart');
    expect(await get('/authdns/status')).toMatchObject({
      info: '[APP_AUTHDNS]\nrunning=0\nmaster_pid=0\n',
    });
  });

  test('counts the hits of the recursor for the DNS server', async () => {
    expect(await get('/authdns/status')).toMatchObject({
      Recursor: { 'cache-hits': expect.any(String), 'cache-misses': expect.any(String) },
    });
  });
});

test('FTP events are raw lines of the log, or null', async () => {
  const { Results } = await get<{ Results: readonly string[] }>('/ftpd/events/login%20failed/2');
  expect(Results).toHaveLength(2);
  expect(Results[0]).toMatch(/^\d{4}-.* ftpd\[\d+\]: .*login failed/);
  expect(await get('/ftpd/events/nobody-did-this/2')).toMatchObject({ Results: null });
});

describe('interfaces', () => {
  test('are disabled by unlinking, and their definition stays in the list', async () => {
    await get('/system/network/vlan/unlink/2');
    const { Interfaces } = await get<{ Interfaces: readonly object[] }>('/system/network/vlan/list');
    expect(Interfaces).toContainEqual(
      expect.objectContaining({ ID: 2, Name: 'eth1.30', State: 'down', Enabled: 0 }),
    );
    expect(appliance.state.vlan.interfaces.get(2)).toMatchObject({ enabled: false, upSince: undefined });
    await get('/system/network/vlan/build');
    expect(appliance.state.vlan.interfaces.get(2)?.upSince).toBeUndefined();
    expect(appliance.state.vlan.interfaces.get(5)?.upSince).toBeDefined();
  });

  test('have flags for a state, bytes, drops, and a speed in Mbit/s', async () => {
    const { interfaces } = await get<{ interfaces: readonly object[] }>('/system/network/interfaces');
    expect(interfaces[0]).toEqual({
      Name: 'eth0',
      State: 'up|broadcast|multicast|running',
      RxBytes: expect.any(Number),
      TxBytes: expect.any(Number),
      Drop: 0,
      Speed: 10_000,
    });
    expect(interfaces.at(-1)).toMatchObject({ Name: 'eth3', State: 'broadcast|multicast' });
  });
});
