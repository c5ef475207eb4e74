import { describe, expect, test } from 'vitest';
import { Misfit } from './bounds.ts';
import { openEnvelope } from './envelope.ts';
import { accepted, anywhere, created, type ReplyReader, report, under, whole } from './reply-reader.ts';
import { textOf } from './said.ts';
import { integer, list, text } from './shape.ts';

const read = <T>(reply: ReplyReader<T>, body: unknown): T => reply.read(openEnvelope(body));

const numbers = anywhere(list(integer), ['Rules', 'Data'], 'Numbers.');

describe('a list with undocumented surroundings', () => {
  test.each([
    [[1, 2]],
    [{ Status: true, Rules: [1, 2] }],
    [{ status: 'True', rules: ['1', '2'] }],
    [{ 0: 1, 3: 2 }],
    [{ Rules: { 0: '1', 1: '2' } }],
    [{ Data: [1, 2], Others: [3] }],
    [{ Data: [3], Rules: [1, 2] }],
  ])('is found in %j', (body) => {
    expect(numbers.read(openEnvelope(body))).toEqual([1, 2]);
  });

  test.each([
    [{ Status: true }, 'Rules'],
    [{}, 'Rules'],
    [{ Data: 'none' }, 'Data'],
    [['one'], '0'],
    [null, 'Rules'],
  ])('is reported missing at its place in %j', (body, at) => {
    expect(() => numbers.read(openEnvelope(body))).toThrow(expect.objectContaining({ at }));
    expect(() => numbers.read(openEnvelope(body))).toThrow(Misfit);
  });
});

describe('a report', () => {
  test('has everything but the envelope among its fields', () => {
    const body = { Status: 'True', Info: ' fine ', Error: null, parts: [{ status: 'up' }] };
    expect(report.read(openEnvelope(body))).toEqual({
      info: 'fine',
      fields: { 'parts.0.status': 'up' },
    });
  });

  test.each([
    [{ status: 'healthy' }, { status: 'healthy' }],
    [
      { Status: 'stopped', pid: 0 },
      { Status: 'stopped', pid: '0' },
    ],
    [{ Status: { proxy: 'up' } }, { 'Status.proxy': 'up' }],
    [{ status: false }, {}],
    [{ status: null }, {}],
    [{ status: '' }, {}],
    [{ status: 1 }, {}],
  ])('keeps the status of %j if it is more than true or false', (body, fields) => {
    expect(report.read(openEnvelope(body)).fields).toEqual(fields);
  });

  test.each([
    [{ Status: true, Error: 'two of five failed' }, { Error: 'two of five failed' }],
    [{ Status: true, Error: '' }, {}],
    [{ Status: true, error: false }, {}],
    [{ Error: { code: 5 } }, { 'Error.code': '5' }],
    [
      { parts: { status: true, info: 'x', error: '' } },
      { 'parts.status': 'true', 'parts.info': 'x', 'parts.error': '' },
    ],
    [['a', { b: null }], { '0': 'a', '1.b': '' }],
    [{ '': 1 }, { '': '1' }],
    ['running', {}],
    [true, {}],
    [null, {}],
    [{}, {}],
  ])('leaves nothing out: %j', (body, fields) => {
    expect(Object.entries(read(report, body).fields)).toEqual(Object.entries(fields));
  });

  test('keeps hostile keys like any others', () => {
    const { fields } = read(report, JSON.parse('{"__proto__": "x", "a": {"__proto__": {"b": 1}}}'));
    expect(Object.entries(fields)).toEqual([
      ['__proto__', 'x'],
      ['a.__proto__.b', '1'],
    ]);
  });

  test('keeps deeply nested parts together as JSON', () => {
    const depth = 3_000;
    const body = JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
    const [[name, value] = [], ...others] = Object.entries(read(report, body).fields);
    expect(others).toEqual([]);
    expect(name).toBe(Array.from({ length: 20 }, () => 'a').join('.'));
    expect(value).toMatch(/^({"a":)+1}+$/);
  });

  test('keeps too many parts, and parts under a very long name, together as JSON', () => {
    const long = 'n'.repeat(1_000_000);
    const many = Array.from({ length: 50_000 }, (_, index) => index);
    const { fields } = read(report, { many, [long]: { a: 1, b: 2 }, few: [1, 2] });
    expect(fields).toEqual({
      many: JSON.stringify(many),
      [long]: '{"a":1,"b":2}',
      'few.0': '1',
      'few.1': '2',
    });
  });

  test('hides secrets in such JSON', () => {
    const many = Array.from({ length: 20_000 }, () => ({ password: 'hunter2' }));
    expect(JSON.stringify(read(report, { many }).fields)).not.toContain('hunter2');
  });

  test('with only too many parts is unreadable', () => {
    expect(() =>
      read(
        report,
        Array.from({ length: 50_000 }, () => 0),
      ),
    ).toThrow(Misfit);
  });
});

describe('an accepted order', () => {
  test.each([
    [{ Status: true, Info: ' done\n', Error: '' }, true, 'done'],
    [{ status: 'True' }, true, ''],
    [{ status: 1, error: 'old list kept' }, false, 'old list kept'],
    [{ Info: 'done' }, false, 'done'],
    [{}, false, ''],
    [undefined, false, ''],
    [null, false, ''],
    [[], false, ''],
    [true, true, ''],
    [{ Status: 'queued' }, false, ''],
  ])('%j is confirmed only if its status says so', (body, confirmed, info) => {
    expect(read(accepted, body)).toEqual({ confirmed, info });
  });

  test.each([['done'], [42], [[{ Status: false }]], [{ Status: 'failed' }], [{ Status: -1 }]])(
    '%j leaves the result open',
    (body) => {
      expect(() => read(accepted, body)).toThrow(Misfit);
    },
  );

  test('an error text without a status leaves the result open, and confirms nothing', () => {
    for (const reply of [accepted, created]) {
      expect(() => read(reply, { Error: 'category is locked' })).toThrow(
        expect.objectContaining({ at: 'Error' }),
      );
    }
  });

  test('the appliance’s words become one clean line', () => {
    expect(read(accepted, { Status: true, Info: `<b>ok</b>\u202e${'x'.repeat(500)}` }).info).toMatch(
      /^ok x{190,}…$/,
    );
  });
});

describe('something created', () => {
  test.each([
    [
      { Status: true, ID: 12 },
      { confirmed: true, info: '', id: 12 },
    ],
    [
      { status: 'true', id: '12', info: 'new' },
      { confirmed: true, info: 'new', id: 12 },
    ],
    [
      { Status: true, Id: null },
      { confirmed: true, info: '' },
    ],
    [
      { Status: true, ID: '' },
      { confirmed: true, info: '' },
    ],
    [{ Status: true }, { confirmed: true, info: '' }],
    [undefined, { confirmed: false, info: '' }],
  ])('has its identifier if the appliance reports it: %j', (body, value) => {
    expect(read(created, body)).toEqual(value);
  });

  test('with an identifier that is no number is an error with its place', () => {
    expect(() => read(created, { Status: true, id: 'new' })).toThrow(
      expect.objectContaining({ at: 'ID', problem: 'is not a number' }),
    );
  });
});

describe('a value under a key', () => {
  test.each([[{ Objects: [1] }], [{ objects: ['1'] }], [{ ' OBJECTS ': { '0': 1 } }]])(
    'is found in every casing: %j',
    (body) => {
      expect(read(under('Objects', list(integer)), body)).toEqual([1]);
    },
  );

  test.each([
    [{ Status: true }, 'Objects'],
    [[1], 'Objects'],
    [null, 'Objects'],
    [{ objects: 'none' }, 'Objects'],
    [{ objects: [1, 'x'] }, 'Objects.1'],
  ])('is reported missing by its documented name: %j', (body, at) => {
    expect(() => read(under('Objects', list(integer)), body)).toThrow(expect.objectContaining({ at }));
  });

  test('is not required if the whole answer is wanted', () => {
    expect(read(whole(list(text)), ['a'])).toEqual(['a']);
  });
});

test.each([
  [' a ', 'a'],
  [null, ''],
  [undefined, ''],
  [0, '0'],
  [false, 'false'],
  [{ a: [1] }, '{"a":[1]}'],
])('%j as text is %j', (value, written) => {
  expect(textOf(value)).toBe(written);
});
