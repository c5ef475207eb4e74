import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { inspect } from 'node:util';
import { MockAgent } from 'undici';
import { afterEach, describe, expect, test } from 'vitest';
import { type Appliance, type ApplianceSettings, connectAppliance, operations } from './index.ts';

const open: { close: () => unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

function connect(settings: Partial<ApplianceSettings> = {}): Appliance {
  const appliance = connectAppliance({
    name: 'lab',
    url: 'http://127.0.0.1:1',
    release: '4.50 SP5',
    ...settings,
  });
  open.push(appliance);
  return appliance;
}

describe('invalid settings are refused at once', () => {
  test.each<Partial<ApplianceSettings>>([
    { deadlines: { whole: Number.POSITIVE_INFINITY } },
    { deadlines: { long: 2 ** 31 } },
    { deadlines: { read: 0 } },
    { deadlines: { connect: Number.NaN } },
    { pace: { perSecond: 0 } },
    { pace: { perSecond: Number.POSITIVE_INFINITY } },
    { pace: { atOnce: -1 } },
    { url: 'http://10.20.0.2:9503/?key=4711' },
    { shellPassword: 'two words' },
    { release: 'new' },
    { name: '' },
    { name: 5 as never },
    { key: 4711 as never },
    { keyEverywhere: 'yes' as never },
    { pace: 5 as never },
    { tls: 'ca.pem' as never },
    { proxy: null as never },
    { maxReplyBytes: -5 },
    { maxReplyBytes: Number.NaN },
    { onRequest: console as never },
    { now: 1 as never },
    { mirrorConsoleUser: 'bot' },
  ])('%j', (settings) => {
    expect(() => connect(settings)).toThrow(TypeError);
  });

  test('in words that do not repeat a possible secret', () => {
    expect(() => connect({ key: { secret: '4711' } as never })).toThrow(
      'Appliance lab: key must be a string.',
    );
    expect(() => connectAppliance(null as never)).toThrow(
      'An appliance is made of its settings: { name, url }.',
    );
  });

  test('and an undefined one is none', () => {
    const deadlines: object = { whole: undefined };
    expect(() => connect({ deadlines })).not.toThrow();
  });
});

describe('a call ends as one of the error family for any argument', () => {
  test.each<[string, (appliance: Appliance) => unknown]>([
    ['arguments that are null', ({ rdp }) => rdp.disconnectSession(null as never)],
    ['no arguments', ({ acl }) => acl.addRecord(undefined as never)],
    ['a signal that is none', ({ rdp }) => rdp.listSessions({ signal: 'x' as never })],
    ['an upload without a file', ({ directory }) => directory.uploadHotfix(null as never)],
    ['an argument that is not its own', ({ rdp }) => rdp.disconnectSession({ id: 12, force: true } as never)],
    [
      'a field that has an argument of its own',
      ({ rdp }) => rdp.createMember({ username: 'alice', fields: { Username: 'mallory' } }),
    ],
  ])('%s', async (_, call) => {
    await expect(Promise.resolve(call(connect()))).rejects.toMatchObject({
      code: 'bad_argument',
      sent: 'no',
    });
  });
});

test('no value in a path turns it into another order', () => {
  const orders = [...operations].map(([name, endpoint]) => ({
    ...{ name, endpoint, parts: endpoint.path.split('/') },
  }));
  /** Whether a slot accepts a word; literal parts accept only themselves. */
  const takes = ({ endpoint }: (typeof orders)[number], part: string, word: string) => {
    const schema = endpoint.slots[part.slice(1, -1)];
    return schema === undefined ? part === word : schema.safeParse(word).success;
  };
  const stolen = orders.flatMap((one) =>
    orders
      .filter((other) => one !== other && one.endpoint.method === other.endpoint.method)
      .filter((other) => one.parts.length === other.parts.length)
      .filter((other) =>
        one.parts.every((mine, index) => {
          const theirs = other.parts[index] ?? '';
          if (theirs.startsWith('{')) return mine.startsWith('{') || takes(other, theirs, mine);
          return takes(one, mine, theirs);
        }),
      )
      .map((other) => `${one.name} as ${other.name}`),
  );
  expect(stolen).toEqual([]);
});

test('an unknown setting is refused, with a suggestion', () => {
  const slips: [object, string][] = [
    [{ nmae: 'hq' }, 'An appliance has no setting nmae. Did you mean name?'],
    [{ onRetri: () => undefined }, 'An appliance has no setting onRetri. Did you mean onRetry?'],
    [{ fetch }, 'An appliance has no setting fetch. Did you mean dispatcher?'],
    [{ timeout: 1 }, 'An appliance has no setting timeout. Did you mean deadlines?'],
    [{ pace: { atonce: 1 } }, 'Appliance lab: pace has no setting atonce. Did you mean atOnce?'],
    [{ tls: { pin: [] } }, 'Appliance lab: tls has no setting pin. Did you mean pins?'],
    [{ deadlines: { hole: 1 } }, 'Appliance lab: deadlines has no setting hole. Did you mean whole?'],
  ];
  for (const [slip, said] of slips) expect(() => connect(slip)).toThrow(new TypeError(said));
});

test('a dispatcher excludes settings that it would ignore, such as a pinned certificate', () => {
  const given = { dispatcher: new MockAgent(), tls: { pins: ['ab'.repeat(32)] } };
  expect(() => connect(given)).toThrow(
    'Appliance lab has a dispatcher: its connections know nothing of tls and proxy.',
  );
});

test('a combined call refuses unknown and missing arguments before anything is sent', async () => {
  const { acl } = connect();
  const slip = { objectId: 1, pattern: ['a.example'] } as unknown as Parameters<typeof acl.addRecords>[0];
  const answered = (given: typeof slip) => acl.addRecords(given).catch((reason: unknown) => reason);
  expect(await answered(slip)).toMatchObject({ code: 'bad_argument', argument: 'pattern', sent: 'no' });
  const lack = { objectId: 1 } as typeof slip;
  expect(await answered(lack)).toMatchObject({ code: 'bad_argument', argument: 'patterns', sent: 'no' });
});

test('an unknown option of a call is refused, and nothing is sent', async () => {
  const options = { singal: AbortSignal.timeout(1) } as object;
  const error = await connect()
    .rdp.restart(options)
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'bad_argument', argument: 'singal', sent: 'no' });
});

describe('the key', () => {
  const key = 'web-api-key-4711';

  test('is not revealed by an answer that is no HTTP, in any part of the error', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (data) => socket.end(`no such thing: ${data}`));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push(server);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const error = await connect({ url, key })
      .rdp.restart()
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'unreadable', excerpt: expect.stringContaining('[hidden]') });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(key);
  });

  test('is hidden in a value that repeats it', async () => {
    const server = createServer((request, response) => {
      response.end(JSON.stringify({ Status: true, asked: request.headers, password: 'hush' }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push(server);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { fields } = await connect({ url, key }).rdp.state();
    expect(fields).toMatchObject({ password: '(hidden)' });
    expect(JSON.stringify(fields)).not.toContain(key);
  });
});
