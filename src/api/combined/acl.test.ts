import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { connectAppliance } from '../index.ts';

const open: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

interface Received {
  readonly line: string;
  readonly fields: Readonly<Record<string, string>>;
}

const yes = (_: Received, response: ServerResponse) => void response.end('{"Status":true}');

/** An appliance that records its requests, in order. */
async function appliance(answer: (received: Received, response: ServerResponse) => void = yes) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const line = `${request.method} ${request.url?.replace('/proxy/acls', '')}`;
    const one = { line, fields: Object.fromEntries(new URLSearchParams(await textOf(request))) };
    received.push(one);
    answer(one, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { acl, close } = connectAppliance({ name: 'lab', url, release: '4.50 SP5' });
  open.push(async () => {
    await close();
    await new Promise((resolve) => server.close(resolve));
  });
  return { acl, received, lines: () => received.map(({ line }) => line) };
}

const confirmed = { confirmed: true, info: '' };

describe('adding records', () => {
  test('plain patterns go together in one path', async () => {
    const { acl, received } = await appliance();
    const patterns = ['ads.example.com', '10.20.0.1', '*.track.test', 'host:8443', 'a_b-c'];
    expect(await acl.addRecords({ objectId: 3, patterns })).toEqual(
      patterns.map((pattern) => ({ pattern, answer: confirmed })),
    );
    expect(received).toEqual([
      { line: 'GET /record/add/3/ads.example.com,10.20.0.1,*.track.test,host:8443,a_b-c', fields: {} },
    ]);
  });

  test.each([
    ['a comma', 'a,b.test'],
    ['a slash', 'example.com/ads'],
    ['a slash that is escaped', 'example.com%2fads'],
    ['a backslash', 'a\\b'],
    ['a regular expression', '^(ads|track)[0-9]+\\.example\\.com$'],
    ['a regular expression without a backslash', '^(ads|track)$'],
    ['a dot at its end', 'example.com.'],
    ['nothing but dots', '..'],
    ['letters beyond ASCII', 'bücher.example'],
    ['a space', 'two words'],
    ['a percent sign', '100%'],
    ['a question mark', 'x?y=z'],
    ['a plus', 'a+b'],
    ['a line feed', 'a\nb'],
    ['too much length for a path', 'x'.repeat(3_000)],
  ])('a pattern with %s goes by the form, as it is', async (_, pattern) => {
    const { acl, received } = await appliance();
    expect(await acl.addRecords({ objectId: 3, patterns: [pattern] })).toEqual([
      { pattern, answer: confirmed },
    ]);
    expect(received).toEqual([{ line: 'PUT /record/add/3', fields: { pattern } }]);
  });

  test('mixed patterns each take their own form, and results are in the given order, each once', async () => {
    const { acl, lines } = await appliance();
    const added = await acl.addRecords({ objectId: 3, patterns: ['b,c', 'a', 'x/y', 'd', 'a', 'b,c'] });
    expect(added.map(({ pattern }) => pattern)).toEqual(['b,c', 'a', 'x/y', 'd']);
    expect(lines()).toEqual(['GET /record/add/3/a,d', 'PUT /record/add/3', 'PUT /record/add/3']);
  });

  test('with a user or a description every pattern goes by the form, which has fields for them', async () => {
    const { acl, received } = await appliance();
    await acl.addRecords({ objectId: 3, patterns: ['a', 'b'], uid: 'bob', description: 'ä & b' });
    await acl.addRecords({ objectId: 3, patterns: ['c'], description: '' });
    expect(received).toEqual([
      { line: 'PUT /record/add/3', fields: { pattern: 'a', uid: 'bob', description: 'ä & b' } },
      { line: 'PUT /record/add/3', fields: { pattern: 'b', uid: 'bob', description: 'ä & b' } },
      { line: 'PUT /record/add/3', fields: { pattern: 'c', description: '' } },
    ]);
  });

  test('a long list is split into paths that servers take, and nothing gets lost or doubled', async () => {
    const { acl, lines } = await appliance();
    const patterns = Array.from({ length: 1_000 }, (_, index) => `host-${index}.some.example.com`);
    const added = await acl.addRecords({ objectId: 3, patterns });
    expect(added.map(({ pattern }) => pattern)).toEqual(patterns);
    expect(lines().flatMap((line) => line.replace('GET /record/add/3/', '').split(','))).toEqual(patterns);
    expect(lines().length).toBeLessThan(10);
    for (const line of lines()) expect(line.length).toBeLessThan(4_100);
  });

  test('a failed pattern is the only failed one, and the others continue', async () => {
    const { acl, lines } = await appliance(({ line, fields }, response) => {
      if (fields.pattern === 'b,c') response.end('{"Status":false,"Error":"exists"}');
      else if (line.startsWith('GET')) response.writeHead(500).end('database is gone');
      else response.end();
    });
    const added = await acl.addRecords({ objectId: 3, patterns: ['a', 'b,c', 'd', 'e,f'] });
    expect(added).toMatchObject([
      { pattern: 'a', answer: { code: 'http_status', status: 500, operation: 'acl.addRecordsByPath' } },
      { pattern: 'b,c', answer: { code: 'refused', reason: 'exists', operation: 'acl.addRecord' } },
      { pattern: 'd', answer: { code: 'http_status', mayHaveHappened: true } },
      { pattern: 'e,f', answer: { confirmed: false, info: '' } },
    ]);
    expect(lines()).toHaveLength(3);
  });

  test('a pattern that cannot be sent is reported beside the others', async () => {
    const { acl } = await appliance();
    expect(await acl.addRecords({ objectId: 3, patterns: ['', 'a'] })).toMatchObject([
      { pattern: '', answer: { code: 'bad_argument', argument: 'pattern', sent: 'no' } },
      { pattern: 'a', answer: confirmed },
    ]);
    expect(await acl.addRecords({ objectId: -1, patterns: ['a'] })).toMatchObject([
      { answer: { code: 'bad_argument', argument: 'objectId' } },
    ]);
  });

  test('when the caller aborts, the rest is reported as never sent', async () => {
    const giveUp = new AbortController();
    const { acl, lines } = await appliance(() => giveUp.abort());
    const added = await acl.addRecords({ objectId: 3, patterns: ['a,b', 'c,d'] }, { signal: giveUp.signal });
    expect(added).toMatchObject([
      { answer: { code: 'aborted', sent: 'maybe' } },
      { answer: { code: 'aborted', sent: 'no' } },
    ]);
    expect(lines()).toHaveLength(1);
  });

  test('no patterns make no request', async () => {
    const { acl, lines } = await appliance();
    expect(await acl.addRecords({ objectId: 3, patterns: [] })).toEqual([]);
    expect(lines()).toEqual([]);
  });
});

describe('searching records', () => {
  const record = (id: number, pattern: string, more: object = {}) => ({ id, pattern, ...more });
  const objects = {
    Status: true,
    Objects: [
      {
        ID: 1,
        Items: [record(1, 'Ads/x.test'), record(2, 'b.test', { description: 'Set by ADS/X of May' })],
      },
      { ID: 2, Items: null },
      { ID: 3, Items: [record(3, 'c.test', { uid: 'ads/xavier' }), record(4, 'd.test', { other: 'ads' })] },
    ],
  };
  const answer = ({ line }: Received, response: ServerResponse) =>
    void response.end(JSON.stringify(line.includes('/find/') ? { Items: [record(9, 'ads.test')] } : objects));

  test('a text that fits into a path is searched by the appliance', async () => {
    const { acl, lines } = await appliance(answer);
    expect(await acl.searchRecords({ text: 'ads' })).toEqual([{ id: 9, pattern: 'ads.test' }]);
    expect(lines()).toEqual(['GET /record/find/ads']);
  });

  test.each([
    ['ads/x', [1, 2, 3]],
    ['ADS/X ', [2]],
    ['ädé', []],
    ['a,b', []],
    ['x.test.', []],
  ])('%j, which does not fit into a path, is searched in the list of all objects', async (text, ids) => {
    const { acl, lines } = await appliance(answer);
    expect((await acl.searchRecords({ text })).map(({ id }) => id)).toEqual(ids);
    expect(lines()).toEqual(['GET /objects']);
  });

  test('a failed search is a failure, in both ways', async () => {
    const { acl } = await appliance((_, response) => void response.end('{"Status":false,"Error":"locked"}'));
    for (const text of ['ads', 'ads/x']) {
      await expect(acl.searchRecords({ text })).rejects.toMatchObject({ code: 'refused', reason: 'locked' });
    }
  });
});
