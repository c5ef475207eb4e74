import nock from 'nock';
import { afterAll, describe, expect, test } from 'vitest';
import { onlyNockAnswers } from '../../../test/nock.ts';
import { connectAppliance } from '../client.ts';
import { operations } from '../operations.ts';

const url = 'http://192.0.2.10:9503';
const directoryUrl = 'http://192.0.2.10:9504';
const appliance = connectAppliance({ name: 'lab', url, directoryUrl, release: '4.50 SP5' });
const { directory } = appliance;

onlyNockAnswers();
afterAll(() => appliance.close());

const answers = (path: string, body: nock.Body) => nock(directoryUrl).get(path).reply(200, body);

describe('the orders of the two generations', () => {
  test.each([
    ['connectNtlm', '/ntlm_connect'],
    ['connectNtlmV2', '/proxy/ntlm/connect'],
    ['connectKerberos', '/kerberos_connect'],
    ['connectKerberosV2', '/proxy/kerberos/connect'],
    ['disconnectNtlm', '/ntlm_disconnect'],
    ['disconnectNtlmV2', '/proxy/ntlm/disconnect'],
    ['disconnectKerberos', '/kerberos_disconnect'],
    ['disconnectKerberosV2', '/proxy/kerberos/disconnect'],
    ['enableEmergency', '/emergency_enable'],
    ['enableEmergencyV2', '/proxy/auth/emergency/enable'],
    ['disableEmergency', '/emergency_disable'],
    ['removeGlobalEmergency', '/emergency_remove'],
    ['removeGlobalEmergencyV2', '/proxy/general/emergency/remove'],
    ['reconfigureAuthentication', '/proxy/auth/reconfigure'],
    ['reconfigureProxy', '/proxy/general/reconfigure'],
    ['resetProxy', '/proxy/general/reset'],
    ['disableDownloadProxy', '/configuration/proxy/disable'],
  ] as const)('%s calls %s', async (order, path) => {
    answers(path, { status: true, info: 'done' });
    expect(await directory[order]()).toEqual({ confirmed: true, info: 'done' });
  });

  test('disabling the emergency never calls the path that enables it', () => {
    const all = [...operations].map(([name, { path, summary, effect }]) => ({ name, path, summary, effect }));
    const enables = (path: string) => /emergency/i.test(path) && /enable/i.test(path);
    const disabling = all.filter(
      ({ name, summary }) => /disable/i.test(`${name} ${summary}`) && /emergency/i.test(`${name} ${summary}`),
    );
    expect(disabling.map(({ path }) => path)).toEqual(['/emergency_disable']);
    const enabling = all.filter(({ path }) => enables(path));
    expect(enabling.map(({ name, effect }) => [name, effect])).toEqual([
      ['directory.enableEmergency', 'destructive'],
      ['directory.enableEmergencyV2', 'destructive'],
    ]);
    for (const { summary } of enabling) expect(summary).toMatch(/^Enables the emergency/);
  });

  test('the mode that the appliance enters by itself is called Global Emergency', () => {
    for (const name of ['removeGlobalEmergency', 'removeGlobalEmergencyV2'] as const)
      expect(operations.get(`directory.${name}`)?.summary).toContain('Global Emergency');
  });

  test('a method that the document does not show can be configured', async () => {
    const other = connectAppliance({ name: 'lab', url, methods: { 'directory.connectNtlm': 'POST' } });
    nock(url).post('/ntlm_connect').reply(200, { status: true });
    expect(await other.directory.connectNtlm()).toEqual({ confirmed: true, info: '' });
    await other.close();
  });
});

describe('the connection to the directory', () => {
  const working = {
    status: true,
    info: 'Connected',
    current_daemon: '24',
    max_daemons: '60',
    requests_sent: '1700',
    replies_received: ' 1699 ',
    queue_length: '0',
    avg_service_time: '12 msec',
  };

  test('its numbers are numbers, though the appliance writes them as text', async () => {
    answers('/status', working);
    expect(await directory.status()).toEqual({
      connected: true,
      info: 'Connected',
      activeDaemons: 24,
      maxDaemons: 60,
      requestsSent: 1700,
      repliesReceived: 1699,
      queueLength: 0,
      averageServiceTime: { text: '12 msec', milliseconds: 12 },
    });
  });

  test.each([
    ['0.5 ms', { text: '0.5 ms', milliseconds: 0.5 }],
    ['3 seconds', { text: '3 seconds' }],
    ['about 12 msec', { text: 'about 12 msec' }],
    [12, { text: '12' }],
    ['', undefined],
  ])('the service time %j is in milliseconds only if it says so', async (written, time) => {
    answers('/status', { ...working, avg_service_time: written });
    expect((await directory.status()).averageServiceTime).toEqual(time);
  });

  test('a broken connection is an answer with an explanation', async () => {
    answers('/status', { Status: 'False', Info: 'Domain controller unreachable', Queue_Length: 7 });
    expect(await directory.status()).toEqual({
      connected: false,
      info: 'Domain controller unreachable',
      queueLength: 7,
    });
  });

  test('a failed question is not a broken connection', async () => {
    answers('/status', { status: false, error: 'no valid licence' });
    await expect(directory.status()).rejects.toMatchObject({ code: 'refused', reason: 'no valid licence' });
  });

  test.each<[nock.Body, string]>([
    [{ info: 'Connected', queue_length: '0' }, 'status'],
    [{ status: 'perhaps' }, 'status'],
  ])('%j says neither that it works nor that it is broken', async (body, at) => {
    answers('/status', body);
    await expect(directory.status()).rejects.toMatchObject({ code: 'unexpected_reply', at });
  });
});

describe('an odd number in the status', () => {
  test('is left out and stays readable, and the essential answer remains', async () => {
    answers('/status', { ...{ status: true, info: 'Connected' }, Queue_Length: 'n/a', max_daemons: [60] });
    expect(await directory.status()).toEqual({
      connected: true,
      info: 'Connected',
      unread: { queue_length: 'n/a', max_daemons: '[60]' },
    });
  });

  test('hides nothing beside it', async () => {
    answers('/status', { status: false, info: 'down', queue_length: 'n/a', current_daemon: '24' });
    expect(await directory.status()).toEqual({
      connected: false,
      info: 'down',
      activeDaemons: 24,
      unread: { queue_length: 'n/a' },
    });
  });
});

describe('the link to an authentication method', () => {
  test.each<[nock.Body, boolean, string]>([
    ['true', true, ''],
    ['false', false, ''],
    ['"true"', true, ''],
    ['"False"', false, ''],
    ['1', true, ''],
    ['0', false, ''],
    [{ status: true }, true, ''],
    [{ Status: 'False' }, false, ''],
    [{ status: 'no', info: 'not linked' }, false, 'not linked'],
    [{ Status: true, Info: 'Kerberos', Error: '' }, true, 'Kerberos'],
    [{ Status: true, Info: 'True' }, true, 'True'],
  ])('%j means %s', async (body, linked, info) => {
    answers('/proxy/auth/status', body);
    expect(await directory.authenticationStatus()).toEqual({ linked, info });
  });

  test.each<[nock.Body]>([
    [{ info: 'fine' }],
    ['"linked"'],
    ['[true]'],
    ['null'],
    [{ Status: true, Info: 'false' }],
    [{ Status: false, Info: 'True' }],
  ])('%j means neither', async (body) => {
    answers('/proxy/auth/status', body);
    await expect(directory.authenticationStatus()).rejects.toMatchObject({ code: 'unexpected_reply' });
  });

  test('a failed question does not mean that there is no link', async () => {
    answers('/proxy/auth/status', { status: false, error: 'no valid licence' });
    await expect(directory.authenticationStatus()).rejects.toMatchObject({ code: 'refused' });
  });
});

describe('the version of the appliance', () => {
  test('its texts come as they are', async () => {
    answers('/appliance_version', {
      status: true,
      major: 4.5,
      version: '4.50 Service Pack 5',
      service_pack: 5,
      latest_upgrade: ['20250605-13 uploaded', '20250605-13 installed'],
    });
    expect(await directory.applianceVersion()).toEqual({
      major: '4.5',
      version: '4.50 Service Pack 5',
      servicePack: '5',
      latestUpgrade: '20250605-13 uploaded\n20250605-13 installed',
    });
  });

  test.each<[unknown, object]>([
    [undefined, {}],
    [null, {}],
    [[], {}],
    [{ '20250605-13': 'installed' }, { latestUpgrade: '{"20250605-13":"installed"}' }],
  ])('what is not told is empty, and events in any shape stand in nobody’s way: %j', async (events, told) => {
    answers('/appliance_version', { Version: '4.30.141', service_pack: null, latest_upgrade: events });
    expect(await directory.applianceVersion()).toEqual({
      major: '',
      version: '4.30.141',
      servicePack: '',
      ...told,
    });
  });
});

test.each<[nock.Body]>([[{ info: '' }], [{ status: true, info: 'ok' }], [{ major: '', version: null }]])(
  '%j tells no version at all',
  async (body) => {
    answers('/appliance_version', body);
    await expect(directory.applianceVersion()).rejects.toMatchObject({ code: 'unexpected_reply' });
  },
);

describe('the proxy for downloads', () => {
  test.each([
    [{ host: 'proxy', port: 3128 }, 'proxy:3128'],
    [{ host: 'proxy.corp.example', port: 1 }, 'proxy.corp.example:1'],
    [{ host: '10.20.0.9', port: 65_535 }, '10.20.0.9:65535'],
    [{ host: '[2001:db8::9]', port: 3128 }, '%5B2001:db8::9%5D:3128'],
  ])('%j goes into the path as host:port', async (given, path) => {
    answers(`/configuration/proxy/enable/${path}`, { status: true });
    expect(await directory.enableDownloadProxy(given)).toMatchObject({ confirmed: true });
  });

  test.each([
    [{ host: 'proxy:8080', port: 3128 }, 'host'],
    [{ host: '2001:db8::9', port: 3128 }, 'host'],
    [{ host: '[proxy]', port: 3128 }, 'host'],
    [{ host: '[fe80::1%eth0]', port: 3128 }, 'host'],
    [{ host: '10.20.0.300', port: 3128 }, 'host'],
    [{ host: 'user@proxy', port: 3128 }, 'host'],
    [{ host: '', port: 3128 }, 'host'],
    [{ host: 'proxy', port: 0 }, 'port'],
    [{ host: 'proxy', port: 65_536 }, 'port'],
    [{ host: 'proxy', port: 80.5 }, 'port'],
    [{ host: 'proxy', port: Number.NaN }, 'port'],
  ])('%j is refused before anything is sent', async (given, argument) => {
    await expect(directory.enableDownloadProxy(given)).rejects.toMatchObject({
      code: 'bad_argument',
      argument,
      sent: 'no',
    });
  });
});

describe('the versions of the REST engine', () => {
  test.each([
    ['listEngineVersions', '/autoupdate/index'],
    ['refreshEngineVersions', '/autoupdate/refresh'],
  ] as const)('%s gives every version with the key that orders it', async (call, path) => {
    answers(path, {
      status: true,
      info: '2 versions',
      index: {
        '1189': { VERSION: '1.189', URI: 'http://repo.test/1189.tgz', MD5: 'aa' },
        '1190': { version: '1.190', md5: null },
      },
      current_version: '1.191',
    });
    expect(await directory[call]()).toEqual({
      running: '1.191',
      versions: [
        { key: 1189, version: '1.189', uri: 'http://repo.test/1189.tgz', md5: 'aa' },
        { key: 1190, version: '1.190' },
      ],
    });
  });

  test.each<[nock.Body]>([
    [{ status: true, index: [] }],
    [{ status: true, index: null }],
    [{ status: true, index: [], current_version: null }],
    [{ status: true, index: [], current_version: '' }],
  ])('there may be none: %j', async (body) => {
    answers('/autoupdate/index', body);
    expect(await directory.listEngineVersions()).toEqual({ versions: [] });
  });

  test.each<[nock.Body, string]>([
    [{ index: { '1190': { VERSION: '1.189' } } }, 'index.1190.VERSION'],
    [{ index: { '119': { VERSION: '1.190' } } }, 'index.119.VERSION'],
    [{ index: { '1190': { VERSION: 'latest' } } }, 'index.1190.VERSION'],
    [{ index: { '1190': {} } }, 'index.1190.VERSION'],
    [{ index: { latest: { VERSION: '1.190' } } }, 'index.latest'],
    [{ status: true }, 'index'],
  ])('a key that is not its version without the dot orders something else: %j', async (body, at) => {
    answers('/autoupdate/index', body);
    await expect(directory.listEngineVersions()).rejects.toMatchObject({ code: 'unexpected_reply', at });
  });

  test('the words of an update name the new version of the engine', async () => {
    answers('/autoupdate/update/1190', { status: true, info: 'Success updated new version 1.190' });
    expect(await directory.updateEngine({ key: 1190 })).toMatchObject({ confirmed: true, version: '1.190' });
  });

  test.each([1189, 1190, 11_000, 2001])('an update to the key %d is ordered', async (key) => {
    answers(`/autoupdate/update/${key}`, { status: true, info: 'updated' });
    expect(await directory.updateEngine({ key })).toEqual({ confirmed: true, info: 'updated' });
  });

  test.each([1188, 1100, 119, 189, 19, 1, 0, -1189])(
    'an update to the key %d, which would lose the updater, is refused',
    async (key) => {
      await expect(directory.updateEngine({ key })).rejects.toMatchObject({
        code: 'bad_argument',
        argument: 'key',
        sent: 'no',
      });
    },
  );
});

test.each([
  ['services', '/system/services'],
  ['dnsFirewallStatus', '/dnsfw/status'],
  ['proxyMetrics', '/proxy/metrics/info'],
  ['checkProxyPorts', '/proxy/ports/check'],
  ['networkInterfaces', '/system/network/interfaces'],
  ['downloadProxy', '/configuration/proxy'],
] as const)('%s reports whatever %s says', async (call, path) => {
  answers(path, { status: true, info: 'fine', part: { 'in use': 1 } });
  expect(await directory[call]()).toMatchObject({ info: 'fine', fields: { 'part.in use': '1' } });
});

test.each([
  ['uploadShellPackage', '/shell_upload', 'zipcontainer', 'shell package'],
  ['uploadHotfix', '/system/appliance/hotfix', 'hotfix', 'as it is'],
  ['uploadServicePack', '/service_pack', 'servicepack', 'as it is'],
  ['uploadServicePackAlternate', '/softwares/service_pack', 'servicepack', 'as it is'],
] as const)('%s sends its file to %s in the form field %s', (name, path, field, kind) => {
  expect(operations.get(`directory.${name}`)).toMatchObject({
    method: 'POST',
    path,
    effect: 'destructive',
    slow: true,
    body: { encoding: 'multipart', field, kind },
  });
});
