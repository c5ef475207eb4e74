import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import nock from 'nock';
import { describe, expect, onTestFinished, test } from 'vitest';
import { onlyNockAnswers } from '../../../test/nock.ts';
import { connectAppliance } from '../client.ts';
import { sqldb } from './sqldb.ts';
import { appliance, url } from './testing.ts';

onlyNockAnswers();

const done = { Status: true, Error: '' };

describe('users', () => {
  const usersFrom = (users: nock.Body | null) => {
    nock(url).get('/sqldb/users').reply(200, { Status: true, Error: '', Users: users });
    return appliance.sqldb.listUsers();
  };

  test('a user has its host, its privileges as yes or no, and the rest as text', async () => {
    const record = {
      Host: '%',
      User: 'reporter',
      Select_priv: 'Y',
      File_priv: 'N',
      Create_tmp_table_priv: 'Y',
      max_connections: 5,
    };
    expect(await usersFrom([record])).toEqual([
      {
        user: 'reporter',
        host: '%',
        privileges: { Select_priv: true, File_priv: false, Create_tmp_table_priv: true },
        fields: { max_connections: '5' },
      },
    ]);
  });

  test('flags and keys may have other spellings', async () => {
    expect(
      await usersFrom({ 0: { user: 'root', RELOAD_PRIV: 'y', file_priv: 0, drop_priv: 'False' } }),
    ).toEqual([
      { user: 'root', privileges: { RELOAD_PRIV: true, file_priv: false, drop_priv: false }, fields: {} },
    ]);
  });

  test('a privilege without yes or no is not shown as missing', async () => {
    expect(await usersFrom([{ User: 'root', Reload_priv: 'G', File_priv: '' }])).toEqual([
      { user: 'root', privileges: {}, fields: { Reload_priv: 'G', File_priv: '' } },
    ]);
  });

  test('the anonymous user is a user', async () => {
    expect(await usersFrom([{ User: '', Host: 'localhost' }])).toMatchObject([
      { user: '', host: 'localhost' },
    ]);
  });

  test('password hashes of SQL servers are dropped', async () => {
    const record = {
      User: 'root',
      Password: '*2470C0C06DEE42FD',
      authentication_string: '*2470C0C06DEE42FD',
    };
    expect(JSON.stringify(await usersFrom([record]))).not.toContain('2470C0C0');
  });

  test.each([
    ['[]', []],
    ['null', null],
  ])('%s is no list of users, because the server has some of its own', async (_, users) => {
    await expect(usersFrom(users)).rejects.toMatchObject({ code: 'unexpected_reply' });
  });

  test.each<[nock.Body, string]>([
    [[{ User: 'root' }, { Host: '%' }], 'Users.1.User'],
    [['root'], 'Users.0'],
    ['root', 'Users'],
  ])('one without a name is not left out: %j', async (users, at) => {
    await expect(usersFrom(users)).rejects.toMatchObject({ code: 'unexpected_reply', at });
  });

  const sends = (path: string, body: string) =>
    nock(url, { reqheaders: { 'content-type': 'application/x-www-form-urlencoded' } }).post(path, body);

  test('a user is created with form fields under the appliance’s own names', async () => {
    sends('/sqldb/users/create', 'User=eve&Host=%25&Password=a%26b+c').reply(200, done);
    expect(await appliance.sqldb.createUser({ user: 'eve', host: '%', password: 'a&b c' })).toEqual({
      confirmed: true,
      info: '',
    });
  });

  test.each([
    ['grantUser', '/sqldb/users/grant'],
    ['revokeUser', '/sqldb/users/revoke'],
  ] as const)('%s is POST %s with user and host', async (name, path) => {
    sends(path, 'User=eve&Host=10.20.%25').reply(200, done);
    expect(await appliance.sqldb[name]({ user: 'eve', host: '10.20.%' })).toMatchObject({ confirmed: true });
  });

  test('a refusal that repeats the new password is shown without it', async () => {
    nock(url)
      .post('/sqldb/users/create')
      .reply(200, { Status: false, Error: 'near IDENTIFIED BY sesame-4711' });
    await expect(
      appliance.sqldb.createUser({ user: 'eve', host: '%', password: 'sesame-4711' }),
    ).rejects.toMatchObject({ code: 'refused', reason: 'near IDENTIFIED BY [hidden]' });
  });
});

describe('the wildcard % as a host', () => {
  test.each([
    ['getPrivileges', 'GET /sqldb/user/eve/%25/privileges'],
    ['postUser', 'POST /sqldb/user/eve/%25'],
    ['grantDatabase', 'GET /sqldb/database/grant/proxydb/eve/%25'],
    ['revokeDatabase', 'GET /sqldb/database/revoke/proxydb/eve/%25'],
  ] as const)('%s arrives as %s', async (name, expected) => {
    const arrived: string[] = [];
    const server = createServer((request, response) => {
      arrived.push(`${request.method} ${request.url}`);
      response.end('{"Status":true,"Error":"","Info":"ok"}');
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    nock.enableNetConnect('127.0.0.1');
    const real = connectAppliance({ name: 'lab', url: `http://127.0.0.1:${port}`, release: '4.50 SP5' });
    onTestFinished(async () => {
      await real.close();
      nock.disableNetConnect();
      await new Promise((closed) => server.close(closed));
    });
    const given = { username: 'eve', host: '%' };
    await (name === 'getPrivileges' || name === 'postUser'
      ? real.sqldb[name](given)
      : real.sqldb[name]({ ...given, database: 'proxydb' }));
    expect(arrived).toEqual([expected]);
  });
});

test('a host with a netmask has a slash, which no path carries', async () => {
  await expect(
    appliance.sqldb.getPrivileges({ username: 'eve', host: '10.20.0.0/255.255.0.0' }),
  ).rejects.toMatchObject({ code: 'bad_argument', argument: 'host' });
});

describe('databases', () => {
  test.each<[nock.Body]>([
    [{ Status: true, Databases: ['proxydb', 'events'] }],
    [{ Status: true, databases: [{ Database: 'proxydb' }, { Database: 'events' }] }],
    [['proxydb', 'events']],
  ])('their names are read from %j', async (body) => {
    nock(url).get('/sqldb/databases').reply(200, body);
    expect((await appliance.sqldb.listDatabases()).map(({ name }) => name)).toEqual(['proxydb', 'events']);
  });

  test('are created by GET and deleted by POST, as documented', async () => {
    nock(url).get('/sqldb/database/create/reports').reply(200, done);
    expect(await appliance.sqldb.createDatabase({ database: 'reports' })).toMatchObject({ confirmed: true });
    nock(url).post('/sqldb/database/delete/reports', '').reply(200, done);
    expect(await appliance.sqldb.deleteDatabase({ database: 'reports' })).toMatchObject({ confirmed: true });
  });
});

describe('the server', () => {
  test('lists its processes with all fields', async () => {
    nock(url)
      .get('/sqldb/service/processes')
      .reply(200, { ...done, Processes: [{ Id: 41, User: 'proxy', Info: null }] });
    expect(await appliance.sqldb.listProcesses()).toEqual([{ Id: '41', User: 'proxy', Info: '' }]);
  });

  test('answers a restart like every order', async () => {
    nock(url).get('/sqldb/service/restart').reply(200, done);
    expect(await appliance.sqldb.restart()).toEqual({ confirmed: true, info: '' });
  });
});

test.each<[nock.Body, boolean, object]>([
  [{ Status: true, Error: '', Info: 'ok' }, true, {}],
  [{ Status: true, Error: 'no such user' }, false, { Error: 'no such user' }],
  [{}, false, {}],
  [[], false, {}],
  [{ status: 'locked' }, false, { status: 'locked' }],
])(
  'of what nobody knows what it does, %j tells whether it was confirmed: %j',
  async (body, confirmed, fields) => {
    nock(url).post('/sqldb/user/eve/localhost').reply(200, body);
    const told = await appliance.sqldb.postUser({ username: 'eve', host: 'localhost' });
    expect(told).toMatchObject({ confirmed });
    expect(told.fields).toEqual(fields);
  },
);

test('an operation that nobody can surely undo is destructive, and an undocumented one is never called harmless', () => {
  const withEffect = (wanted: string) =>
    Object.entries(sqldb).flatMap(([name, { effect }]) => (effect === wanted ? [name] : []));
  expect(withEffect('destructive')).toEqual(['restart', 'revokeUser', 'revokeDatabase', 'deleteDatabase']);
  expect(withEffect('unknown')).toEqual(['postUser']);
  expect(withEffect('read')).toEqual(['listProcesses', 'listUsers', 'getPrivileges', 'listDatabases']);
});

test('an appliance before 4.50 SP1 is not asked', async () => {
  const old = connectAppliance({ name: 'old', url, release: '4.50 hotfix 20230911-10' });
  await expect(old.sqldb.listDatabases()).rejects.toMatchObject({ code: 'not_available' });
  await old.close();
});
