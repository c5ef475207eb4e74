import { createServer, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '../endpoint.ts';
import { type ApplianceFailure, areas, connectAppliance, isApplianceFailure, operations } from '../index.ts';
import { accepted, report } from './reply-reader.ts';
import { understand, wordsOf } from './understand-answer.ts';

/**
 * Checks that the appliance's words are quoted in one bounded line, without characters that reverse, hide or
 * format text.
 */
function expectCleanWords(failure: ApplianceFailure): void {
  const words = [
    failure.excerpt,
    'reason' in failure ? failure.reason : '',
    'at' in failure ? failure.at : '',
  ];
  for (const said of [...words, 'problem' in failure ? failure.problem : '']) {
    expect(Array.from(said).length).toBeLessThanOrEqual(200);
    expect(said).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]|<[^<>]*>/u);
  }
}

/** Real answers, each with its result by kind of call: a typed value or an error code. */
interface Sloppy {
  readonly name: string;
  readonly status?: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body: string | Buffer;
  readonly list: unknown;
  readonly report: unknown;
  readonly order: unknown;
}

const notConfirmed = { confirmed: false, info: '' };
const all = (outcome: unknown) => ({ list: outcome, report: outcome, order: outcome });
const page = '<!DOCTYPE html><html><head><title>x</title></head><body><h1>Sign  in\u0007</h1></body></html>';
const deep = `${'['.repeat(45_000)}${']'.repeat(45_000)}`;

function hasText(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== '';
  } catch {
    return false;
  }
}

const sloppy: readonly Sloppy[] = [
  { name: 'an empty object', body: '{}', list: 'empty', report: 'empty', order: notConfirmed },
  { name: 'nothing', body: '', list: 'empty', report: 'empty', order: notConfirmed },
  { name: 'blanks', body: ' \r\n\t', list: 'empty', report: 'empty', order: notConfirmed },
  { name: 'HTTP 204', status: 204, body: '', list: 'empty', report: 'empty', order: notConfirmed },
  { name: 'null', body: 'null', list: 'unexpected_reply', report: 'unexpected_reply', order: notConfirmed },
  {
    name: 'an empty list',
    body: '[]',
    list: 'unexpected_reply',
    report: 'unexpected_reply',
    order: notConfirmed,
  },
  {
    name: 'a number',
    body: '42',
    list: 'unexpected_reply',
    report: 'unexpected_reply',
    order: 'unexpected_reply',
  },
  { name: 'nothing but false', body: 'false', ...all('refused') },
  {
    name: 'a status that is no plain yes',
    body: '{"Status":"failed","Info":"no such id"}',
    list: 'unexpected_reply',
    report: { info: 'no such id', fields: { Status: 'failed' } },
    order: 'unexpected_reply',
  },
  {
    name: 'an answer inside a list',
    body: '[{"Status":false,"Error":"no"}]',
    list: 'unexpected_reply',
    report: { info: '', fields: { '0.Status': 'false', '0.Error': 'no' } },
    order: 'unexpected_reply',
  },
  {
    name: 'a status true beside a reason',
    body: '{"Status":true,"Error":"database is locked","Objects":[]}',
    list: [],
    report: { info: '', fields: { Error: 'database is locked', Objects: '[]' } },
    order: { confirmed: false, info: 'database is locked' },
  },
  {
    name: 'an empty list beside a reason',
    body: '{"Error":"no licence","Objects":[]}',
    list: 'refused',
    report: 'refused',
    order: 'unexpected_reply',
  },
  {
    name: 'an answer without a status',
    body: '{"Objects":null,"Info":"ok"}',
    list: [],
    report: { info: 'ok', fields: { Objects: '' } },
    order: { confirmed: false, info: 'ok' },
  },
  {
    name: 'a reason without a status',
    body: '{"error":"no licence"}',
    list: 'refused',
    report: 'refused',
    order: 'unexpected_reply',
  },
  { name: 'a status false as text', body: '{"Status":"False","Error":"no licence"}', ...all('refused') },
  { name: 'a status false in lower case', body: '{"status":false,"info":"no licence"}', ...all('refused') },
  { name: 'both a true and a false', body: '{"Status":true,"status":0}', ...all('refused') },
  {
    name: 'JSON that calls itself HTML',
    headers: { 'content-type': 'text/html; charset=iso-8859-1' },
    body: '\uFEFF{"STATUS":"True","objects":[]}',
    list: [],
    report: { info: '', fields: { objects: '[]' } },
    order: { confirmed: true, info: '' },
  },
  { name: 'a page', headers: { 'content-type': 'application/json' }, body: page, ...all('not_json') },
  ...[400, 401, 403, 404, 405, 500, 501].map((status) => ({
    ...{ name: `a page with HTTP ${status}`, status, body: page },
    ...all('http_status'),
  })),
  { name: 'a short text', body: 'OK', ...all('not_json') },
  { name: 'a long text', body: 'Fatal: '.repeat(10_000), ...all('not_json') },
  { name: 'a long text with HTTP 500', status: 500, body: 'Fatal: '.repeat(10_000), ...all('http_status') },
  { name: 'JSON that is cut off', body: '{"Status":true,"Objects":[{"ID":1,', ...all('not_json') },
  {
    name: 'JSON with words before it',
    body: 'Warning: x in y on line 3\n{"Status":true}',
    ...all('not_json'),
  },
  { name: 'bytes', body: Buffer.from([0x1e, 0x8b, 8, 0, 0xff, 0xfe, 0, 1]), ...all('not_json') },
  { name: 'bytes that begin like gzip', body: Buffer.from([0x1f, 0x8b, 8, 0, 0xff]), ...all('unreadable') },
  { name: 'a redirect', status: 302, headers: { location: '/login?next=/' }, body: '', ...all('redirected') },
  {
    name: 'a redirect to nowhere',
    status: 301,
    headers: { location: 'http://[bad' },
    body: page,
    ...all('redirected'),
  },
  {
    name: 'a huge answer',
    body: `{"Status":true,"Objects":[${'0,'.repeat(1_000_000)}0]}`,
    ...all('too_large'),
  },
  {
    name: 'endless nesting',
    body: deep,
    list: 'unexpected_reply',
    // Parts nested deeper than a report stay together as text if Node can print them: 26 can, 24 cannot.
    report: hasText(JSON.parse(deep))
      ? { fields: { [Array.from({ length: 20 }, () => 0).join('.')]: deep.slice(20, -20) } }
      : 'unexpected_reply',
    order: 'unexpected_reply',
  },
];

describe('any answer ends as a typed value or as one of the error family', () => {
  let answer: Sloppy | undefined;
  const server = createServer((_, response) => {
    response.writeHead(answer?.status ?? 200, answer?.headers).end(answer?.body);
  });
  let appliance: ReturnType<typeof connectAppliance>;

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    appliance = connectAppliance({
      ...{ name: 'lab', url, release: '4.50 SP5', maxReplyBytes: 100_000 },
      sleep: async () => undefined,
    });
  });
  afterAll(async () => {
    await appliance.close();
    await new Promise((resolve) => server.close(resolve));
  });

  const calls: Readonly<
    Record<'list' | 'report' | 'order', Readonly<Record<string, () => Promise<unknown>>>>
  > = {
    list: { 'acl.listObjects': () => appliance.acl.listObjects() },
    report: {
      'rdp.state': () => appliance.rdp.state(),
      'directory.services': () => appliance.directory.services(),
    },
    order: {
      'acl.addRecord': () => appliance.acl.addRecord({ objectId: 3, pattern: 'a.test' }),
      'acl.deleteObject': () => appliance.acl.deleteObject({ objectId: 3 }),
      'rdp.disconnectSession': () => appliance.rdp.disconnectSession({ id: 12 }),
      'directory.enableEmergency': () => appliance.directory.enableEmergency(),
    },
  };

  test.each(sloppy)('$name', async (given) => {
    answer = given;
    for (const kind of ['list', 'report', 'order'] as const) {
      for (const [operation, call] of Object.entries(calls[kind])) {
        const outcome = await call().catch((error: unknown) => error);
        const expected = given[kind];
        if (!isApplianceFailure(outcome)) {
          expect(outcome, operation).toEqual(
            Array.isArray(expected) ? expected : expect.objectContaining(expected),
          );
          continue;
        }
        expect(outcome, operation).toMatchObject({ code: expected, operation, sent: 'yes' });
        expectCleanWords(outcome);
      }
    }
  });
});

const unusual = [
  ...sloppy.map(({ body }) => String(body)).filter((body) => body.length < 100_000),
  '{"Status":true}',
  '{"Status":true,"Info":"","Error":null}',
  '{"Status":true,"Info":["a"],"Error":{"code":5}}',
  '{"Status":true,"Categories":null,"Objects":null,"Items":null,"Users":null,"Sessions":null,"Data":null,"Softwares":null}',
  '{"Status":true,"Categories":5,"Objects":5,"Items":5,"Users":5,"Sessions":5,"Data":5,"Softwares":5,"Traces":5,"index":5}',
  '{"Status":true,"Categories":[null],"Objects":["x"],"Items":[[]],"Users":[1],"Sessions":[true],"Data":[{}],"Softwares":[{}]}',
  '[null]',
  '[[[]]]',
  '[{}]',
  '[1,"a",true]',
  '{"__proto__":{"Status":true},"constructor":1}',
  '{"Status":{"Status":true}}',
  '{"ID":"x","Id":-1,"id":1e400}',
  '"\\ud800 <b>text</b>"',
  'true',
  'false',
  '"true"',
  '1e400',
];

function outcomeOf(
  operation: string,
  endpoint: Endpoint,
  text: string,
  secrets: readonly string[] = [],
): unknown {
  try {
    return understand(operation, endpoint, text, {}, secrets);
  } catch (error) {
    if (isApplianceFailure(error)) return error;
    throw error;
  }
}

describe('including all operations', () => {
  test.each([...operations].map(([name, endpoint]) => [name, endpoint.effect, endpoint] as const))(
    '%s (%s) makes a typed value or a failure of whatever comes, and never a success of nothing',
    (operation, effect, endpoint) => {
      for (const text of unusual) {
        const outcome = outcomeOf(operation, endpoint, text);
        if (isApplianceFailure(outcome)) {
          expect(outcome.operation).toBe(operation);
          expectCleanWords(outcome);
          continue;
        }
        if (!/status\W*true|^"?true"?$/i.test(text))
          expect(outcome, text).not.toMatchObject({ confirmed: true });
      }
      const wordless = ['', '{}', 'null'].map((text) => outcomeOf(operation, endpoint, text));
      if (effect === 'read') expect(wordless[0]).toMatchObject({ code: 'empty', sent: 'yes' });
      if (endpoint.reply === accepted) expect(wordless).toEqual([notConfirmed, notConfirmed, notConfirmed]);
      if (!endpoint.falseIsAnswer) {
        expect(
          outcomeOf(operation, endpoint, '{"Status":"False","Error":"no <b>licence</b>"}'),
        ).toMatchObject({
          code: 'refused',
          reason: 'no licence',
          mayHaveHappened: false,
        });
      }
    },
  );
});

describe('the defect of earlier builds (§4.1 rule 3)', () => {
  test.each([
    { Status: false, Info: "You have an error in your SQL syntax near 'zdate=NOW()'", Error: '' },
    { status: 'False', info: '', error: 'syntax error near ZDATE' },
  ])('is told as such, with the way out: %j', (body) => {
    for (const name of ['disableRecord', 'enableRecord'] as const) {
      const failure = outcomeOf(`acl.${name}`, areas.acl[name], JSON.stringify(body));
      expect(failure).toMatchObject({
        code: 'defective_build',
        remedy: expect.stringContaining('2026-09-23'),
        problem: expect.stringContaining('unchanged'),
        message: expect.stringContaining('2026-09-23'),
        sent: 'yes',
        mayHaveHappened: false,
      });
    }
  });

  test('is not reported for other refusals', () => {
    const answer = JSON.stringify({ Status: false, Info: '', Error: 'permission denied' });
    expect(outcomeOf('acl.disableRecord', areas.acl.disableRecord, answer)).toMatchObject({
      code: 'refused',
      reason: 'permission denied',
    });
  });

  test('is not searched in other operations, nor in accepted answers', () => {
    const refusal = '{"Status":false,"Error":"syntax error near zdate"}';
    expect(outcomeOf('acl.deleteRecord', areas.acl.deleteRecord, refusal)).toMatchObject({ code: 'refused' });
    const acceptance = '{"Status":true,"Info":"zdate was set"}';
    expect(outcomeOf('acl.disableRecord', areas.acl.disableRecord, acceptance)).toMatchObject({
      confirmed: true,
    });
  });
});

describe('a secret that the appliance repeats is hidden', () => {
  const password = 'p"ä/ s&<w+=\\d';
  const form = new URLSearchParams({ username: 'bob', password }).toString();

  test.each([
    ['in a page', `<p>cannot set ${password} here</p>`],
    ['in the form as it was sent', `unknown request: ${form}`],
    ['in the form, with small letters', form.replaceAll(/%../g, (code) => code.toLowerCase())],
    ['as a path', `no such path /x/${encodeURIComponent(password)}`],
    ['in JSON', JSON.stringify({ Status: false, Error: `bad: ${password}` })],
    ['in JSON as PHP writes it', '{"Status":false,"Error":"p\\"\\u00e4\\/ s&<w+=\\\\d is bad"}'],
    ['in JSON that cannot be read', `${JSON.stringify({ sent: password })},`],
    ['on a page, as text', 'cannot set p&quot;ä/ s&amp;&lt;w+=\\d here'],
  ])('%s', (_, text) => {
    const failure = outcomeOf('rdp.createMember', areas.rdp.createMember, text, ['the-key', password]);
    if (!isApplianceFailure(failure)) throw new Error('The answer was understood.');
    const told = JSON.stringify({ ...failure, message: failure.message, stack: failure.stack });
    expect(failure.excerpt).toContain('[hidden]');
    for (const trace of ['p"', 'p\\"', 's&<', 's&lt', 's&amp', 'p%22', 'd is', 'w+=', 'w%2B', 'w%2b']) {
      expect(told).not.toContain(trace);
    }
  });

  test('in the words about an accepted order', () => {
    const text = JSON.stringify({ Status: true, Info: `member bob has password ${password}` });
    expect(outcomeOf('rdp.createMember', areas.rdp.createMember, text, [password])).toMatchObject({
      info: 'member bob has password [hidden]',
    });
  });

  test('in the place of a misfit', () => {
    const failure = outcomeOf('categories.list', areas.categories.list, '{"Categories":{"key-4711":{}}}', [
      'key-4711',
    ]);
    expect(failure).toMatchObject({ code: 'unexpected_reply', at: 'Categories.[hidden]' });
  });

  test('as a whole, if another secret is a part of it', () => {
    const failure = outcomeOf('acl.compile', areas.acl.compile, 'bad: abcdef', ['abc', 'abcdef']);
    expect(failure).toMatchObject({ excerpt: 'bad: [hidden]' });
  });
});

describe('a key of few characters changes no answer', () => {
  const list = JSON.stringify({
    Status: true,
    Categories: [{ category_id: 252, category_name: 'kitchen 252 true', table_name: 'k', rpz_enabled: 1 }],
  });
  const plain = outcomeOf('categories.list', areas.categories.list, list, []);

  test.each(['k', '252', 'true', '1', 'a', '"', '{', 'Status', 'Status":', 'category_id'])('%s', (key) => {
    expect(outcomeOf('categories.list', areas.categories.list, list, [key])).toEqual(plain);
    const yes = outcomeOf('acl.compile', areas.acl.compile, '{"Status":true,"Info":"rules: 252"}', [key]);
    expect(yes).toMatchObject({ confirmed: true });
    const status = '{"Status":true,"Info":"[APP]\\nrunning=1\\nmaster_pid=252"}';
    expect(outcomeOf('ftpd.status', areas.ftpd.status, status, [key])).toEqual({
      APP: { running: '1', master_pid: '252' },
    });
  });

  test('and is hidden in what the appliance says', () => {
    const refusal = '{"Status":false,"Error":"252 is no key"}';
    expect(outcomeOf('acl.compile', areas.acl.compile, refusal, ['252'])).toMatchObject({
      reason: '[hidden] is no key',
    });
  });
});

test.each([
  ['a value', '{"Status":true,"x":"token the-web-api-key"}', { x: 'token [hidden]' }],
  ['a name', '{"Status":true,"the-web-api-key":"1"}', { '[hidden]': '1' }],
  ['a value with another spelling', '{"Status":true,"x":"the\\u002dweb-api-key"}', { x: '[hidden]' }],
])('a key in %s is hidden', (_, text, fields) => {
  expect(outcomeOf('rdp.state', areas.rdp.state, text, ['the-web-api-key'])).toMatchObject({ fields });
});

describe('several JSON documents in one answer', () => {
  const no = '{"status":false,"info":"database is locked"}';
  const sessions = '{"Status":true,"Sessions":[{"id":12}]}';

  test.each([
    [`${no}${no}`],
    [`${no}\n${no}\n`],
    [`${sessions}\n${no}`],
    [`${no}${sessions}`],
    [`{"status":true}${no}`],
    [`${no}{"status":false,"info":"another"}`],
  ])('are a refusal if one of them is: %s', (text) => {
    const refused = { code: 'refused', reason: 'database is locked' };
    expect(outcomeOf('rdp.listSessions', areas.rdp.listSessions, text)).toMatchObject(refused);
    expect(outcomeOf('acl.compile', areas.acl.compile, text)).toMatchObject(refused);
  });

  test.each([[`${sessions}${sessions}`], [`${sessions}\n{"Status":true}`], [`{"Status":true}${sessions}`]])(
    'are one answer if the others add nothing: %s',
    (text) => {
      expect(outcomeOf('rdp.listSessions', areas.rdp.listSessions, text)).toMatchObject([{ id: 12 }]);
    },
  );

  test.each([['true\ntrue'], ['true true'], ['{"status":true}{"status":true}']])(
    'of few letters: %s',
    (text) => {
      const { authenticationStatus } = areas.directory;
      expect(outcomeOf('directory.authenticationStatus', authenticationStatus, text)).toMatchObject({
        linked: true,
      });
    },
  );

  test('that contradict each other are no answer', () => {
    const other = '{"Status":true,"Sessions":[]}';
    expect(outcomeOf('rdp.listSessions', areas.rdp.listSessions, `${sessions}${other}`)).toMatchObject({
      code: 'unexpected_reply',
      problem: 'has several JSON documents that differ',
    });
  });

  test.each([[`${sessions}{`], [`${sessions}x`], ['{}'.repeat(9)], ['truetrue']])(
    'are no JSON where one is none: %s',
    (text) => {
      expect(outcomeOf('rdp.listSessions', areas.rdp.listSessions, text)).toMatchObject({ code: 'not_json' });
    },
  );
});

test('a reader that throws an unexpected error makes the answer unreadable', () => {
  const stumbling = {
    ...areas.rdp.state,
    reply: {
      ...report,
      read: () => {
        throw new TypeError(`no such thing\u202e ${'x'.repeat(500)}`);
      },
    },
  };
  const failure = outcomeOf('rdp.state', stumbling, '{"State": 1}');
  expect(failure).toMatchObject({
    code: 'unexpected_reply',
    at: '',
    problem: expect.stringMatching(/^TypeError: no such thing x+…$/),
  });
});

test.each([
  [
    'its own words come first, then what no reader took',
    '{"Status": true, "items": 2, "Info": "2 sites added"}',
    '2 sites added\nitems: 2',
  ],
  [
    'a log has its lines',
    '{"status": true, "info": "done", "traces": ["one", "two"]}',
    'done\ntraces:\none\ntwo',
  ],
  ['several lines stay several', '{"info": "one\\n\\n two "}', 'one\ntwo'],
  ['a bare yes is all it said', '{"Status": true}', '{"Status":true}'],
  ['nothing is nothing', '{}', ''],
  ['neither is an empty body', '', ''],
  ['a word is a word', '"queued"', 'queued'],
  [
    'of a page, its text',
    '<html><head><title>x</title></head><h1>500</h1>Oops<script>alert(1)</script></html>',
    '500 Oops',
  ],
  ['what prints and reverses does not come through', '{"info": "a\\u0007b\\u202ec"}', 'a b c'],
  ['a password it tells is hidden', '{"info": "ok", "password": "hunter2"}', 'ok\npassword: [hidden]'],
])('%s', (_, text, words) => {
  expect(wordsOf(text, [])).toBe(words);
});

test('no secret comes back, in any spelling', () => {
  expect(wordsOf('{"info": "key s3cr\\"t is wrong"}', ['s3cr"t'])).toBe('key [hidden] is wrong');
});

test('a hostile text is cut, not followed', () => {
  expect(wordsOf(`${'['.repeat(200_000)}`, []).length).toBeLessThanOrEqual(100_000);
  expect(wordsOf(`{"info": ${JSON.stringify('x'.repeat(1_000_000))}}`, []).length).toBeLessThanOrEqual(
    100_000,
  );
});
