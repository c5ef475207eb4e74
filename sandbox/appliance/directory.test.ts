import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { appliance, get, pass, withAnAppliance } from './testing.ts';

withAnAppliance();

interface Status {
  status: boolean;
  info: string;
  [number: string]: unknown;
}

const linked = () => get('/proxy/auth/status');

/** Gzip and zip by their first bytes. */
const archives = [Uint8Array.of(0x1f, 0x8b, 0x08), Uint8Array.of(0x50, 0x4b, 0x03, 0x04)] as const;

async function upload(
  path: string,
  field: string,
  content: Uint8Array<ArrayBuffer> | string,
  name = 'pack.tgz',
) {
  const form = new FormData();
  form.set(field, new Blob([content]), name);
  return (await fetch(appliance.url + path, { method: 'POST', body: form })).json();
}

describe('the connection', () => {
  test('its status has lower-case keys and numbers that are strings, which move with time', async () => {
    const before = await get<Status>('/status');
    expect(before).toEqual({
      status: true,
      info: 'Connected by Kerberos since 2026-11-08 12:00:00',
      current_daemon: expect.stringMatching(/^\d+$/),
      max_daemons: '60',
      requests_sent: '7931520',
      replies_received: '7931520',
      queue_length: '0',
      avg_service_time: expect.stringMatching(/^\d+ msec$/),
    });
    pass(75);
    const after = await get<Status>('/status');
    expect(after.requests_sent).toBe('7932795');
    expect(after.current_daemon).not.toBe(before.current_daemon);
  });

  test('a connection of one kind takes the place of the other', async () => {
    await get('/ntlm_connect');
    expect(await get('/status')).toMatchObject({ info: 'Connected by NTLM since 2026-11-20 12:00:00' });
    await get('/proxy/kerberos/connect');
    expect(appliance.state.directory.connection).toMatchObject({ kind: 'kerberos' });
  });

  test.each([
    ['/ntlm_connect', '/ntlm_disconnect'],
    ['/proxy/ntlm/connect', '/proxy/ntlm/disconnect'],
    ['/kerberos_connect', '/kerberos_disconnect'],
    ['/proxy/kerberos/connect', '/proxy/kerberos/disconnect'],
  ])('%s and %s connect and disconnect', async (connect, disconnect) => {
    expect(await get(disconnect)).toMatchObject({ status: true });
    expect(await get('/status')).toMatchObject({
      status: false,
      info: 'The proxy is not connected to a directory',
      requests_sent: '0',
    });
    expect(await linked()).toBe(false);
    expect(await get(connect)).toMatchObject({ status: true });
    expect(await get('/status')).toMatchObject({ status: true });
    expect(await linked()).toBe(true);
  });

  test('a directory that does not answer is reported with its reason; a new connection repairs it', async () => {
    const { connection } = appliance.state.directory;
    if (connection) connection.broken = 'dc-01.corp.example does not answer';
    expect(await get('/status')).toMatchObject({
      status: false,
      info: 'dc-01.corp.example does not answer',
      queue_length: '400',
    });
    await get('/kerberos_connect');
    expect(await get('/status')).toMatchObject({ status: true });
  });
});

describe('the emergency modes', () => {
  test.each(['/emergency_enable', '/proxy/auth/emergency/enable'])(
    '%s lets everybody pass until it is disabled; the connection outlives it',
    async (enable) => {
      expect(await get(enable)).toMatchObject({ status: true });
      expect(await linked()).toBe(false);
      expect(await get('/status')).toMatchObject({
        status: false,
        info: expect.stringMatching(/^Emergency/),
      });
      await get(enable);
      expect(appliance.state.directory.emergency).toBe(true);
      expect(await get('/emergency_disable')).toMatchObject({ status: true });
      expect(await linked()).toBe(true);
    },
  );

  test.each(['/emergency_remove', '/proxy/general/emergency/remove'])(
    '%s leaves Global Emergency, and no other',
    async (remove) => {
      appliance.state.directory.globalEmergency = true;
      appliance.state.directory.emergency = true;
      expect(await get('/status')).toMatchObject({ info: expect.stringMatching(/^Global Emergency/) });
      await get(remove);
      expect(appliance.state.directory).toMatchObject({ globalEmergency: false, emergency: true });
    },
  );
});

describe('during an emergency', () => {
  const orders = [
    '/proxy/auth/reconfigure',
    '/proxy/general/reconfigure',
    '/proxy/general/reset',
    '/ntlm_connect',
    '/kerberos_connect',
    '/proxy/ntlm/connect',
    '/proxy/kerberos/connect',
    '/proxy/kerberos/disconnect',
  ];

  test.each(orders)('%s leaves it on, and the answer says so', async (order) => {
    await get('/emergency_enable');
    expect(await get(order)).toMatchObject({
      status: true,
      info: expect.stringMatching(/; emergency mode stays on until \/emergency_disable$/),
    });
    expect(await get('/status')).toMatchObject({
      status: false,
      info: expect.stringMatching(/^Emergency/),
    });
    await get('/emergency_disable');
    expect(await get('/ntlm_connect')).toEqual({
      status: true,
      info: 'Connected to the directory CORP.EXAMPLE by NTLM',
    });
  });

  test('neither mode claims to be connected, and leaving one emergency does not leave the other', async () => {
    appliance.state.directory.globalEmergency = true;
    expect(await get('/ntlm_connect')).toMatchObject({
      info: expect.stringMatching(/^Set to connect .*; Global Emergency stays on until \/emergency_remove$/),
    });
    await get('/emergency_enable');
    expect(await get('/emergency_remove')).toMatchObject({
      info: 'Global Emergency is removed; emergency mode stays on until /emergency_disable',
    });
    appliance.state.directory.globalEmergency = true;
    expect(await get('/emergency_disable')).toMatchObject({
      info: 'Emergency is disabled; Global Emergency stays on until /emergency_remove',
    });
  });
});

describe('the proxy', () => {
  test('starts anew when it is reconfigured, and its numbers move', async () => {
    expect(await get('/proxy/general/reconfigure')).toMatchObject({ status: true });
    expect(await get('/proxy/metrics/info')).toMatchObject({ uptime: 0, requests: 0 });
    pass(10);
    expect(await get('/proxy/metrics/info')).toMatchObject({ uptime: 10, requests: 2100 });
    await get('/proxy/general/reset');
    expect(await get('/proxy/metrics/info')).toMatchObject({ uptime: 0, rebuilt_for: 'reset' });
  });

  test('cannot authenticate by a method that is not defined', async () => {
    expect(await get('/proxy/auth/reconfigure')).toMatchObject({ status: true });
    await get('/kerberos_disconnect');
    expect(await get('/proxy/auth/reconfigure')).toMatchObject({ status: false });
  });

  test('a port that does not listen is named', async () => {
    expect(await get('/proxy/ports/check')).toMatchObject({ status: true });
    const [, port] = appliance.state.directory.proxy.ports;
    if (port) port.listening = false;
    expect(await get('/proxy/ports/check')).toMatchObject({ status: false, info: 'Not listening: 3129' });
  });
});

describe('the appliance', () => {
  test('its services are reported as they are now', async () => {
    const running = async () => {
      const { services } = await get<{ services: Record<string, { running: number }> }>('/system/services');
      return Object.entries(services).flatMap(([key, one]) => (one.running === 1 ? [key] : []));
    };
    expect(await running()).toHaveLength(12);
    await get('/ftpd/uninstall');
    await get('/authdns/restart');
    expect(await running()).toHaveLength(10);
    expect(await running()).not.toContain('APP_FTPD');
    await get('/system/softwares/install/APP_DNSFW/11903');
    expect(await get('/dnsfw/status')).toMatchObject({ status: true, running: 1, version: '1.19.3' });
  });

  test('its SQL server and its gateway have the same status as in their own operations', async () => {
    const { rdp, sqldb } = appliance.state;
    const both = async () => {
      const { services } = await get<{ services: Record<string, unknown> }>('/system/services');
      return [services.APP_SQLDB, services.APP_RDPPROXY];
    };
    const days = (count: number) => count * 86_400;
    expect(await both()).toMatchObject([
      { running: 1, pid: sqldb.server.pid, uptime: days(23) + 4271 },
      { running: 1, pid: rdp.gateway.pid, uptime: days(9) },
    ]);
    await get('/sqldb/service/restart');
    await get('/rdpproxy/restart');
    pass(4);
    expect(await both()).toMatchObject([
      { running: 1, pid: sqldb.server.pid, uptime: 4 },
      { running: 0, pid: 0, uptime: 0 },
    ]);
    pass(3);
    expect(await both()).toMatchObject([{ uptime: 7 }, { running: 1, pid: rdp.gateway.pid, uptime: 2 }]);
  });

  test('its interfaces count with time', async () => {
    const received = async () => {
      const { interfaces } = await get<{ interfaces: { rx_bytes: number }[] }>('/system/network/interfaces');
      return interfaces.map(({ rx_bytes }) => rx_bytes);
    };
    const before = await received();
    pass(1);
    expect((await received()).map((bytes, index) => bytes - (before[index] ?? 0))).toEqual([
      2_870_000, 402_000, 12_400, 0,
    ]);
  });

  test('its downloads go through a proxy when told so', async () => {
    expect(await get('/configuration/proxy')).toMatchObject({ enabled: 0, host: '', port: 0 });
    await get('/configuration/proxy/enable/proxy.corp.example:3128');
    expect(await get('/configuration/proxy')).toMatchObject({
      enabled: 1,
      host: 'proxy.corp.example',
      port: 3128,
    });
    await get('/configuration/proxy/enable/[2001:db8::7]:3129');
    expect(await get('/configuration/proxy')).toMatchObject({ host: '[2001:db8::7]', port: 3129 });
    await get('/configuration/proxy/enable/proxy.corp.example:3128');
    for (const wrong of [
      'proxy:0',
      'proxy:65536',
      'proxy:web',
      'pro%20xy:3128',
      '..:1',
      '::1:3128',
      '[::g]:1',
    ])
      expect(await get(`/configuration/proxy/enable/${wrong}`)).toMatchObject({ status: false });
    expect(await get('/configuration/proxy')).toMatchObject({ host: 'proxy.corp.example' });
    await get('/configuration/proxy/disable');
    expect(await get('/configuration/proxy')).toMatchObject({ enabled: 0 });
  });
});

describe('the REST engine', () => {
  test('its index is keyed by the version without its dot, and grows with a refresh', async () => {
    const { index } = await get<{ index: Record<string, unknown> }>('/autoupdate/index');
    expect(Object.keys(index)).toEqual(['1185', '1186', '1187', '1188', '1189', '1190', '1191']);
    expect(index['1191']).toEqual({
      VERSION: '1.191',
      URI: 'http://repo.example/engine/rest-engine-1.191.tar.gz',
      MD5: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    for (const key of ['1192', '01191', '1.191'])
      expect(await get(`/autoupdate/update/${key}`)).toMatchObject({ status: false });
    expect(await get('/autoupdate/refresh')).toMatchObject({
      status: true,
      index: { '1192': { VERSION: '1.192' } },
    });
    expect(await get('/autoupdate/update/1192')).toMatchObject({ status: true });
    expect(appliance.state.directory.engine.version).toBe('1.192');
  });

  test('below 1.189 it has lost its update', async () => {
    expect(await get('/autoupdate/update/1189')).toMatchObject({ status: true });
    expect(await get('/autoupdate/update/1188')).toMatchObject({ status: true });
    for (const path of ['/autoupdate/index', '/autoupdate/refresh', '/autoupdate/update/1192'])
      expect((await fetch(appliance.url + path)).status).toBe(404);
    expect(await get('/status')).toMatchObject({ status: true });
  });
});

describe('uploads', () => {
  test.each(['/service_pack', '/softwares/service_pack'])(
    '%s installs in the background; a minute later the version shows it',
    async (path) => {
      const version = () => get<{ latest_upgrade: string[] }>('/appliance_version');
      expect(await version()).toEqual({
        status: true,
        major: '4.50',
        version: '4.50 Service Pack 5',
        service_pack: '5',
        latest_upgrade: [],
      });
      expect(await upload(path, 'servicepack', archives[0])).toEqual({
        status: true,
        info: 'pack.tgz is correctly uploaded',
      });
      expect(await upload(path, 'servicepack', archives[0])).toMatchObject({ status: false });
      pass(59);
      expect(await version()).toMatchObject({ service_pack: '5', version: '4.50 Service Pack 5' });
      expect((await version()).latest_upgrade).toHaveLength(3);
      pass(1);
      expect(await version()).toMatchObject({ service_pack: '6', version: '4.50 Service Pack 6' });
      pass(3600);
      expect((await version()).latest_upgrade.at(-1)).toBe(
        '2026-11-20 12:01:00 The service pack is installed',
      );
      expect(await version()).toMatchObject({ service_pack: '6' });
    },
  );

  test('a hotfix shows in the text of the version', async () => {
    await upload('/system/appliance/hotfix', 'hotfix', archives[0], 'hotfix-20261118-04.tgz');
    pass(60);
    expect(await get('/appliance_version')).toMatchObject({
      version: '4.50 Service Pack 5 hotfix 20261118-04',
      service_pack: '5',
      latest_upgrade: expect.arrayContaining(['2026-11-20 12:01:00 The hotfix is installed']),
    });
  });

  test('a file that is no archive is correctly uploaded all the same, but its upgrade fails and changes nothing', async () => {
    const before = await get('/appliance_version');
    for (const [path, field, kind] of [
      ['/service_pack', 'servicepack', 'service pack'],
      ['/system/appliance/hotfix', 'hotfix', 'hotfix'],
    ] as const) {
      expect(await upload(path, field, 'package')).toEqual({
        status: true,
        info: 'pack.tgz is correctly uploaded',
      });
      pass(3600);
      const after = await get<{ latest_upgrade: string[] }>('/appliance_version');
      expect(after).toEqual({ ...(before as object), latest_upgrade: expect.any(Array) });
      expect(after.latest_upgrade).toHaveLength(3);
      expect(after.latest_upgrade.at(-1)).toMatch(
        new RegExp(`Failed: pack.tgz is no archive, the ${kind} is not installed$`),
      );
    }
    await upload('/service_pack', 'servicepack', archives[1], 'pack.zip');
    pass(60);
    expect(await get('/appliance_version')).toMatchObject({ service_pack: '6' });
  });

  test('a wrong form field, an empty file or none is refused', async () => {
    for (const [path, field] of [
      ['/shell_upload', 'zipcontainer'],
      ['/system/appliance/hotfix', 'hotfix'],
      ['/service_pack', 'servicepack'],
      ['/softwares/service_pack', 'servicepack'],
    ] as const) {
      expect(await upload(path, 'file', 'package')).toEqual({
        status: false,
        info: `No file in the form field ${field}`,
      });
      expect(await upload(path, field, '')).toEqual({ status: false, info: 'pack.tgz is empty' });
      const without = await fetch(appliance.url + path, { method: 'POST' });
      expect(await without.json()).toMatchObject({ status: false });
    }
    expect(appliance.state.directory.upgrade).toBeUndefined();
  });

  test('a shell package is a zip with a shell.sh at its top, and needs the feature to be on', async () => {
    const good = await zipOf('data.txt', 'shell.sh');
    const send = (content: Uint8Array<ArrayBuffer> | string) =>
      upload('/shell_upload', 'zipcontainer', content, 'shell.zip');
    expect(await send(good)).toEqual({ status: true, info: 'shell.zip is correctly uploaded' });
    expect(await send(await zipOf('scripts/shell.sh'))).toMatchObject({ status: false });
    expect(await send(good.subarray(0, -10))).toMatchObject({ status: false });
    expect(await send('PK\x05\x06 shell.sh')).toMatchObject({ status: false });
    appliance.state.directory.shell.enabled = false;
    expect(await send(good)).toMatchObject({ status: false, info: 'The shell execution feature is off' });
    expect(appliance.state.directory.shell.packages).toMatchObject([
      { filename: 'shell.zip', size: good.length },
    ]);
  });
});

test('with an expired licence every operation is refused and nothing changes', async () => {
  const { state, operations, urls } = appliance;
  state.directory.licence = 'expired';
  const before = structuredClone(state.directory);
  let own = 0;
  for (const operation of operations) {
    const [method = '', path = ''] = operation.replaceAll(/\{\w+\}/g, '1189').split(' ');
    const response = await fetch(urls.directory + path, { method: method === '-' ? 'GET' : method });
    if (response.status === 404) continue;
    own += 1;
    expect(await response.json(), operation).toEqual({
      status: false,
      info: expect.stringContaining('licence'),
    });
  }
  expect(own).toBe(34);
  expect(state.directory).toEqual(before);
});

async function zipOf(...names: string[]): Promise<Uint8Array<ArrayBuffer>> {
  const zip = new ZipFile();
  for (const name of names) zip.addBuffer(Buffer.from('#!/bin/sh\n'), name);
  zip.end();
  return new Uint8Array(await buffer(zip.outputStream));
}
