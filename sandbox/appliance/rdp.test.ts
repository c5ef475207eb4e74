import { afterEach, describe, expect, test } from 'vitest';
import { rdpOfTheCompany } from './company/rdp.ts';
import { startSimulatedAppliance } from './index.ts';

const open: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of open.splice(0)) await stop();
});

interface Reply {
  readonly Status: boolean;
  readonly Error: string;
  readonly ID: number;
  /** The caller names the parts of the answer that it checks. */
  readonly [data: string]: unknown;
}

/** An appliance at noon, with a clock that the test moves. */
async function start() {
  const clock = { now: new Date('2026-11-20T12:00:00Z') };
  const appliance = await startSimulatedAppliance({ clock: () => clock.now });
  open.push(() => appliance.close());
  async function call(method: string, path: string, body?: unknown): Promise<Reply> {
    const response = await fetch(`${appliance.url}/rdpproxy${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // Reply holds the fields that every answer of the gateway has.
    return (await response.json()) as Reply;
  }
  const pass = (milliseconds: number) => {
    clock.now = new Date(clock.now.getTime() + milliseconds);
  };
  return { ...appliance, rdp: appliance.state.rdp, call, pass };
}

const done = { Status: true, Error: '' };
const member = { username: 'new.person', password: 'pw-8841', endoflife: '1798761600' };
const target = { name: 'srv-new-01', address: '10.20.1.200', password: 'pw-8842' };

describe('the company behind the gateway', () => {
  test('every open session is of a member, on an enabled target, and allowed by an enabled policy', () => {
    const rdp = rdpOfTheCompany(new Date());
    for (const session of rdp.sessions.values()) {
      const who = [...rdp.members.values()].find(({ username }) => username === session.username);
      const where = [...rdp.targets.values()].find(({ name }) => name === session.target);
      expect(where).toMatchObject({ protocol: session.protocol, enabled: 1 });
      const allowing = [...rdp.policies.values()].filter(
        ({ enabled, links }) =>
          enabled === 1 && links.members.has(who?.id ?? 0) && links.targets.has(where?.id ?? 0),
      );
      expect(allowing, session.username).toHaveLength(1);
    }
  });

  test('its history lies in the past, in order, and is long, at every hour', () => {
    for (const hour of [0, 2, 9, 23]) {
      const now = new Date(Date.UTC(2026, 10, 20, hour));
      const { events, videos, sessions } = rdpOfTheCompany(now);
      expect(events.length).toBe(807);
      expect(events.map(({ date }) => date)).toEqual(events.map(({ date }) => date).toSorted());
      expect(Date.parse(events.at(-1)?.date ?? '')).toBeLessThanOrEqual(now.getTime());
      expect(videos.size).toBe(30);
      expect(sessions.size).toBe(15);
    }
  });

  test('its history is that of working hours, whenever it is started', () => {
    for (const hour of [0, 9, 23]) {
      const now = new Date(Date.UTC(2026, 10, 20, hour, 30));
      const { events } = rdpOfTheCompany(now);
      // Without those of the sessions that are open.
      const past = events.filter(({ date, reason }) => reason === 'logon' && date < '2026-11-19');
      const hours = past.map(({ date }) => Number(date.slice(11, 13)));
      expect(Math.min(...hours)).toBe(8);
      expect(Math.max(...hours)).toBe(15);
    }
  });

  test('its data is the same at every start', () => {
    const now = new Date();
    expect(rdpOfTheCompany(now)).toEqual(rdpOfTheCompany(now));
  });
});

test('no password and no secret is ever answered, nor written to the audit trail', async () => {
  const { call, rdp, operations } = await start();
  const answers: unknown[] = [
    await call('POST', '/members', member),
    await call('POST', '/targets', target),
    await call('PUT', '/members/7', { username: 'bob.miller', password: 'pw-8843' }),
    await call('PUT', '/targets/7', { name: 'srv-files-01', address: '10.20.1.41', password: 'pw-8844' }),
    await call('POST', '/mfa/unlock', { username: 'bob.miller' }),
  ];
  const reads = operations.filter((one) => /^GET \/rdpproxy\/(?!restart)/.test(one));
  for (const one of reads) answers.push(await call('GET', one.slice(13).replace('{id}', '1')));
  const told = JSON.stringify([answers, rdp.audit]);
  const kept = JSON.stringify([[...rdp.members.values()], [...rdp.targets.values()]]);
  for (const secret of [/pw-8841/, /pw-8842/, /pw-8843/, /pw-8844/, /password-of-/, /secret-of-/]) {
    expect(kept).toMatch(secret);
    expect(told).not.toMatch(secret);
  }
});

describe('bodies and IDs', () => {
  test.each<[string, string, object]>([
    ['POST', '/members', { ...member, endoflife: 1_798_761_600 }],
    ['PUT', '/members/7', { ...member, endoflife: null }],
    ['POST', '/targets', { ...target, port: 3389 }],
    ['PUT', '/targets/7', { ...target, enabled: true }],
    ['POST', '/policies', { name: 'new', allow_clipboard: true }],
    ['PUT', '/policies/1', { name: 'new', allow_clipboard: 1 }],
    ['POST', '/policies/1/members', { id: 7 }],
    ['POST', '/patterns?policy=1', { pattern: ['rm'] }],
    ['POST', '/mfa/exempt', { username: { name: 'bob.miller' } }],
    ['POST', '/tls/ciphers', { ciphers: ['TLS_AES_128_GCM_SHA256'] }],
  ])('%s %s refuses a value that is not a string, and changes nothing', async (method, path, body) => {
    const { call, rdp } = await start();
    const before = structuredClone(rdp);
    expect(await call(method, path, body)).toEqual({
      Status: false,
      Error: expect.stringMatching(/^\w+ must be a string$/),
    });
    expect(rdp).toEqual(before);
  });

  test.each<[string, object | undefined, string]>([
    ['POST /members', { password: 'x' }, 'username is required'],
    ['POST /members', { username: 'x', endoflife: '0' }, 'password is required'],
    [
      'POST /members',
      { ...member, endoflife: 'tomorrow' },
      'endoflife must be a number from 0 to 4294967295',
    ],
    ['POST /members', { ...member, username: 'bob.miller' }, 'a member with this username exists already'],
    ['POST /targets', { name: 'x' }, 'address is required'],
    ['POST /targets', { ...target, protocol: 'telnet' }, 'protocol must be one of: rdp, ssh, vnc'],
    ['POST /targets', { ...target, port: '70000' }, 'port must be a number from 1 to 65535'],
    ['POST /policies', { name: 'x', allow_audio: 'yes' }, 'allow_audio must be one of: 0, 1'],
    ['POST /policies/1/members', { id: '999' }, 'member not found'],
    ['DELETE /policies/1/members/7', undefined, 'member is not linked to this policy'],
    ['POST /patterns?policy=99', { pattern: 'x' }, 'policy not found'],
    ['POST /mfa/unlock', { username: 'nobody' }, 'user not found'],
    [
      'POST /tls/ciphers',
      { ciphers: 'TLS_AES_128_GCM_SHA256:RC4-MD5' },
      'cipher suites not supported: RC4-MD5',
    ],
    ['GET /members/999', undefined, 'member not found'],
    ['GET /members/07', undefined, 'member not found'],
    ['POST /policies/1/members', { id: '07' }, 'member not found'],
    ['GET /targets/1.0', undefined, 'target not found'],
    ['PUT /policies/abc', { name: 'x' }, 'policy not found'],
    ['DELETE /patterns/-1', undefined, 'pattern not found'],
    ['DELETE /videos/1', undefined, 'video not found'],
    ['POST /targets/999/disable', undefined, 'target not found'],
    ['GET /events?limit=many', undefined, 'limit must be a positive number'],
  ])('%s %j: %s', async (operation, body, reason) => {
    const { call, rdp } = await start();
    const before = structuredClone(rdp);
    const [method = '', path = ''] = operation.split(' ');
    expect(await call(method, path, body)).toEqual({ Status: false, Error: reason });
    expect(rdp).toEqual(before);
  });
});

describe('members', () => {
  test('one is created, read, replaced and deleted; the ID is not given again', async () => {
    const { call } = await start();
    const created = await call('POST', '/members', member);
    expect(created).toEqual({ ...done, ID: 26 });
    const path = `/members/${created.ID}`;
    expect(await call('GET', path)).toEqual({
      ...done,
      Member: { id: 26, username: 'new.person', full_name: '', endoflife: '1798761600' },
    });
    expect(await call('PUT', path, { username: 'renamed' })).toEqual(done);
    expect(await call('GET', path)).toMatchObject({ Member: { username: 'renamed', endoflife: '0' } });
    expect(await call('DELETE', path)).toEqual(done);
    expect(await call('GET', path)).toMatchObject({ Status: false });
    expect(await call('POST', '/members', member)).toEqual({ ...done, ID: 27 });
  });

  test('a password that is not sent with the replacement stays', async () => {
    const { call, rdp } = await start();
    const before = rdp.members.get(7)?.password;
    await call('PUT', '/members/7', { username: 'bob.miller', full_name: 'Robert Miller' });
    expect(rdp.members.get(7)).toMatchObject({ full_name: 'Robert Miller', password: before });
  });

  test('a deleted member is out: sessions, links and second factor go too', async () => {
    const { call, rdp } = await start();
    await call('DELETE', '/members/1');
    expect([...rdp.sessions.values()].filter(({ username }) => username === 'alice.carter')).toEqual([]);
    expect(rdp.sessions.size).toBe(13);
    expect([...rdp.policies.values()].filter(({ links }) => links.members.has(1))).toEqual([]);
    expect(JSON.stringify(await call('GET', '/mfa/users'))).not.toContain('alice.carter');
    expect(rdp.events.filter(({ reason }) => reason === 'member_deleted')).toHaveLength(2);
  });
});

describe('targets', () => {
  test('one that is disabled keeps its sessions; one that is deleted does not', async () => {
    const { call, rdp } = await start();
    await call('POST', '/targets/7/disable');
    expect(await call('GET', '/targets/7')).toMatchObject({ Target: { name: 'srv-files-01', enabled: 0 } });
    expect(rdp.sessions.size).toBe(15);
    await call('PUT', '/targets/7', { name: 'srv-files-01', address: '10.20.1.40' });
    expect(await call('GET', '/targets/7')).toMatchObject({ Target: { address: '10.20.1.40', enabled: 0 } });
    await call('POST', '/targets/7/enable');
    expect(rdp.targets.get(7)).toMatchObject({ enabled: 1, password: 'password-of-target-7' });
    await call('DELETE', '/targets/7');
    expect(rdp.sessions.has(12) || rdp.sessions.has(19)).toBe(false);
    expect(rdp.sessions.size).toBe(13);
  });
});

describe('policies', () => {
  test('a right that the replacement does not name is withdrawn; switch and links stay', async () => {
    const { call } = await start();
    await call('POST', '/policies/5/disable');
    await call('PUT', '/policies/5', { name: 'File servers', allow_audio: '1' });
    expect(await call('GET', '/policies/5')).toMatchObject({
      Policy: {
        enabled: 0,
        allow_audio: '1',
        allow_clipboard: '0',
        allow_drives: '0',
        targets: [
          { id: 7, name: 'srv-files-01' },
          { id: 8, name: 'srv-files-02' },
        ],
      },
    });
  });

  test.each([
    ['networks', { id: 4, name: 'Engineering (10.20.8.0/24)' }],
    ['schedules', { id: 3, name: 'Night maintenance' }],
    ['members', { id: 7, name: 'bob.miller' }],
    ['targets', { id: 18, name: 'srv-hr-01' }],
  ])('%s are linked, once, and unlinked', async (kind, linked) => {
    const { call } = await start();
    const { ID } = await call('POST', '/policies', { name: 'new' });
    const path = `/policies/${ID}/${kind}`;
    expect(await call('POST', path, { id: String(linked.id) })).toEqual(done);
    expect(await call('POST', path, { id: String(linked.id) })).toEqual(done);
    expect(await call('GET', `/policies/${ID}`)).toMatchObject({ Policy: { [kind]: [linked] } });
    expect(await call('DELETE', `${path}/${linked.id}`)).toEqual(done);
    expect(await call('DELETE', `${path}/${linked.id}`)).toMatchObject({ Status: false });
    expect(await call('GET', `/policies/${ID}`)).toMatchObject({ Policy: { [kind]: [] } });
  });

  test('patterns are listed where they act: in their policy, or everywhere', async () => {
    const { call, rdp } = await start();
    const own = await call('POST', '/patterns?policy=4', { pattern: 'own', action: 'disconnect' });
    const everywhere = await call('POST', '/patterns?policy=0', { pattern: 'everywhere' });
    const listed = async (query: string) => {
      const { Patterns } = await call('GET', `/patterns${query}`);
      return (Patterns as { id: number }[]).map(({ id }) => id);
    };
    expect(await listed('?policy=4')).toEqual([1, 2, 3, own.ID, everywhere.ID]);
    expect(await listed('?policy=1')).not.toContain(own.ID);
    expect(await listed('?policy=0')).toHaveLength(12);
    expect(await listed('')).toHaveLength(12);
    await call('PUT', `/patterns/${own.ID}`, { pattern: 'changed' });
    expect(rdp.patterns.get(own.ID)).toMatchObject({ policy: 4, pattern: 'changed', action: 'notify' });
    await call('DELETE', `/patterns/${everywhere.ID}`);
    await call('DELETE', '/policies/4');
    expect(await listed('')).toHaveLength(10);
  });
});

describe('sessions, events and videos:', () => {
  test('a session that is disconnected is the newest event', async () => {
    const { call } = await start();
    await call('POST', '/sessions/12/disconnect');
    expect(await call('GET', '/events?user=bob.miller&limit=1')).toMatchObject({
      ...done,
      Events: [
        {
          date: '2026-11-20T12:00:00Z',
          user: 'bob.miller',
          target: 'srv-files-01',
          client_ip: '10.20.6.71',
          reason: 'disconnected',
          detail: 'by the Web API',
        },
      ],
    });
  });

  test('at most 500 events are listed, the newest first, however many are asked for', async () => {
    const { call, rdp } = await start();
    for (const query of ['', '?limit=', '?limit=5000']) {
      const { Events } = await call('GET', `/events${query}`);
      expect(Events).toEqual(rdp.events.slice(-500).toReversed());
    }
    expect((await call('GET', '/events?limit=3')).Events).toHaveLength(3);
  });

  test('events are found by user and by reason, and an empty filter is none', async () => {
    const { call, rdp } = await start();
    const { Events } = await call('GET', '/events?user=peter.novak&reason=account_expired&limit=');
    const meant = rdp.events.filter(
      ({ user, reason }) => user === 'peter.novak' && reason === 'account_expired',
    );
    expect(meant.length).toBeGreaterThan(0);
    expect(Events).toEqual(meant.toReversed());
    expect((await call('GET', '/events?user=peter')).Events).toEqual([]);
    expect((await call('GET', '/events?user=&reason=')).Events).toHaveLength(500);
  });

  test('a video is deleted once', async () => {
    const { call } = await start();
    expect((await call('GET', '/videos')).Videos).toHaveLength(30);
    expect(await call('DELETE', '/videos/101')).toEqual(done);
    expect(await call('DELETE', '/videos/101')).toMatchObject({ Status: false });
    expect((await call('GET', '/videos')).Videos).toHaveLength(29);
  });
});

describe('the second factor', () => {
  const of = async ({ call }: Awaited<ReturnType<typeof start>>, name: string) => {
    const { Users } = await call('GET', '/mfa/users');
    return (Users as { username: string }[]).find(({ username }) => username === name);
  };

  test('is unlocked, exempted, and reset to the beginning', async () => {
    const appliance = await start();
    const username = 'nadia.rahman';
    expect(await of(appliance, username)).toEqual({
      username,
      enrolled: 1,
      locked: 1,
      exempt: 0,
      failures: 5,
    });
    await appliance.call('POST', '/mfa/unlock', { username });
    expect(await of(appliance, username)).toEqual({
      username,
      enrolled: 1,
      locked: 0,
      exempt: 0,
      failures: 0,
    });
    await appliance.call('POST', '/mfa/exempt', { username });
    expect(await of(appliance, username)).toMatchObject({ enrolled: 1, exempt: 1 });
    await appliance.call('POST', '/mfa/reset', { username });
    expect(await of(appliance, username)).toEqual({
      username,
      enrolled: 0,
      locked: 0,
      exempt: 0,
      failures: 0,
    });
  });
});

describe('the gateway', () => {
  test('drops every session when it restarts, and is up again seconds later', async () => {
    const { call, rdp, pass } = await start();
    expect(await call('GET', '/state')).toMatchObject({
      State: { service: 'running', open_sessions: 15, policies: 10, listen_port: 3389, video_support: 1 },
    });
    expect(await call('GET', '/restart')).toEqual(done);
    expect(rdp.sessions.size).toBe(0);
    expect(rdp.events.filter(({ reason }) => reason === 'restart')).toHaveLength(15);
    pass(4999);
    expect(await call('GET', '/state')).toMatchObject({ State: { service: 'restarting', open_sessions: 0 } });
    expect(await call('GET', '/status')).toMatchObject({
      Info: 'restarting',
      Service: { running: 0, pid: 0 },
    });
    pass(3001);
    expect(await call('GET', '/state')).toMatchObject({ State: { service: 'running' } });
    expect(await call('GET', '/status')).toMatchObject({
      Info: 'running',
      Service: { running: 1, pid: 2209, started_at: '2026-11-20T12:00:05Z', uptime_seconds: 3 },
    });
  });

  test('offers the configured cipher suites, in their order', async () => {
    const { call } = await start();
    const ciphers = 'ECDHE-RSA-AES256-GCM-SHA384:TLS_AES_256_GCM_SHA384';
    expect(await call('POST', '/tls/ciphers', { ciphers })).toEqual(done);
    expect((await call('GET', '/tls/ciphers')).Ciphers).toEqual(ciphers.split(':'));
  });

  test('queues for the SIEM what it cannot send', async () => {
    const { call, rdp } = await start();
    expect(await call('GET', '/siem/status')).toMatchObject({ Siem: { connected: 1, queued: 0 } });
    Object.assign(rdp.siem, { connected: false, lastError: 'connection refused' });
    expect(await call('GET', '/siem/status')).toMatchObject({
      Siem: { connected: 0, queued: rdp.events.length, last_error: 'connection refused' },
    });
  });
});

test('every change is in the audit trail, in order; readings and refusals are not', async () => {
  const { call, rdp, pass } = await start();
  await call('GET', '/members');
  await call('POST', '/sessions/99/disconnect');
  await call('POST', '/sessions/12/disconnect');
  pass(60_000);
  await call('POST', '/policies/9/members', { id: '7' });
  await call('DELETE', '/policies/9/members/7');
  await call('GET', '/restart');
  const noon = { who: 'Web API', when: '2026-11-20T12:00:00Z' };
  const later = { who: 'Web API', when: '2026-11-20T12:01:00Z' };
  expect(rdp.audit).toEqual([
    { ...noon, what: 'session 12 (bob.miller) disconnected' },
    { ...later, what: 'member 7 (bob.miller) linked to policy 9 (Human resources)' },
    { ...later, what: 'member 7 unlinked from policy 9 (Human resources)' },
    { ...later, what: 'gateway restarted, 14 sessions dropped' },
  ]);
});

test('an appliance that forgets a change says it is done, and has neither the change nor its trail', async () => {
  const { call, rdp, faults } = await start();
  const before = structuredClone(rdp);
  faults.set('POST /rdpproxy/members', { kind: 'forget' });
  expect(await call('POST', '/members', member)).toEqual({ ...done, ID: 26 });
  expect(rdp).toEqual(before);
});
