import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import nock from 'nock';
import { afterEach, describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { onlyNockAnswers } from '../../test/nock.ts';
import {
  type Appliance,
  type ApplianceSettings,
  connectAppliance,
  DryRunEnd,
  type DryRunRequest,
  operations,
} from './index.ts';
import { understand } from './reading/understand-answer.ts';

const url = 'http://192.0.2.10:9503';
const open: (() => Promise<unknown>)[] = [];

/** Requests without a mocked answer end the call with an error. */
onlyNockAnswers();
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

function dryRun(settings: Partial<ApplianceSettings> = {}) {
  const real = connectAppliance({ name: 'lab', url, release: '4.50 SP5', ...settings });
  open.push(() => real.close());
  const noted: DryRunRequest[] = [];
  return { real, noted, appliance: real.dryRun((request) => noted.push(request)) };
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dry-run-test-'));
  open.push(() => rm(folder, { recursive: true }));
  return folder;
}

describe('a dry run', () => {
  test('records a change as it would be sent, and does not send it', async () => {
    const { appliance, noted } = dryRun({ url: `${url}/box/` });
    expect(await appliance.rdp.disconnectSession({ id: 12 })).toEqual({ confirmed: true, info: '' });
    await appliance.acl.addRecord({ objectId: 7, pattern: '^a+$', description: 'ticket 4711' });
    expect(noted).toEqual([
      {
        operation: 'rdp.disconnectSession',
        method: 'POST',
        address: `${url}/box/rdpproxy/sessions/12/disconnect`,
        path: '/box/rdpproxy/sessions/12/disconnect',
      },
      {
        operation: 'acl.addRecord',
        method: 'PUT',
        address: `${url}/box/proxy/acls/record/add/7`,
        path: '/box/proxy/acls/record/add/7',
        contentType: 'application/x-www-form-urlencoded',
        body: 'pattern=%5Ea%2B%24&description=ticket+4711',
      },
    ]);
  });

  test('records a GET that restarts something, and an operation with an unknown effect', async () => {
    const { appliance, noted } = dryRun({ methods: { 'acl.compile': 'POST' } });
    await appliance.rdp.restart();
    await appliance.sqldb.postUser({ username: 'bob', host: '%' });
    await appliance.acl.compile();
    expect(noted).toMatchObject([
      { method: 'GET', path: '/rdpproxy/restart' },
      { method: 'POST', path: '/sqldb/user/bob/%25' },
      { method: 'POST', path: '/proxy/acls/compile' },
    ]);
  });

  test('sends reads and records nothing of them', async () => {
    nock(url)
      .get('/rdpproxy/sessions')
      .reply(200, [{ id: 12 }]);
    const { appliance, noted } = dryRun();
    expect(await appliance.rdp.listSessions()).toMatchObject([{ id: 12 }]);
    expect(noted).toEqual([]);
  });

  test('goes to the address of the service', async () => {
    const { appliance, noted } = dryRun({ mirrorUrl: 'http://mirror.test:9090' });
    await appliance.mirror.triggerSync();
    expect(noted).toMatchObject([{ address: 'http://mirror.test:9090/api/sync/trigger' }]);
  });

  test('leaves the appliance as it is: it still sends, also when the dry run was closed', async () => {
    const { real, appliance, noted } = dryRun();
    await appliance.close();
    nock(url).post('/rdpproxy/sessions/12/disconnect').reply(200, { Status: true, Info: 'gone' });
    expect(await real.rdp.disconnectSession({ id: 12 })).toEqual({ confirmed: true, info: 'gone' });
    expect(noted).toEqual([]);
  });

  test('of a dry run sends nothing either', async () => {
    const { appliance, noted } = dryRun();
    const again: DryRunRequest[] = [];
    await appliance.dryRun((request) => again.push(request)).rdp.restart();
    expect([again.length, noted.length]).toEqual([1, 0]);
  });

  test('fails a call that could not be recorded', async () => {
    const { real } = dryRun();
    const full = new Error('full');
    const appliance = real.dryRun(() => {
      throw full;
    });
    await expect(appliance.rdp.restart()).rejects.toBe(full);
  });
});

describe('a combined call', () => {
  test('is dry-run up to its last request', async () => {
    const { appliance, noted } = dryRun();
    const added = await appliance.acl.addRecords({
      objectId: 7,
      patterns: ['a.com', '^b+$', 'c.com', '^d$'],
    });
    expect(added).toHaveLength(4);
    expect(noted.map(({ path, body }) => [path, body])).toEqual([
      ['/proxy/acls/record/add/7/a.com,c.com', undefined],
      ['/proxy/acls/record/add/7', 'pattern=%5Eb%2B%24'],
      ['/proxy/acls/record/add/7', 'pattern=%5Ed%24'],
    ]);
  });

  test('continues through its chunks, without inventing a count', async () => {
    const { appliance, noted } = dryRun();
    const sites = ['a.com', 'b.com', 'c.com'];
    const answer = await appliance.categories.addManySites({ id: 252, sites, perRequest: 2, atOnce: 1 });
    expect(answer).toEqual({ accepted: 3, failed: [], unsent: [], complete: true });
    expect(noted.map(({ body }) => body)).toEqual(['sites=a.com%0Ab.com', 'sites=c.com']);
  });
});

describe('a next step that depends on the answer', () => {
  test('ends the dry run, after the request was recorded', async () => {
    const { appliance, noted } = dryRun();
    const end = await appliance.directory.refreshEngineVersions().catch((error: unknown) => error);
    expect(end).toBeInstanceOf(DryRunEnd);
    expect(end).toMatchObject({ operation: 'directory.refreshEngineVersions' });
    expect(noted).toMatchObject([{ path: '/autoupdate/refresh' }]);
  });

  test('is at most one operation', () => {
    const ends = [...operations].filter(([operation, endpoint]) => {
      if (endpoint.effect === 'read') return false;
      try {
        understand(operation, endpoint, '{"Status": true}', {}, []);
        return false;
      } catch {
        return true;
      }
    });
    expect(ends.map(([operation]) => operation)).toEqual(['directory.refreshEngineVersions']);
  });

  test('has no ID for a thing that would be created', async () => {
    expect(await dryRun().appliance.rdp.createMember({ username: 'bob' })).toEqual({
      confirmed: true,
      info: '',
    });
  });
});

describe('a dry run refuses the same as the real call', () => {
  test.each<[string, (appliance: Appliance) => Promise<unknown>, object, Partial<ApplianceSettings>?]>([
    [
      'a bad argument',
      ({ categories }) => categories.deleteSite({ id: 1, site: '..' }),
      { code: 'bad_argument', argument: 'site' },
    ],
    [
      'what the release lacks',
      ({ acl }) => acl.deleteObject({ objectId: 1 }),
      { code: 'not_available', release: '4.50 SP1' },
      { release: '4.50 SP1' },
    ],
    [
      'what is not configured',
      ({ mirror }) => mirror.triggerSync(),
      { code: 'not_configured', setting: 'mirrorUrl' },
    ],
    [
      'an aborted signal',
      ({ rdp }) => rdp.restart({ signal: AbortSignal.abort() }),
      { code: 'aborted', sent: 'no' },
    ],
    [
      'a file that is not there',
      ({ directory }) => directory.uploadHotfix({ file: '/there/is/none.tgz' }),
      { code: 'bad_argument', argument: 'file' },
    ],
    [
      'a shell package without a script',
      ({ directory }) =>
        directory.uploadShellPackage({ file: { bytes: Buffer.from('no zip'), name: 'check.zip' } }),
      { code: 'bad_argument', argument: 'file' },
    ],
  ])('%s', async (_what, call, failure, settings = {}) => {
    const { appliance, noted } = dryRun(settings);
    await expect(call(appliance)).rejects.toMatchObject(failure);
    expect(noted).toEqual([]);
  });

  test('including operations that the release lacks, which it asks the appliance for', async () => {
    nock(url).get('/appliance_version').reply(200, { major: '4.50', version: '4.50', service_pack: '1' });
    const { appliance, noted } = dryRun({ release: undefined });
    await expect(appliance.acl.deleteObject({ objectId: 1 })).rejects.toMatchObject({
      code: 'not_available',
    });
    expect(noted).toEqual([]);
  });
});

describe('a secret', () => {
  const awkward = 'p&w "ö+%/';

  test('is masked in a form and in JSON, among named fields and others', async () => {
    const { appliance, noted } = dryRun();
    await appliance.sqldb.createUser({ user: 'bob', host: '%', password: awkward });
    await appliance.rdp.createMember({
      username: 'bob',
      password: awkward,
      fields: { comment: `his is ${awkward}`, mfa_token: 'hunter2' },
    });
    expect(noted.map(({ body }) => body)).toEqual([
      'User=bob&Host=%25&Password=•••',
      '{"username":"bob","password":"•••","comment":"his is •••","mfa_token":"•••"}',
    ]);
  });

  test('of one letter is not revealed by the names of the fields', async () => {
    const { appliance, noted } = dryRun();
    await appliance.sqldb.createUser({ user: 'bob', host: '%', password: 'U' });
    expect(noted[0]).toMatchObject({ path: '/sqldb/users/create', body: 'User=bob&Host=%25&Password=•••' });
  });

  test.each(['key/4711+', 'key%2F4711%2b', 'key%2f4711+'])(
    'from the configuration, written %j, is masked anywhere',
    async (written) => {
      const { appliance, noted } = dryRun({ key: 'key/4711+' });
      await appliance.acl.addRecord({ objectId: 7, pattern: written });
      expect(noted).toMatchObject([{ body: 'pattern=•••' }]);
    },
  );

  test.each(['shell+pass', 'shell%2Bpass'])('%j is masked in a path', async (written) => {
    const { appliance, noted } = dryRun({ shellPassword: 'shell+pass' });
    await appliance.sqldb.createDatabase({ database: `of-${written}` });
    expect(noted).toMatchObject([
      { path: '/sqldb/database/create/of-•••', address: `${url}/sqldb/database/create/of-•••` },
    ]);
  });
});

describe('the file of an upload', () => {
  test('is described', async () => {
    const path = join(await temporaryFolder(), 'fix.tgz');
    await writeFile(path, 'a hotfix');
    const { appliance, noted } = dryRun();
    expect(await appliance.directory.uploadHotfix({ file: path })).toMatchObject({ confirmed: true });
    expect(noted).toEqual([
      {
        operation: 'directory.uploadHotfix',
        method: 'POST',
        address: `${url}/system/appliance/hotfix`,
        path: '/system/appliance/hotfix',
        contentType: 'multipart/form-data',
        body: { field: 'hotfix', name: 'fix.tgz', size: 8 },
      },
    ]);
  });

  test('is not read, and reports no progress', async () => {
    let read = false;
    let told = false;
    async function* pieces() {
      read = true;
      yield Buffer.from('a service pack');
    }
    const { appliance, noted } = dryRun();
    await appliance.directory.uploadServicePack({
      file: { stream: pieces(), name: 'pack.tgz' },
      onProgress: () => {
        told = true;
      },
    });
    expect(noted).toMatchObject([{ body: { field: 'servicepack', name: 'pack.tgz' } }]);
    expect(noted[0]?.body).not.toHaveProperty('size');
    expect({ read, told }).toEqual({ read: false, told: false });
  });

  test('that is a shell package is checked, and its password appears nowhere', async () => {
    const zip = new ZipFile();
    zip.addBuffer(Buffer.from('#!/bin/sh\nSCRIPT_ID="check1"\nSHELL_PASS="hunter2"\n'), 'shell.sh');
    zip.end();
    // yazl's stream is one of Node's, typed as the older interface.
    const bytes = await buffer(zip.outputStream as NodeJS.ReadableStream & AsyncIterable<Uint8Array>);
    const { appliance, noted } = dryRun();
    await appliance.directory.uploadShellPackage({ file: { bytes, name: 'check hunter2.zip' } });
    expect(noted).toMatchObject([{ body: { field: 'zipcontainer', name: 'check •••.zip' } }]);
    expect(JSON.stringify(noted)).not.toContain('hunter2');
  });
});
