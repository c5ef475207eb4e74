import nock from 'nock';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { onlyNockAnswers } from '../../test/nock.ts';
import * as combinedAreas from './combined/index.ts';
import {
  type Appliance,
  type ApplianceFailure,
  type ApplianceSettings,
  areas,
  connectAppliance,
  isApplianceFailure,
  type Method,
  type OperationName,
  operations,
  type RequestReport,
} from './index.ts';

const url = 'http://192.0.2.10:9503';
const key = 'web-api-key-4711';
let appliance: Appliance | undefined;

function connect(settings: Partial<ApplianceSettings> = {}): Appliance {
  appliance = connectAppliance({ name: 'lab', url, release: '4.50 SP5', ...settings });
  return appliance;
}

async function failureOf(call: Promise<unknown>): Promise<ApplianceFailure> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isApplianceFailure(error)) throw new Error('The call did not fail as it should.', { cause: error });
  return error;
}

onlyNockAnswers();
afterEach(async () => {
  await appliance?.close();
});

describe('arguments', () => {
  test.each(['..', '', 'a/b'])('the domain %j is refused before anything is sent', async (domain) => {
    expect(await failureOf(connect().categories.query({ domain }))).toMatchObject({
      code: 'bad_argument',
      argument: 'domain',
      sent: 'no',
      mayHaveHappened: false,
    });
  });

  test.each([1.5, -1, Number.NaN, Number.MAX_SAFE_INTEGER + 1])(
    'the session ID %d is refused',
    async (id) => {
      expect(await failureOf(connect().rdp.disconnectSession({ id }))).toMatchObject({
        code: 'bad_argument',
        argument: 'id',
      });
    },
  );
});

describe('the key', () => {
  test('goes with the remote-desktop calls and with no others', async () => {
    nock(url, { reqheaders: { 'x-auth-token': key } })
      .get('/rdpproxy/sessions')
      .reply(200, []);
    nock(url, { badheaders: ['x-auth-token'] })
      .get('/categories/list')
      .reply(200, { Categories: [] });
    const { rdp, categories } = connect({ key });
    expect(await rdp.listSessions()).toEqual([]);
    expect(await categories.list()).toEqual([]);
  });

  test('goes with every call if so configured', async () => {
    nock(url, { reqheaders: { 'x-auth-token': key } })
      .get('/categories/list')
      .reply(200, { Categories: [] });
    expect(await connect({ key, keyEverywhere: true }).categories.list()).toEqual([]);
  });

  test('is in no error, even if the appliance repeats it', async () => {
    nock(url).get('/rdpproxy/sessions').reply(403, `<p>bad token ${key}</p>`);
    nock(url)
      .post('/rdpproxy/sessions/12/disconnect')
      .reply(200, { Status: false, Error: `token ${key} expired` });
    const { rdp } = connect({ key });
    for (const call of [rdp.listSessions(), rdp.disconnectSession({ id: 12 })]) {
      const failure = await failureOf(call);
      expect(JSON.stringify({ ...failure, message: failure.message, stack: failure.stack })).not.toContain(
        key,
      );
      expect(failure.excerpt).toContain('[hidden]');
    }
  });

  test.each(['', 'two\r\nlines', 'blank s'])(
    '%j cannot be a key, and the message does not repeat it',
    (bad) => {
      expect(() => connect({ key: bad })).toThrow(
        /^The key of appliance lab is empty or contains characters that/,
      );
    },
  );
});

describe('the address', () => {
  test.each(['appliance.test', 'ftp://appliance.test', ''])('%j is no address', (bad) => {
    expect(() => connect({ url: bad })).toThrow(
      'The address of appliance lab is not an http or https address.',
    );
  });

  test('may not carry credentials, and they are not repeated', () => {
    expect(() => connect({ url: 'http://admin:hunter2@appliance.test' })).toThrow(
      /^(?!.*hunter2).*credentials/,
    );
  });

  test('may have a path of its own', async () => {
    nock(url).get('/box/categories/list').reply(200, { Categories: [] });
    expect(await connect({ url: `${url}/box/` }).categories.list()).toEqual([]);
  });
});

describe('answers', () => {
  test.each([401, 403, 404, 405, 500])('HTTP %d is an error with what the page says', async (status) => {
    nock(url).get('/categories/list').reply(status, '<html><h1>Sorry</h1>\u202E</html>');
    expect(await failureOf(connect().categories.list())).toMatchObject({
      code: 'http_status',
      status,
      sent: 'yes',
      excerpt: 'Sorry',
      operation: 'categories.list',
    });
  });

  test('a fatal error in the usual envelope is quoted by its reason', async () => {
    nock(url).get('/categories/list').reply(500, { Status: false, Error: 'disk full' });
    expect(await failureOf(connect().categories.list())).toMatchObject({
      code: 'http_status',
      excerpt: 'disk full',
    });
  });

  const page = '<html><h1>404 Not Found</h1></html>';
  test.each([
    [403, '', false],
    [405, '', false],
    // An unknown one has nothing to say; a fatal error has (§7.1).
    [404, page, false],
    [404, '{"Status":false,"Error":"disk full"}', true],
    [500, page, true],
    [500, '{"status":false,"info":"Proxy Service is not enabled"}', false],
    [500, '{"status":false,"info":"Process crashed! size:0 bytes"}', true],
    [502, '', true],
  ])('a change that is answered with HTTP %d %s may have happened: %s', async (status, body, may) => {
    nock(url).post('/rdpproxy/sessions/12/disconnect').reply(status, body);
    expect(await failureOf(connect().rdp.disconnectSession({ id: 12 }))).toMatchObject({
      mayHaveHappened: may,
    });
  });

  const denied = '<!DOCTYPE html><html><body><h1>Access Denied</h1><p>Blocked by policy</p></body></html>';
  test.each<[number, string, string | undefined, boolean]>([
    // The engine's own words.
    [403, 'Forbidden\n', 'key_missing', false],
    [403, '{"status":false,"info":"Authentication failed"}', 'key_missing', false],
    [401, '{"error":"Unauthorized","message":"Session expired"}', 'key_missing', false],
    [405, 'Method Not Allowed\n', 'method', false],
    [404, page, 'unknown_call', false],
    // From a gateway in between, which may have held back the answer.
    [403, denied, 'in_between', true],
    [401, denied, 'in_between', true],
    [405, denied, 'in_between', true],
    [407, '', 'in_between', true],
    [404, '<html><body>Generated by proxy1 (squid/5.7)</body></html>', 'in_between', true],
    // Of unknown origin, so no remedy is suggested.
    [403, '', undefined, false],
    [403, 'RBAC: access denied', undefined, false],
    [403, '{"message":"Forbidden"}', undefined, false],
  ])('what keeps the appliance from serving HTTP %d %s is %s', async (status, body, obstacle, may) => {
    nock(url).post('/rdpproxy/sessions/12/disconnect').reply(status, body);
    expect(await failureOf(connect().rdp.disconnectSession({ id: 12 }))).toMatchObject({
      code: 'http_status',
      obstacle,
      mayHaveHappened: may,
    });
  });

  test('a redirect is not followed, and its target is shown without its secrets', async () => {
    const elsewhere = nock('http://elsewhere.test').get('/login').reply(200, {});
    nock(url)
      .get('/rdpproxy/sessions')
      .reply(302, '', { location: 'http://a:b@elsewhere.test/login?token=x' });
    expect(await failureOf(connect({ key }).rdp.listSessions())).toMatchObject({
      code: 'redirected',
      status: 302,
      excerpt: 'http://elsewhere.test/login',
    });
    expect(elsewhere.isDone()).toBe(false);
  });

  test('a page with HTTP 200 is not JSON', async () => {
    nock(url).get('/categories/list').reply(200, '<html>Web console</html>');
    expect(await failureOf(connect().categories.list())).toMatchObject({
      code: 'not_json',
      excerpt: 'Web console',
    });
  });

  test('a question without an answer is an error', async () => {
    nock(url).get('/categories/list').reply(200, ' \n');
    expect(await failureOf(connect().categories.list())).toMatchObject({ code: 'empty', sent: 'yes' });
  });

  test('a byte order mark is ignored', async () => {
    nock(url).get('/categories/list').reply(200, '\uFEFF{"Categories":[]}');
    expect(await connect().categories.list()).toEqual([]);
  });

  test('a redirect target is cleaned before it is shown', async () => {
    nock(url)
      .get('/categories/list')
      .reply(200, { categories: { '<b>\u202E7': {} } });
    const failure = await failureOf(connect().categories.list());
    expect(failure).toMatchObject({ code: 'unexpected_reply', at: 'Categories. 7' });
    expect(failure.message).not.toContain('\u202E');
  });
});

describe('retries', () => {
  test('a read succeeds after a gateway error, and every attempt is reported', async () => {
    nock(url)
      .get('/categories/list')
      .reply(503, 'busy')
      .get('/categories/list')
      .reply(200, { Categories: [] });
    const reports: RequestReport[] = [];
    const waits: number[] = [];
    const { categories } = connect({
      random: () => 0.5,
      sleep: async (milliseconds) => void waits.push(milliseconds),
      onRequest: (report) => reports.push(report),
    });
    expect(await categories.list()).toEqual([]);
    expect(waits).toEqual([50]);
    const report = {
      appliance: 'lab',
      operation: 'categories.list',
      effect: 'read',
      method: 'GET',
      path: '/categories/list',
      durationMs: expect.any(Number),
    };
    expect(reports).toEqual([
      { ...report, attempt: 1, status: 503, error: 'http_status' },
      { ...report, attempt: 2, status: 200 },
    ]);
  });

  test.each([
    [
      { status: false, info: 'Your IP address [203.0.113.9] is not allowed to perform this operation' },
      'not_served',
      'address',
    ],
    [{ status: false, info: 'The enterprise licence has expired' }, 'refused', 'license'],
    [{ status: false, info: 'No such list' }, 'refused', undefined],
    [{ Categories: 'none' }, 'unexpected_reply', undefined],
  ])('the answer %j with HTTP 200 is reported for what it is', async (body, error, obstacle) => {
    nock(url).get('/categories/list').reply(200, body);
    const reports: RequestReport[] = [];
    const { categories } = connect({ onRequest: (report) => reports.push(report) });
    await failureOf(categories.list());
    expect(reports).toMatchObject([{ attempt: 1, status: 200, error }]);
    expect(reports[0]?.obstacle).toBe(obstacle);
  });

  test('a change is not retried after the same error', async () => {
    const again = nock(url)
      .post('/rdpproxy/sessions/12/disconnect')
      .reply(503, 'busy')
      .post(/./)
      .reply(200, {});
    expect(await failureOf(connect().rdp.disconnectSession({ id: 12 }))).toMatchObject({
      code: 'http_status',
      status: 503,
    });
    expect(again.isDone()).toBe(false);
  });

  test('a wait that would outlast the whole deadline is not begun', async () => {
    nock(url).get('/categories/list').reply(503, 'busy');
    const waits: number[] = [];
    const { categories } = connect({
      deadlines: { whole: 90 },
      random: () => 0.99,
      sleep: async (milliseconds) => void waits.push(milliseconds),
    });
    expect(await failureOf(categories.list())).toMatchObject({ code: 'http_status', status: 503 });
    expect(waits).toEqual([]);
  });
});

test.each([
  [
    'throws',
    () => {
      throw new Error('log is full');
    },
  ],
  ['rejects', () => Promise.reject(new Error('log is full'))],
])(
  'a listener that %s changes nothing about the call, and does not end the process',
  async (_, listener: () => unknown) => {
    const unhandled = vi.fn<(reason: unknown) => void>();
    process.on('unhandledRejection', unhandled);
    nock(url).post('/rdpproxy/sessions/12/disconnect').reply(200, { Status: true, Info: 'closed' });
    nock(url).get('/rdpproxy/sessions').replyWithError('reset');
    nock(url).get('/rdpproxy/sessions').reply(200, { Status: true, Sessions: [] });
    const { rdp } = connect({ onRequest: listener, onRetry: listener, onReply: listener });
    expect(await rdp.disconnectSession({ id: 12 })).toMatchObject({ confirmed: true });
    expect(await rdp.listSessions()).toEqual([]);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  },
);

test.each([
  ['web-api-key-4711', '/categories/query/•••', {}],
  ['of-shell+pass', '/categories/query/of-•••', {}],
  ['of-shell%2Bpass', '/box/categories/query/of-•••', { url: `${url}/box` }],
  ['example.com', '/categories/query/example.com', {}],
  // Part of an operation's own path is no secret, and a mask there would reveal that the secret has the same
  // text.
  ['example.com', '/categories/query/example.com', { key: 'categories' }],
])('a request with %j in its path is reported as %s', async (domain, path, settings) => {
  nock(url).get(/./).reply(200, { Status: true, Categories: [] });
  const reports: RequestReport[] = [];
  const { categories } = connect({
    key,
    shellPassword: 'shell+pass',
    onRequest: (report) => reports.push(report),
    ...settings,
  });
  await categories.query({ domain });
  expect(reports).toEqual([
    {
      appliance: 'lab',
      operation: 'categories.query',
      effect: 'read',
      method: 'GET',
      path,
      attempt: 1,
      durationMs: expect.any(Number),
      status: 200,
    },
  ]);
});

test('a shell password that is a number hides nothing in an answer', async () => {
  nock(url)
    .get('/rdpproxy/sessions')
    .reply(200, [{ id: 4711 }]);
  expect(await connect({ shellPassword: '4711' }).rdp.listSessions()).toMatchObject([{ id: 4711 }]);
});

test('a closed appliance sends nothing more', async () => {
  const closed = connect();
  await closed.close();
  expect(await failureOf(closed.categories.list())).toMatchObject({ code: 'aborted', sent: 'no' });
});

describe('the methods of operations', () => {
  test('are GET where nothing is said and the document shows none', async () => {
    nock(url).get('/proxy/acls/compile').reply(200, { Status: true });
    expect(await connect().acl.compile()).toMatchObject({ confirmed: true });
  });

  test('are those of the configuration, and only for the operations that it names', async () => {
    nock(url)
      .post('/proxy/acls/compile')
      .reply(200, { Status: true })
      .get('/sqldb/database/delete/crm')
      .reply(200, { Status: true })
      .get('/sqldb/databases')
      .reply(200, ['mysql']);
    const reports: RequestReport[] = [];
    const { acl, sqldb } = connect({
      // The document shows POST for the second.
      methods: { 'acl.compile': 'POST', 'sqldb.deleteDatabase': 'GET' },
      onRequest: (report) => reports.push(report),
    });
    expect(await acl.compile()).toMatchObject({ confirmed: true });
    expect(await sqldb.deleteDatabase({ database: 'crm' })).toMatchObject({ confirmed: true });
    expect(await sqldb.listDatabases()).toMatchObject([{ name: 'mysql' }]);
    expect(reports).toMatchObject([
      { operation: 'acl.compile', method: 'POST', effect: 'write' },
      { operation: 'sqldb.deleteDatabase', method: 'GET', effect: 'destructive' },
      { operation: 'sqldb.listDatabases', method: 'GET' },
    ]);
  });

  test.each<[OperationName, Method, string]>([
    ['rdp.getMember', 'DELETE', 'cannot be DELETE, because rdp.deleteMember uses it at the same path'],
    ['rdp.deleteMember', 'GET', 'cannot be GET, because rdp.getMember uses it at the same path'],
    ['sqldb.createUser', 'GET', 'cannot be GET, because the request has a body'],
  ])('never make another order of one: %s by %s', (operation, method, problem) => {
    expect(() => connect({ methods: { [operation]: method } })).toThrow(
      `Appliance lab: methods.${operation} ${problem}.`,
    );
  });

  test.each(['acl.compil', 'acl', '', 'acl.addRecords', '__proto__', 'constructor'])(
    'are not those of %j, which is no operation',
    (name) => {
      // Written by hand into a configuration, where no compiler looks.
      const methods = Object.fromEntries([[name, 'POST']]);
      expect(() => connect({ methods })).toThrow(TypeError);
      expect(() => connect({ methods })).toThrow(`Appliance lab: methods.${name} is not an operation`);
    },
  );
});

test('a combined call is in an area beside the operations, under a name of its own', () => {
  const { acl, categories } = connect();
  for (const [area, declarations] of Object.entries(combinedAreas)) {
    expect(Object.keys(areas)).toContain(area);
    for (const name of Object.keys(declarations))
      expect(operations.has(`${area}.${name}` as OperationName)).toBe(false);
  }
  expect(Object.keys(acl)).toEqual(
    expect.arrayContaining(['compile', 'addRecord', 'addRecords', 'searchRecords']),
  );
  expect(Object.keys(categories)).toEqual(expect.arrayContaining(['addSites', 'addManySites']));
});

test('a question about an unknown operation is answered with no', async () => {
  expect(await connect().supports('acl.addRecords' as OperationName)).toBe(false);
});
