import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { area, type Endpoint, recordId } from '../endpoint.ts';
import { BadArgument } from '../errors.ts';
import { accepted, report } from '../reading/reply-reader.ts';
import { form, json, multipart, secret, unnamedFields } from './body.ts';
import { prepareRequest } from './wire-request.ts';

const endpoint = area({ section: '§0' });

function prepare(declared: Endpoint, given: object) {
  // Like the client, with any arguments of a caller without types.
  return prepareRequest('area.call', declared, declared.method, given as Record<string, unknown>);
}

function refusalOf(declared: Endpoint, given: object): BadArgument {
  try {
    prepare(declared, given);
  } catch (error) {
    if (error instanceof BadArgument) return error;
    throw error;
  }
  throw new Error('It was prepared.');
}

const read = endpoint('GET /things/{id}/{name}', {
  summary: '',
  effect: 'read',
  slots: { id: recordId },
  query: { limit: z.int().positive().optional(), user: z.string().optional() },
  reply: report,
});

const change = endpoint('PUT /things/{id}', {
  summary: '',
  effect: 'write',
  slots: { id: recordId },
  body: form('Things', 'Things.', { name: z.string().min(1), password: secret.optional() }, { name: 'Name' }),
});

describe('a request', () => {
  test('encodes its slots and its query, each as a whole', () => {
    expect(prepare(read, { id: 12, name: 'a b?c#d%', limit: 5, user: 'x&y=z' })).toMatchObject({
      method: 'GET',
      path: '/things/12/a%20b%3Fc%23d%25?limit=5&user=x%26y%3Dz',
      headers: {},
      body: undefined,
      secrets: [],
    });
  });

  test.each([{}, { limit: undefined }])('has no question mark without a query: %j', (query) => {
    expect(prepare(read, { id: 12, name: 'a', ...query }).path).toBe('/things/12/a');
  });

  test('is refused if it would change a text: half of a surrogate pair, in any place', () => {
    const half = '\ud83d';
    const fields = endpoint('PUT /other/{id}', {
      ...{ summary: '', effect: 'write', slots: { id: recordId } },
      body: form('Others', 'Others.', { fields: unnamedFields.optional(), note: z.string().optional() }),
    });
    for (const [declared, given, where] of [
      [read, { id: 12, name: `a${half}` }, 'name'],
      [read, { id: 12, name: 'a', user: half }, 'user'],
      [change, { id: 12, name: `${half}b` }, 'name'],
      [change, { id: 12, name: 'a', password: half }, 'password'],
      [fields, { id: 12, fields: { [half]: 'a' } }, 'fields'],
      [fields, { id: 12, fields: { a: half } }, 'fields'],
    ] as const) {
      expect(refusalOf(declared, given)).toMatchObject({
        ...{ argument: where, message: expect.stringContaining('is not valid Unicode text') },
      });
    }
    expect(prepare(change, { id: 12, name: 'a\0b' }).body).toBe('Name=a%00b');
  });

  test('has its fields in the body, and knows the secret ones', () => {
    expect(prepare(change, { id: 12, name: 'a b', password: 'p&w' })).toMatchObject({
      method: 'PUT',
      path: '/things/12',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'Name=a+b&password=p%26w',
      secrets: ['p&w'],
    });
  });

  test('uses the configured method', () => {
    expect(prepareRequest('area.call', read, 'POST', { id: 1, name: 'a' }).method).toBe('POST');
  });

  test('of an upload waits for its file', () => {
    const upload = endpoint('POST /upload', {
      summary: '',
      effect: 'destructive',
      body: multipart('file', 'A file.'),
    });
    expect(prepare(upload, {})).toMatchObject({ path: '/upload', headers: {}, body: undefined });
  });
});

describe('an argument is refused before anything is sent, by its name', () => {
  test.each<[string, Endpoint, object, string, RegExp]>([
    ['one that is missing', read, { name: 'a' }, 'id', /^is missing$/],
    ['one of another type', read, { id: '12', name: 'a' }, 'id', /^must be of type number$/],
    ['one that is out of bounds', read, { id: 12, name: 'a', limit: 0 }, 'limit', /^must be greater than 0$/],
    ['one that the call does not take', read, { id: 12, name: 'a', nam: 'b' }, 'nam', /not an argument/],
    ['one of a body', change, { id: 12, name: '' }, 'name', /^is empty$/],
    ['a secret', change, { id: 12, name: 'a', password: '' }, 'password', /^is empty$/],
    ['one that a path cannot carry', read, { id: 12, name: 'a/b' }, 'name', /contains a slash/],
    ['one that would be another path', read, { id: 12, name: '..' }, 'name', /relative path segment/],
    ['an empty one', read, { id: 12, name: ' ' }, 'name', /^is empty$/],
  ])('%s', (_, declared, given, argument, problem) => {
    const refusal = refusalOf(declared, given);
    expect(refusal).toMatchObject({ argument, operation: 'area.call', sent: 'no', mayHaveHappened: false });
    expect(refusal.problem).toMatch(problem);
  });

  test('also inside of a structure', () => {
    const many = endpoint('PUT /many', {
      summary: '',
      effect: 'write',
      body: json('Things', 'Things.', {
        all: z.array(z.string().min(1)).transform((all) => all.join(',')),
        fields: z.record(z.string(), z.string()).optional(),
      }),
    });
    expect(refusalOf(many, { all: ['a', ''] }).argument).toBe('all.1');
    expect(refusalOf(many, { all: ['a'], fields: { x: 1 } }).argument).toBe('fields.x');
  });

  test.each([null, undefined, 'id=12', 12, []])('arguments that are %j count as none', (given) => {
    expect(() => prepare(read, given as unknown as object)).toThrow(BadArgument);
  });

  test('the value is not repeated, because it may be the secret', () => {
    const strict = endpoint('PUT /strict', {
      summary: '',
      effect: 'write',
      body: form('Things', 'Things.', { password: secret }),
      reply: accepted,
    });
    for (const given of [{ password: 4711 }, { password: ['4711'] }, { password: 'a', '4711x': 1 }]) {
      expect(refusalOf(strict, given).problem).not.toContain('4711');
    }
  });
});
