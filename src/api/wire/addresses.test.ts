import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { type ApplianceSettings, connectAppliance } from '../index.ts';
import { type ApplianceAddresses, readAddresses } from './addresses.ts';

const read = (given: Partial<ApplianceAddresses>) => {
  const addresses = readAddresses('lab', { url: 'https://10.20.0.2:9503', ...given });
  return Object.fromEntries(Object.entries(addresses).map(([service, address]) => [service, address?.href]));
};

describe('the addresses of an appliance', () => {
  test('one address is enough: the directory API is at the Web API’s, and the mirror has none', () => {
    expect(read({})).toEqual({
      web: 'https://10.20.0.2:9503/',
      directory: 'https://10.20.0.2:9503/',
      mirror: undefined,
      mirrorConsole: undefined,
    });
  });

  test('the mirror’s console is beside the mirror, unless it is configured', () => {
    const mirrorUrl = 'http://mirror.test:9090/sync';
    expect(read({ mirrorUrl }).mirrorConsole).toBe('http://mirror.test:8081/sync');
    expect(read({ mirrorUrl, mirrorConsoleUrl: 'http://console.test' }).mirrorConsole).toBe(
      'http://console.test/',
    );
    expect(read({ mirrorConsoleUrl: 'http://console.test' })).toMatchObject({ mirror: undefined });
  });

  test.each(['url', 'directoryUrl', 'mirrorUrl', 'mirrorConsoleUrl'])(
    '%s is an http or https address',
    (name) => {
      for (const bad of [
        '',
        '10.20.0.2',
        '10.20.0.2:9503',
        'ftp://10.20.0.2',
        'file:///etc/passwd',
        'http://',
      ]) {
        expect(() => read({ [name]: bad })).toThrow(TypeError);
        expect(() => read({ [name]: bad })).toThrow(
          /address of appliance lab is not an http or https address/,
        );
      }
    },
  );

  test.each(['url', 'directoryUrl', 'mirrorUrl', 'mirrorConsoleUrl'])(
    '%s carries no credentials, and they are not repeated',
    (name) => {
      for (const bad of [
        'https://admin:hunter2@10.20.0.2',
        'https://hunter2@10.20.0.2',
        'https://:hunter2@x',
      ]) {
        expect(() => read({ [name]: bad })).toThrow(/^(?!.*hunter2).*contains credentials/);
      }
    },
  );

  test.each(['http://10.20.0.2:9000', 'https://10.20.0.2:9000/api'])(
    '%s is the web console’s, and the error names the Web API’s',
    (url) => {
      expect(() => read({ url })).toThrow(/web console.*9000.*9503/);
    },
  );

  test.each(['http://10.20.0.2:9001', 'https://10.20.0.2:90', 'http://9000.test'])('%s is not', (url) => {
    expect(() => read({ url })).not.toThrow();
  });
});

const open: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

/** A server for one service, which records requests and their keys. */
async function serve(answer: string, status = 200, headers: Record<string, string> = {}) {
  const received: { line: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    received.push({ line: `${request.method} ${request.url}`, headers: request.headers });
    response.writeHead(status, headers).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => new Promise((resolve) => server.close(resolve)));
  return {
    port: (server.address() as AddressInfo).port,
    lines: () => received.map(({ line }) => line),
    keys: () => received.map((one) => one.headers['x-auth-token']),
  };
}

function connect(settings: Partial<ApplianceSettings> & { readonly url: string }) {
  const appliance = connectAppliance({ name: 'lab', release: '4.50 SP5', ...settings });
  open.push(() => appliance.close());
  return appliance;
}

describe('every call goes to the server of its own service', () => {
  test.each(['', '/box/one', '/box/one/'])('with the path %j before its own', async (prefix) => {
    const [web, directory, mirror, mirrorConsole] = [
      await serve('{"Status":true,"Objects":[]}'),
      await serve('{"Status":true}'),
      await serve('{"status":"healthy"}'),
      await serve('{"count":0,"events":[]}'),
    ];
    const appliance = connect({
      url: `http://127.0.0.1:${web.port}${prefix}`,
      directoryUrl: `http://127.0.0.1:${directory.port}${prefix}`,
      mirrorUrl: `http://127.0.0.1:${mirror.port}${prefix}`,
      mirrorConsoleUrl: `http://127.0.0.1:${mirrorConsole.port}${prefix}`,
    });
    await appliance.acl.listObjects();
    await appliance.directory.connectNtlm();
    await appliance.mirror.health();
    await appliance.mirror.listEvents({ limit: 5 });
    const kept = prefix.replace(/\/$/, '');
    expect(web.lines()).toEqual([`GET ${kept}/proxy/acls/objects`]);
    expect(directory.lines()).toEqual([`GET ${kept}/ntlm_connect`]);
    expect(mirror.lines()).toEqual([`GET ${kept}/api/health`]);
    expect(mirrorConsole.lines()).toEqual([`GET ${kept}/api/console/events?limit=5`]);
  });

  test('or to the Web API’s server for the directory, if nothing else is configured', async () => {
    const web = await serve('{"Status":true}');
    await connect({ url: `http://127.0.0.1:${web.port}` }).directory.connectNtlm();
    expect(web.lines()).toEqual(['GET /ntlm_connect']);
  });

  test('or nowhere for the mirror, if none is configured', async () => {
    const web = await serve('{"Status":true}');
    const reports: unknown[] = [];
    const { mirror } = connect({
      url: `http://127.0.0.1:${web.port}`,
      onRequest: (one) => reports.push(one),
    });
    const nowhere = { code: 'not_configured', setting: 'mirrorUrl', sent: 'no', mayHaveHappened: false };
    const calls = [mirror.triggerSync(), mirror.health(), mirror.listEvents()];
    await Promise.all(calls.map((call) => expect(call).rejects.toMatchObject(nowhere)));
    expect(web.lines()).toEqual([]);
    expect(reports).toEqual([]);
  });
});

describe('the key', () => {
  const key = 'web-api-key-4711';

  test.each([
    [false, [key, undefined, undefined, undefined]],
    [true, [key, key, key, key]],
  ])('goes to the other ports of its machine only with keyEverywhere: %s', async (keyEverywhere, keys) => {
    const [web, directory, mirror] = [
      await serve('[]'),
      await serve('{"status": true}'),
      await serve('{"status": true}'),
    ];
    const appliance = connect({
      ...{ key, keyEverywhere, url: `http://127.0.0.1:${web.port}` },
      directoryUrl: `http://127.0.0.1:${directory.port}`,
      mirrorUrl: `http://127.0.0.1:${mirror.port}`,
    });
    await appliance.rdp.listSessions();
    await appliance.ssl.listRules();
    await appliance.directory.services();
    await appliance.mirror.health();
    expect([...web.keys(), ...directory.keys(), ...mirror.keys()]).toEqual(keys);
  });

  test('goes to no other host, not even to another name of the same machine', async () => {
    const [web, directory, mirror, mirrorConsole] = [
      await serve('[]'),
      await serve('{"status": true}'),
      await serve('{"status": true}'),
      await serve('{"count":0,"events":[]}'),
    ];
    const appliance = connect({
      ...{ key, keyEverywhere: true, url: `http://127.0.0.1:${web.port}` },
      directoryUrl: `http://localhost:${directory.port}`,
      mirrorUrl: `http://localhost:${mirror.port}`,
      mirrorConsoleUrl: `http://localhost:${mirrorConsole.port}`,
    });
    await appliance.rdp.listSessions();
    await appliance.directory.services();
    await appliance.mirror.health();
    await appliance.mirror.listEvents();
    expect(web.keys()).toEqual([key]);
    for (const other of [directory, mirror, mirrorConsole]) expect(other.keys()).toEqual([undefined]);
  });

  test.each([301, 302, 307, 308])(
    'goes nowhere after a redirect (HTTP %d), and neither does the order',
    async (status) => {
      const elsewhere = await serve('{"Status":true}');
      const location = `http://127.0.0.1:${elsewhere.port}/rdpproxy/sessions/12/disconnect`;
      const web = await serve('', status, { location });
      const { rdp } = connect({ key, keyEverywhere: true, url: `http://127.0.0.1:${web.port}` });
      await expect(rdp.disconnectSession({ id: 12 })).rejects.toMatchObject({
        code: 'redirected',
        status,
        excerpt: location,
      });
      expect(web.lines()).toHaveLength(1);
      expect(elsewhere.lines()).toEqual([]);
    },
  );
});
