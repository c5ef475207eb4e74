import { describe, expect, test } from 'vitest';
import { appliance, call, pass, withAnAppliance } from '../testing.ts';
import { consoleLogin } from './guarded.ts';

withAnAppliance({ generation: 'field-strict', key: 'sesame' });

const withKey = { headers: { 'x-api-key': 'sesame' } };
const events = '/api/console/events';

describe('the key', () => {
  test.each(['/categories/list', '/status', '/rdpproxy/sessions', '/ftpd/status'])(
    'is required on every call: %s',
    async (path) => {
      expect(await call(path)).toMatchObject({ status: 403, text: 'Forbidden\n' });
      expect(await call(path, withKey)).toMatchObject({ status: 200 });
      expect(await call(path, { headers: { 'x-auth-token': 'sesame' } })).toMatchObject({ status: 200 });
    },
  );

  test('is required before an order is carried out', async () => {
    await call('/emergency_enable');
    expect(appliance.state.directory.emergency).toBe(false);
    await call('/emergency_enable', withKey);
    expect(appliance.state.directory.emergency).toBe(true);
  });

  test('is not required by the mirror service, which knows none', async () => {
    expect(await call('/api/status')).toMatchObject({ status: 200 });
  });
});

describe('an allowed network', () => {
  test('is required besides the key, and a client outside reads its own address', async () => {
    appliance.turn({ networks: 'foreign' });
    const { status, text } = await call('/emergency_enable', withKey);
    expect({ status, reply: JSON.parse(text) }).toEqual({
      status: 200,
      reply: {
        status: false,
        info: 'Your IP address [127.0.0.1] is not allowed to perform this operation',
      },
    });
    expect(appliance.state.directory.emergency).toBe(false);
  });

  test('cannot be found in a list that is unreadable', async () => {
    appliance.turn({ networks: 'unreadable' });
    expect(JSON.parse((await call('/categories/list', withKey)).text)).toEqual({
      status: false,
      info: 'Fatal error while checking security accesses ( see syslog messages ).',
    });
  });

  test('is the only check of the mirror service', async () => {
    appliance.turn({ networks: 'foreign' });
    expect(await call('/api/status')).toMatchObject({ status: 403, text: 'Forbidden\n' });
  });
});

describe('the mirror console', () => {
  test('answers only clients with a login', async () => {
    const { status, text } = await call(events);
    expect({ status, reply: JSON.parse(text) }).toEqual({
      status: 401,
      reply: { error: 'Unauthorized', message: 'Session expired. Please login again.' },
    });
  });

  test('may lead to its login page instead', async () => {
    appliance.turn({ consoleLogin: 'login' });
    const { status, headers } = await call(events);
    expect({ status, to: headers.get('location') }).toEqual({ status: 302, to: '/login' });
    expect(await call('/login')).toMatchObject({
      status: 200,
      type: expect.stringContaining('text/html'),
      text: expect.stringContaining('Sign in'),
    });
  });

  test('answers a client with a login, by the cookie, for half an hour', async () => {
    const body = new URLSearchParams(consoleLogin);
    const url = appliance.urls.mirrorConsole;
    const { headers } = await call(`${url}/login`, { method: 'POST', body });
    const [cookie = ''] = headers.get('set-cookie')?.split(';') ?? [];
    const look = () => call(url + events, { headers: { cookie } });
    expect(await look()).toMatchObject({ status: 200 });
    pass(31 * 60);
    expect(await look()).toMatchObject({ status: 401 });
  });

  test('gives no cookie for a wrong password', async () => {
    const body = new URLSearchParams({ ...consoleLogin, password: 'guessed' });
    const { headers } = await call('/login', { method: 'POST', body });
    expect(headers.get('set-cookie')).toBeNull();
  });
});

test('the guarded appliance speaks as in the field', async () => {
  expect(JSON.parse((await call('/ntlm_connect', withKey)).text)).toEqual({});
});
