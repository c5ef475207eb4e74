import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { Misfit } from './bounds.ts';
import {
  answered,
  flag,
  integer,
  keyed,
  lines,
  list,
  mapped,
  moment,
  number,
  optional,
  record,
  required,
  type Shape,
  text,
  truth,
} from './shape.ts';

const item = record({
  id: required('id', integer),
  pattern: required('pattern', text),
  enabled: optional('enabled', flag),
});
const object = record({
  id: required('ID', integer),
  name: optional('GroupName', text),
  items: optional('Items', list(item)),
});

/** The place and reason of a misfit. */
function misfitOf(shape: Shape<unknown>, value: unknown): string {
  try {
    shape.read(value);
  } catch (error) {
    if (error instanceof Misfit) return error.message;
    throw error;
  }
  throw new Error('It was understood.');
}

describe('a record', () => {
  test.each([
    { ID: 3, GroupName: 'ads', Items: [{ id: 7, pattern: 'a.test', enabled: 1 }] },
    { id: 3, groupname: 'ads', items: [{ ID: 7, PATTERN: 'a.test', Enabled: true }] },
    { ' Id ': 3, GROUPNAME: 'ads', iTEMS: [{ Id: 7, Pattern: 'a.test', ENABLED: 'True' }] },
    { ID: '3', GroupName: 'ads', Items: { '4': { id: ' 7 ', pattern: 'a.test', enabled: '1' } } },
    { Version: '4.50', ID: 3, GroupName: 'ads', Items: [{ id: 7, pattern: 'a.test', enabled: 1, x: {} }] },
  ])('is the same in any casing, with text for numbers, with more keys than expected: %j', (written) => {
    expect(object.read(written)).toEqual({
      id: 3,
      name: 'ads',
      items: [{ id: 7, pattern: 'a.test', enabled: true }],
    });
  });

  test.each([[{ ID: 3, id: 4 }], [{ id: 4, ID: 3 }], [{ Id: 5, ID: 3, id: 4 }]])(
    'with two spellings of a key uses the documented one: %j',
    (written) => {
      expect(object.read(written)).toEqual({ id: 3 });
    },
  );

  test('with two undocumented spellings of a key uses the first', () => {
    expect(object.read({ id: 4, Id: 5 })).toEqual({ id: 4 });
  });

  test('with null for a list has an empty list, and not an unknown one', () => {
    expect(object.read({ ID: 3, Items: null })).toEqual({ id: 3, items: [] });
  });

  test.each([[{ ID: 3 }], [{ ID: 3, GroupName: null }], [{ ID: 3, GroupName: '', Items: '' }]])(
    'leaves out missing, null and empty values: %j',
    (written) => {
      expect(object.read(written)).toEqual({ id: 3 });
    },
  );

  test.each([
    [{}, 'ID is missing'],
    [{ ID: null }, 'ID is not a number'],
    [{ ID: '' }, 'ID is not a number'],
    [null, 'is not an object'],
    [[{ ID: 3 }], 'is not an object'],
    ['ID=3', 'is not an object'],
  ])('is unreadable without its identifier: %j', (written, misfit) => {
    expect(misfitOf(object, written)).toBe(misfit);
  });

  test('reports the place of a misfit in the document’s words', () => {
    const objects = record({ objects: required('Objects', list(object)) });
    const good = { ID: 1, Items: [{ id: 1, pattern: 'a' }] };
    const bad = { id: 'many' };
    expect(misfitOf(objects, { OBJECTS: [good, good, good, bad] })).toBe('Objects.3.ID is not a number');
    expect(misfitOf(objects, { Objects: { '5': good, '9': bad } })).toBe('Objects.9.ID is not a number');
  });

  test('passes on a failure that is no misfit', () => {
    const broken = mapped(text, () => {
      throw new RangeError('ours');
    });
    expect(() => record({ a: required('a', list(broken)) }).read({ a: ['x'] })).toThrow(RangeError);
  });
});

describe('hostile keys', () => {
  test.each(['{"__proto__": {"id": 9}, "ID": 3}', '{"constructor": {"id": 9}, "toString": 1, "ID": 3}'])(
    'are kept like any others: %s',
    (json) => {
      const read = object.read(JSON.parse(json));
      expect(read).toEqual({ id: 3 });
      expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
      expect(Object.hasOwn(Object.prototype, 'id')).toBe(false);
    },
  );

  test('do not replace missing keys', () => {
    expect(misfitOf(object, JSON.parse('{"__proto__": {"ID": 9}}'))).toBe('ID is missing');
    expect(misfitOf(record({ name: required('constructor', text) }), {})).toBe('constructor is missing');
    expect(misfitOf(record({ name: required('toString', text) }), {})).toBe('toString is missing');
  });

  test('in tens of thousands of spellings, long and short, are not kept in memory', () => {
    const shape = record({ id: required('ID', integer) });
    const grownBy = heapGrowth(() => {
      for (let number = 0; number < 5_000; number += 1) {
        const short = Array.from({ length: 10 }, (_, index) => `"${number}x${index}": 1`);
        shape.read(JSON.parse(`{"${number}-${'x'.repeat(10_000)}": 1, ${short}, "iD": 3}`));
      }
    });
    // More than 50 MB went through it.
    expect(grownBy).toBeLessThan(500_000);
    expect(shape.read({ Id: 4 })).toEqual({ id: 4 });
  });
});

/** Bytes still held after an action. */
function heapGrowth(what: () => void): number {
  setFlagsFromString('--expose-gc');
  const collectOnce: () => void = runInNewContext('gc');
  // The second collection frees objects that were reachable only from those freed by the first.
  const collect = () => [collectOnce(), collectOnce()];
  collect();
  const before = process.memoryUsage().heapUsed;
  what();
  collect();
  return process.memoryUsage().heapUsed - before;
}

describe('a list', () => {
  test.each([
    [
      ['1', 2],
      [1, 2],
    ],
    [{ '0': 1, '2': '2' }, [1, 2]],
    [null, []],
    [[], []],
    [{}, []],
  ])('is read from %j', (written, read) => {
    expect(list(integer).read(written)).toEqual(read);
  });

  test.each([
    ['1,2', 'is not a list'],
    [1, 'is not a list'],
    [{ first: 1 }, 'is not a list'],
    [undefined, 'is not a list'],
    [[1, null], '1 is not a number'],
    [{ '3': 1, '7': 'x' }, '7 is not a number'],
  ])('is not read from %j', (written, misfit) => {
    expect(misfitOf(list(integer), written)).toBe(misfit);
  });
});

describe('single values', () => {
  test.each<[Shape<unknown>, unknown, unknown]>([
    [text, 'a', 'a'],
    [text, '', ''],
    [text, 4.5, '4.5'],
    [text, false, 'false'],
    [number, 4.5, 4.5],
    [number, ' -4.50 ', -4.5],
    [number, '1e3', 1000],
    [number, '.5', 0.5],
    [integer, '007', 7],
    [integer, 0, 0],
    [truth, true, true],
    [truth, 'True', true],
    [truth, ' TRUE ', true],
    [truth, 1, true],
    [truth, '1', true],
    [truth, 'yes', true],
    [truth, 'on', true],
    [truth, false, false],
    [truth, 'False', false],
    [truth, 0, false],
    [truth, '0', false],
    [truth, 'no', false],
    [truth, 'off', false],
  ])('%# is understood: %j', (shape, written, read) => {
    expect(shape.read(written)).toBe(read);
  });

  test.each<[Shape<unknown>, unknown]>([
    [text, null],
    [text, {}],
    [text, ['a']],
    [number, ''],
    [number, ' '],
    [number, 'many'],
    [number, '12 GB'],
    [number, '0x1f'],
    [number, 'Infinity'],
    [number, '1e999'],
    [number, true],
    [number, null],
    [number, [5]],
    [integer, 4.5],
    [integer, '4.5'],
    [integer, '9007199254740993'],
    [truth, 2],
    [truth, ''],
    [truth, 'maybe'],
    [truth, null],
    [truth, []],
  ])('%# is not guessed at: %j', (shape, written) => {
    expect(() => shape.read(written)).toThrow(Misfit);
  });
});

describe('a moment', () => {
  test.each([
    '2026-11-20T08:15:00Z',
    '2026-11-20T08:15Z',
    '2026-11-20T08:15:00.000000000Z',
    ' 2026-11-20T09:15:00+01:00 ',
    '2026-11-20T09:15:00+0100',
    '2026-11-20 08:15:00Z',
    '2026-11-20t08:15:00z',
  ])('is read from %j', (written) => {
    expect(moment.read(written)).toEqual(new Date('2026-11-20T08:15:00Z'));
  });

  test.each([
    '2026-11-20T08:15:00',
    '2026-11-20 08:15:00',
    '2026-11-20',
    '2026-13-20T08:15:00Z',
    '2026-11-20T25:00:00Z',
    '2026-11-20T(08:00) 09:00Z',
    '20 Nov 2026 08:15:00 GMT',
    '',
    1_795_000_000,
    null,
  ])('is not made of %j, which names no zone or no moment', (written) => {
    expect(misfitOf(moment, written)).toBe('is not an ISO 8601 timestamp');
  });
});

describe('an object whose keys are values', () => {
  const named = keyed(integer, record({ name: required('name', text) }), (id, { name }) => ({ id, name }));

  test.each([
    [{ '7': { name: 'a' }, '252': { Name: 'b' } }, ['7 a', '252 b']],
    [{}, []],
    [null, []],
    // How PHP writes an empty one.
    [[], []],
  ])('is a list: %j', (written, read) => {
    expect(named.read(written).map(({ id, name }) => `${id} ${name}`)).toEqual(read);
  });

  test.each([
    [{ '7': { name: 'a' }, seven: { name: 'b' } }, 'seven is not a number'],
    [{ '7': {} }, '7.name is missing'],
    [{ '7': null }, '7 is not an object'],
    [[{ name: 'a' }], 'is not an object'],
    ['7', 'is not an object'],
  ])('that is unreadable reports the place: %j', (written, misfit) => {
    expect(misfitOf(named, written)).toBe(misfit);
  });

  test('may have __proto__ among its keys', () => {
    expect(misfitOf(named, JSON.parse('{"__proto__": {"name": "a"}}'))).toBe('__proto__ is not a number');
  });
});

test('the documentation gets the wire format from the same declaration', () => {
  expect(object.wire).toMatchObject({
    properties: { ID: { type: 'integer' }, Items: { type: 'array', items: { type: 'object' } } },
  });
});

test.each([
  ['one\ntwo', ['one', 'two']],
  ['one\r\n\r\n  two\r\n\r\n', ['one', '', '  two']],
  [' \n', []],
  ['', []],
  [null, []],
  [12, ['12']],
  [
    ['one', 'two\nthree', ''],
    ['one', 'two', 'three'],
  ],
])('the lines of %j are %j', (written, expected) => {
  expect(lines.read(written)).toEqual(expected);
});

test('other values than text have no lines', () => {
  expect(() => lines.read({ one: 1 })).toThrow(Misfit);
  expect(() => lines.read(['one', {}])).toThrow(expect.objectContaining({ at: '1' }));
});

test('a record without any of its fields is about something else', () => {
  const shape = answered(record({ id: optional('ID', integer), name: optional('Name', text) }));
  expect(shape.read({ id: 3, colour: 'red' })).toEqual({ id: 3 });
  expect(() => shape.read({ colour: 'red' })).toThrow(Misfit);
  expect(() => shape.read({ ID: null })).toThrow(Misfit);
  expect(() => answered(record({ id: required('ID', integer) })).read({})).toThrow(
    expect.objectContaining({ at: 'ID' }),
  );
});
