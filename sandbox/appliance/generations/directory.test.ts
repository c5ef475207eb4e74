import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { shellPassword } from '../company/directory.ts';
import { appliance, call, get, pass, withAnAppliance } from '../testing.ts';

withAnAppliance({ generation: 'field-v1' });

const directory = () => appliance.state.directory;

describe('GET /status', () => {
  test('has no status with Kerberos when all is well, counters as text, and what was tested', async () => {
    const reply = await get('/status');
    expect(reply).not.toHaveProperty('status');
    expect(reply).toMatchObject({
      info: 'The directory (Kerberos) Connection seems OK',
      hostname: expect.any(String),
      tested_url: expect.any(String),
      tested_proxy: expect.any(String),
      test_credentials_result: 'Success with 200 (OK)',
      current_daemon: expect.any(String),
      requests_sent: expect.stringMatching(/^\d+$/),
    });
  });

  test('leaves counters out', async () => {
    expect(await get('/status')).not.toHaveProperty('queue_length');
    appliance.turn({ directoryConnection: 'slow' });
    expect(await get('/status')).toMatchObject({ queue_length: '140' });
  });

  test('has a log of several lines in info when the connection is broken', async () => {
    appliance.turn({ directoryConnection: 'broken' });
    expect(await get('/status')).toMatchObject({
      status: false,
      info: expect.stringMatching(/\n.*No domain controller answers.*\n/),
      test_credentials_result: 'Failed with 0 ()',
    });
  });

  test.each<[info: string, change: () => unknown]>([
    ['The directory in Emergency mode!', () => get('/emergency_enable')],
    ['The directory feature is disabled!', () => get('/kerberos_disconnect')],
    ['NTLM Authentication Disabled!', () => get('/ntlm_disconnect')],
  ])('says %s, and no host and no counters', async (info, change) => {
    await change();
    expect(await get('/status')).toEqual({ status: false, info });
  });
});

describe('Global Emergency', () => {
  test('answers reads and orders with status false and its text, and carries nothing out', async () => {
    appliance.turn({ proxyMode: 'global_emergency' });
    const before = structuredClone(directory());
    for (const path of ['/status', '/appliance_version', '/ntlm_connect', '/emergency_enable'])
      expect(await get(path)).toEqual({ status: false, info: 'Proxy in Emergency mode!' });
    expect(directory()).toEqual(before);
    // The Web API is another program.
    expect(await get('/categories/list')).toMatchObject({ status: true });
  });

  test.each(['/emergency_remove', '/proxy/general/emergency/remove'])(
    'is left by %s, with an empty body',
    async (path) => {
      appliance.turn({ proxyMode: 'global_emergency' });
      expect(await call(path)).toMatchObject({ status: 200, text: '' });
      expect(directory().globalEmergency).toBe(false);
    },
  );
});

describe('connecting', () => {
  test.each(['/ntlm_connect', '/proxy/ntlm/connect'])(
    'by NTLM answers no more than two braces: %s',
    async (path) => {
      expect(await get(path)).toEqual({});
      expect(directory().connection).toMatchObject({ kind: 'ntlm' });
      expect(await get('/status')).toMatchObject({ status: true });
    },
  );

  test.each([
    ['/kerberos_connect', '/kerberos_disconnect'],
    ['/proxy/kerberos/connect', '/proxy/kerberos/disconnect'],
  ])(
    'and disconnecting by Kerberos answers status false, also when it is done: %s',
    async (connect, disconnect) => {
      const done = {
        status: false,
        info: expect.stringMatching(/^Kerberos connection: operation completed\n.+\n/),
      };
      expect(await get(disconnect)).toEqual(done);
      expect(directory().connection).toBeUndefined();
      expect(await get(connect)).toEqual(done);
      expect(directory().connection).toMatchObject({ kind: 'kerberos' });
    },
  );
});

test.each(['/emergency_enable', '/proxy/auth/emergency/enable'])(
  '%s that is refused is a page with HTTP 500, and changes nothing',
  async (path) => {
    appliance.turn({ directoryConnection: 'none' });
    expect(await call(path)).toMatchObject({ status: 500, type: expect.stringContaining('text/html') });
    expect(directory().emergency).toBe(false);
  },
);

describe('the proxy for downloads', () => {
  test('is reported as absent when there is none', async () => {
    expect(await get('/configuration/proxy')).toMatchObject({ use_proxy: 'False', proxy_port: '3128' });
  });

  test('is reported with its new settings when it is enabled, without info, and then no more', async () => {
    const reply = await get('/configuration/proxy/enable/proxy.example:8080');
    expect(reply).toMatchObject({ use_proxy: 'True', proxy_port: '8080' });
    expect(reply).not.toHaveProperty('info');
    expect(directory().downloadProxy).toEqual({ host: 'proxy.example', port: 8080 });
    expect(await get('/configuration/proxy')).toEqual({
      status: false,
      info: 'unable to understand order [None]',
    });
  });

  test('cannot be disabled: that is a page with HTTP 500', async () => {
    await get('/configuration/proxy/enable/proxy.example:8080');
    expect(await call('/configuration/proxy/disable')).toMatchObject({
      status: 500,
      type: expect.stringContaining('text/html'),
    });
    expect(directory().downloadProxy).toEqual({ host: 'proxy.example', port: 8080 });
  });
});

describe('/appliance_version', () => {
  test('has its version in words, and the number 0 where there is no hotfix', async () => {
    expect(await get('/appliance_version')).toMatchObject({
      version: 'Appliance version 4.50.000000 Service Pack 5',
      major: '4.50',
      service_pack: '5',
      hotfix: 0,
    });
  });

  test('has a hotfix as text', async () => {
    await upload('/system/appliance/hotfix', 'hotfix', 'fix-20210928-01.tgz', '\x1f\x8b');
    pass(61);
    expect(await get('/appliance_version')).toMatchObject({ hotfix: '2021092801' });
  });

  test('may have an empty service pack', async () => {
    directory().version.servicePack = '';
    expect(await get('/appliance_version')).toMatchObject({
      service_pack: '',
      version: 'Appliance version 4.50.000000',
    });
  });
});

describe('the versions of the engine', () => {
  test('come with the one that runs in the index and after a refresh; an index may list lower ones', async () => {
    for (const path of ['/autoupdate/index', '/autoupdate/refresh'])
      expect(await get(path)).toMatchObject({
        current_version: '1.190',
        index: { 1185: { VERSION: '1.185' } },
      });
  });

  test('do not come with an update, which says which one it is', async () => {
    const reply = await get('/autoupdate/update/1191');
    expect(reply).toEqual({ status: true, info: 'Success updated new version 1.191' });
    expect(directory().engine.version).toBe('1.191');
  });

  test('are in a corrupted cache file until they are refreshed', async () => {
    appliance.turn({ engineIndex: 'corrupted' });
    const corrupted = { status: false, info: 'Corrupted cache file, try /refresh instead' };
    expect(await get('/autoupdate/index')).toEqual(corrupted);
    expect(await get('/autoupdate/update/1191')).toEqual(corrupted);
    expect(directory().engine.version).toBe('1.190');
    await get('/autoupdate/refresh');
    expect(await get('/autoupdate/index')).toMatchObject({ status: true });
  });
});

describe('an upload', () => {
  const paths = ['/service_pack', '/softwares/service_pack'];

  test.each(paths)(
    'with a service pack is reported with its name, type, size and sender, and runs in the background: %s',
    async (path) => {
      const reply = await upload(path, 'servicepack', 'sp6.tgz', '\x1f\x8b12');
      expect(reply).toEqual({
        status: true,
        info: 'sp6.tgz [application/gzip] uploaded Service Pack with 4 bytes from 127.0.0.1',
      });
      expect(directory().upgrade).toMatchObject({ kind: 'service pack' });
    },
  );

  test('with a zip is a personal patch, and installed at once', async () => {
    const reply = await upload('/service_pack', 'servicepack', 'patch.zip', `PK\x03\x04${'x'.repeat(2044)}`);
    expect(reply).toEqual({
      status: true,
      info: 'patch.zip [application/zip] installed personal patch with 2048 bytes',
    });
    expect(directory().upgrade).toBeUndefined();
    expect(directory().patches).toMatchObject([{ filename: 'patch.zip', size: 2048 }]);
  });
});

describe('/shell_upload', () => {
  const script = `#!/bin/sh\nSHELL_PASS="${shellPassword}"\nSCRIPT_ID=nightly7\nexit 0\n`;

  test('answers the ID of the script', async () => {
    expect(await shell(zipOf(script))).toMatchObject({ status: true, id: 'nightly7' });
    expect(directory().shell.packages).toHaveLength(1);
  });

  test.each<[info: RegExp, file: string, change: () => void]>([
    [/feature is disabled/, zipOf(script), () => appliance.turn({ shell: 'off' })],
    [
      /No shell password is set/,
      zipOf(script),
      () => {
        directory().shell.password = '';
      },
    ],
    [/Wrong shell password/, zipOf(script.replace(shellPassword, 'guessed')), () => {}],
    [/is not a zip file/, script, () => {}],
  ])('refuses, with %s', async (info, file, change) => {
    change();
    expect(await shell(file)).toMatchObject({ status: false, info: expect.stringMatching(info) });
    expect(directory().shell.packages).toEqual([]);
  });

  const shell = (file: string) => upload('/shell_upload', 'zipcontainer', 'task.zip', file);
});

test('/proxy/auth/status is an object', async () => {
  expect(await get('/proxy/auth/status')).toEqual({ status: true, info: expect.any(String) });
  appliance.turn({ proxyMode: 'emergency' });
  expect(await get('/proxy/auth/status')).toEqual({
    status: false,
    info: 'The directory in Emergency mode!',
  });
});

test.each(['/proxy/auth/reconfigure', '/proxy/general/reconfigure', '/proxy/general/reset'])(
  '%s says that it was a success, and carries a log',
  async (path) => {
    expect(await get(path)).toEqual({
      status: true,
      info: expect.stringMatching(/^Success reconfiguring /),
      traces: expect.stringMatching(/\n/),
    });
    expect(directory().proxy.startedAt).toEqual(new Date('2026-11-20T12:00:00Z'));
  },
);

test('an engine that keeps a setting after an emergency names no emergency any more', async () => {
  appliance.turn({ emergencyName: 'until_ended' });
  await get('/emergency_enable');
  expect(await get('/status')).toMatchObject({ status: false, info: 'The directory in Emergency mode!' });
  await get('/emergency_disable');
  await get('/emergency_enable');
  expect(directory().emergency).toBe(true);
  expect(await get('/status')).toMatchObject({ info: 'The directory (Kerberos) Connection seems OK' });
  expect(await get('/proxy/auth/status')).toMatchObject({ status: true });
});

const types: Readonly<Record<string, string>> = { tgz: 'application/gzip', zip: 'application/zip' };

/** @param content each character a byte */
async function upload(path: string, field: string, name: string, content: string): Promise<unknown> {
  const body = new FormData();
  const type = types[name.split('.').at(-1) ?? ''] ?? '';
  body.append(field, new File([Buffer.from(content, 'latin1')], name, { type }));
  return JSON.parse((await call(path, { method: 'POST', body })).text);
}

/** A zip with a shell.sh, deflated, as text with a byte a character. */
function zipOf(text: string): string {
  const [name, packed] = [Buffer.from('shell.sh'), deflateRawSync(text)];
  const common = Buffer.alloc(26);
  common.writeUInt16LE(8, 4);
  common.writeUInt32LE(packed.length, 14);
  common.writeUInt32LE(text.length, 18);
  common.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, packed]);
  const entry = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), common, Buffer.alloc(14), name]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(entry.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, entry, Buffer.from('PK\x05\x06'), end]).toString('latin1');
}
