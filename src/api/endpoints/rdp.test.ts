import nock from 'nock';
import { afterAll, describe, expect, test } from 'vitest';
import { onlyNockAnswers } from '../../../test/nock.ts';
import { connectAppliance } from '../client.ts';
import { rdp } from './rdp.ts';

const url = 'http://192.0.2.10:9503';
const appliance = connectAppliance({ name: 'lab', url });

onlyNockAnswers();
afterAll(() => appliance.close());

function sessionsFrom(body: nock.Body) {
  nock(url).get('/rdpproxy/sessions').reply(200, body);
  return appliance.rdp.listSessions();
}

describe('open sessions', () => {
  test('a session is read with any field names', async () => {
    const since = new Date('2026-11-20T08:15:00Z');
    const seconds = since.getTime() / 1_000;
    const written = [
      {
        id: 12,
        username: 'bob.miller',
        target: 'srv-files-01',
        client_ip: '10.20.6.71',
        started_at: '2026-11-20T08:15:00Z',
      },
      {
        ID: '12',
        User: 'bob.miller',
        Host: 'srv-files-01',
        RemoteAddr: '10.20.6.71',
        Start: String(seconds),
      },
      {
        SessionID: 12,
        Member: 'bob.miller',
        TargetName: 'srv-files-01',
        ClientIP: '10.20.6.71',
        created: seconds * 1_000,
      },
      {
        session_id: ' 12 ',
        login: 'bob.miller',
        server: 'srv-files-01',
        source_ip: '10.20.6.71',
        since: '2026-11-20T09:15:00+01:00',
      },
    ];
    for (const record of written) {
      const [session] = await sessionsFrom({ Status: true, Error: '', Sessions: [record] });
      expect(session).toMatchObject({
        id: 12,
        user: 'bob.miller',
        target: 'srv-files-01',
        from: '10.20.6.71',
        since: { at: since },
      });
    }
  });

  test.each(['address', 'IP', 'ip_address'])(
    'an address called only %s is not shown as the person’s own',
    async (name) => {
      const [session] = await sessionsFrom({ Sessions: [{ id: 7, [name]: '10.20.6.71' }] });
      expect(session).toEqual({
        id: 7,
        address: '10.20.6.71',
        fields: { id: '7', [name]: '10.20.6.71' },
      });
    },
  );

  test.each(['2026-11-20 08:15:00', '2026-11-20T08:15'])(
    'the time %s names no time zone, so it stays as written',
    async (started) => {
      const [session] = await sessionsFrom({ Sessions: [{ id: 7, started }] });
      expect(session?.since).toEqual({ written: started });
    },
  );

  test('two times give the one with a time zone', async () => {
    const record = { id: 7, start: '2026-11-20 10:15:00', created_at: '2026-11-20T08:15:00Z' };
    const [session] = await sessionsFrom({ Sessions: [record] });
    expect(session?.since).toEqual({ at: new Date('2026-11-20T08:15:00Z') });
  });

  test('all fields stay as text, under the appliance’s own names', async () => {
    const [session] = await sessionsFrom({
      Sessions: [{ id: 7, Protocol: 'rdp', Shared: true, Tags: ['a'], Note: null }],
    });
    expect(session).toEqual({
      id: 7,
      fields: { id: '7', Protocol: 'rdp', Shared: 'true', Tags: '["a"]', Note: '' },
    });
  });

  test.each<[string, nock.Body]>([
    ['an array under an unknown key', { Status: true, Error: '', Rows: [{ id: 3 }, { id: 4 }] }],
    ['an array that is not the first one', { Warnings: [], Open_Sessions: [{ id: 3 }, { id: 4 }] }],
    ['a filled array behind an empty one', { Warnings: [], Rows: [{ id: 3 }, { id: 4 }] }],
    ['a map by ID', { status: true, sessions: { '3': { user: 'a' }, '4': { user: 'b' } } }],
    ['a bare array', [{ id: 3 }, { id: 4 }]],
  ])('%s is the list', async (_, body) => {
    expect((await sessionsFrom(body)).map(({ id }) => id)).toEqual([3, 4]);
  });

  test.each<[nock.Body]>([
    [{ Status: true, Error: '', Sessions: [] }],
    [{ Status: true, Error: null, Sessions: null }],
    [{ Status: true, sessions: {} }],
    [{ Status: true, Open_Sessions: {}, Debug: { took: 3 } }],
    [{ Status: true, Error: '', Rows: [], Warnings: [] }],
    [[]],
  ])('%j means that nobody is connected', async (body) => {
    expect(await sessionsFrom(body)).toEqual([]);
  });

  test.each<[nock.Body, string]>([
    [{ Sessions: [{ id: 3 }, { user: 'eve' }] }, 'Sessions.1'],
    [{ Sessions: [{ id: 'abc' }] }, 'Sessions.0'],
    [{ Sessions: [{ id: -3 }] }, 'Sessions.0'],
    [{ Sessions: [{ id: 3, session_id: 4 }] }, 'Sessions.0'],
    [{ Sessions: ['twelve'] }, 'Sessions.0'],
    [{ Sessions: { first: { user: 'eve' } } }, 'Sessions.first'],
    [{ Status: true, Error: '' }, ''],
    ['null', ''],
    [{ Status: true, Warnings: [] }, ''],
    [{ Result: null }, 'Result'],
    [{ Debug: {} }, ''],
    [{ Rows: {} }, ''],
    [{ Closed: [{ id: 4 }] }, ''],
    [{ history: [{ id: 4 }] }, ''],
    [{ Closed_Sessions: [{ id: 4 }] }, ''],
    [{ Policies: [{ id: 4 }], Sessions: 'none' }, 'Sessions'],
    [{ Rows: [], Members: [] }, ''],
    ['"none"', ''],
  ])('nothing is left out in silence: %j', async (body, at) => {
    await expect(sessionsFrom(body)).rejects.toMatchObject({ code: 'unexpected_reply', at });
  });

  test('the numeric ID counts if there are two', async () => {
    expect(await sessionsFrom({ Sessions: [{ id: 3, session_id: '5f1c-aa' }] })).toMatchObject([{ id: 3 }]);
  });

  test('a map’s record has its own ID before its key', async () => {
    expect(await sessionsFrom({ Sessions: { '0': { session_id: 12 } } })).toMatchObject([{ id: 12 }]);
  });

  test.each(['soon', '0', '0001-01-01T00:00:00Z', '1970-01-01 00:00:00', '2026-13-45 00:00:00', ''])(
    'the invalid time %j stays readable among the fields',
    async (started) => {
      const [session] = await sessionsFrom({ Sessions: [{ id: 3, started }] });
      expect(session).toEqual({ id: 3, fields: { id: '3', started } });
    },
  );
});

describe('disconnecting', () => {
  const disconnect = (status: number, body: nock.Body) => {
    nock(url).post('/rdpproxy/sessions/12/disconnect').reply(status, body);
    return appliance.rdp.disconnectSession({ id: 12 });
  };

  test('Status true is a confirmation', async () => {
    expect(await disconnect(200, { Status: true, Info: 'bye', Error: '' })).toEqual({
      confirmed: true,
      info: 'bye',
    });
  });

  test.each<[nock.Body]>([['{}'], [''], [' '], ['null'], [{ Error: '' }]])(
    '%j is an acceptance without a confirmation',
    async (body) => {
      expect(await disconnect(200, body)).toEqual({ confirmed: false, info: '' });
    },
  );

  test('Status false is a refusal with the reason of the appliance', async () => {
    await expect(disconnect(200, { Status: false, Error: 'session not found' })).rejects.toMatchObject({
      code: 'refused',
      reason: 'session not found',
      sent: 'yes',
      mayHaveHappened: false,
    });
  });
});

describe('the gateway', () => {
  test.each([
    ['state', '/rdpproxy/state'],
    ['status', '/rdpproxy/status'],
    ['siemStatus', '/rdpproxy/siem/status'],
    ['tlsCiphers', '/rdpproxy/tls/ciphers'],
  ] as const)('%s reports all of GET %s', async (name, path) => {
    nock(url)
      .get(path)
      .reply(200, { Status: true, Error: '', Ciphers: ['A', 'B'], Supported: { count: 3 } });
    expect(await appliance.rdp[name]()).toMatchObject({
      fields: { 'Ciphers.0': 'A', 'Ciphers.1': 'B', 'Supported.count': '3' },
    });
  });

  test('a restart is a GET, and is answered like every order', async () => {
    nock(url).get('/rdpproxy/restart').reply(200, { Status: true, Info: 'restarted' });
    expect(await appliance.rdp.restart()).toEqual({ confirmed: true, info: 'restarted' });
  });

  test('cipher suites are set with the fields as they are given', async () => {
    nock(url).post('/rdpproxy/tls/ciphers', '{"ciphers":"A:B"}').reply(200, { Status: true });
    expect(await appliance.rdp.setTlsCiphers({ fields: { ciphers: 'A:B' } })).toMatchObject({
      confirmed: true,
    });
  });
});

describe('recorded videos', () => {
  test('are listed with the name of their file', async () => {
    const video = { id: 101, username: 'bob.miller', file: 'srv-files-01-101.mp4' };
    nock(url)
      .get('/rdpproxy/videos')
      .reply(200, { Status: true, Videos: [video] });
    expect(await appliance.rdp.listVideos()).toEqual([
      { id: 101, name: 'srv-files-01-101.mp4', fields: { ...video, id: '101' } },
    ]);
  });

  test('are deleted by ID', async () => {
    nock(url).delete('/rdpproxy/videos/101').reply(200, { Status: true });
    expect(await appliance.rdp.deleteVideo({ id: 101 })).toMatchObject({ confirmed: true });
  });
});

describe('the second factor', () => {
  test('has users that are known by user name, without other secrets', async () => {
    nock(url)
      .get('/rdpproxy/mfa/users')
      .reply(200, {
        Status: true,
        Users: [{ id: 7, name: 'Bob', username: 'bob.miller', secret: 'JBSWY3DP' }],
      });
    expect(await appliance.rdp.listMfaUsers()).toEqual([
      { name: 'bob.miller', fields: { id: '7', name: 'Bob', username: 'bob.miller', secret: '(hidden)' } },
    ]);
  });

  test.each([
    ['resetMfa', '/rdpproxy/mfa/reset'],
    ['unlockMfa', '/rdpproxy/mfa/unlock'],
    ['exemptFromMfa', '/rdpproxy/mfa/exempt'],
  ] as const)('%s is POST %s with the user name', async (name, path) => {
    nock(url).post(path, '{"username":"bob.miller"}').reply(200, { Status: true });
    expect(await appliance.rdp[name]({ username: 'bob.miller' })).toMatchObject({ confirmed: true });
  });
});

test('an operation that nobody can undo, or that removes a protection, is destructive with any method', () => {
  const destructive = Object.entries(rdp).filter(([, { effect }]) => effect === 'destructive');
  expect(destructive.map(([name, { method }]) => `${method} ${name}`).sort()).toEqual([
    'DELETE deleteMember',
    'DELETE deletePattern',
    'DELETE deletePolicy',
    'DELETE deleteTarget',
    'DELETE deleteVideo',
    'GET restart',
    'POST disconnectSession',
    'POST exemptFromMfa',
    'POST resetMfa',
    'PUT replaceMember',
    'PUT replaceTarget',
  ]);
});
