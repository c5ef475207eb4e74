import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { operations } from '../index.ts';
import { encodeFields, form, isSecret, json, multipart, secret, secretsIn, unnamedFields } from './body.ts';

const awkward = 'ä &=+%"\\\n😀/../';

describe('a form', () => {
  const body = form(
    'Things',
    'Things.',
    { name: z.string(), sites: z.string().optional() },
    { sites: 'items' },
  );

  test('carries every text unchanged, under the names on the wire', () => {
    const { contentType, text } = encodeFields(body, { name: awkward, sites: 'a,b' });
    expect(contentType).toBe('application/x-www-form-urlencoded');
    expect([...new URLSearchParams(text)]).toEqual([
      ['name', awkward],
      ['items', 'a,b'],
    ]);
    expect(text).toMatch(/^[\x21-\x7e]*$/);
  });

  test('leaves out undefined values, and keeps empty ones', () => {
    expect(encodeFields(body, { name: '' }).text).toBe('name=');
    expect(encodeFields(body, { name: '', sites: undefined }).text).toBe('name=');
  });

  test('sends a line feed as the document writes it (§4.3)', () => {
    expect(encodeFields(body, { name: 'a\nb' }).text).toBe('name=a%0Ab');
  });
});

describe('JSON', () => {
  const body = json(
    'Things',
    'Things.',
    { username: z.string(), endOfLife: z.int().optional(), fields: unnamedFields.optional() },
    { endOfLife: 'endoflife' },
  );

  test('has only texts for values (§4.6)', () => {
    const { contentType, text } = encodeFields(body, { username: awkward, endOfLife: 1_800_000_000 });
    expect(contentType).toBe('application/json');
    expect(JSON.parse(text)).toEqual({ username: awkward, endoflife: '1800000000' });
  });

  test('includes fields without documented names', () => {
    const { text } = encodeFields(body, { username: 'bob', fields: { allow_clipboard: '1', Comment: 'x' } });
    expect(JSON.parse(text)).toEqual({ username: 'bob', allow_clipboard: '1', Comment: 'x' });
  });

  test('takes no fields from a prototype', () => {
    expect(encodeFields(body, { username: 'bob', fields: Object.create({ admin: '1' }) }).text).toBe(
      '{"username":"bob"}',
    );
  });
});

describe('secrets', () => {
  const schemas = {
    username: z.string(),
    password: secret.optional(),
    pin: secret,
    fields: unnamedFields.optional(),
  };

  test('are recognised by their declaration, optional or not', () => {
    expect(secretsIn(schemas, { username: 'bob', password: 'hunter2', pin: '1234' })).toEqual([
      'hunter2',
      '1234',
    ]);
    expect(secretsIn(schemas, { username: 'bob', password: undefined, pin: '1234' })).toEqual(['1234']);
    expect([isSecret(secret), isSecret(secret.optional()), isSecret(z.string())]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test.each(['password', 'Passwd', 'rdp_secret', 'api_key', 'AccessToken', 'pwd', 'passphrase'])(
    'include values under %s among fields without documented names',
    (name) => {
      expect(secretsIn(schemas, { fields: { [name]: 's3', comment: 'c', empty_key: '' } })).toEqual(['s3']);
    },
  );

  test('are declared as such wherever an operation takes one', () => {
    const telling = [...operations].flatMap(([operation, { slots, query, body }]) =>
      Object.entries({
        ...slots,
        ...query,
        ...(body === undefined || body.encoding === 'multipart' ? {} : body.fields),
      })
        .filter(([name, schema]) => /pass|secret|token|pwd/i.test(name) && !isSecret(schema))
        .map(([name]) => `${operation} ${name}`),
    );
    expect(telling).toEqual([]);
  });

  test('never go into a path or a query, where logs would contain them', () => {
    const exposed = [...operations].filter(([, { slots, query }]) =>
      Object.values({ ...slots, ...query }).some(isSecret),
    );
    expect(exposed).toEqual([]);
  });
});

test('an upload names the form field of its file', () => {
  expect(multipart('hotfix', 'A hotfix.')).toEqual({
    encoding: 'multipart',
    field: 'hotfix',
    description: 'A hotfix.',
    kind: 'as it is',
  });
});
