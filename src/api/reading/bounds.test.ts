import { describe, expect, test } from 'vitest';
import { acl } from '../endpoints/acl.ts';
import { categories } from '../endpoints/categories.ts';
import { rdp } from '../endpoints/rdp.ts';
import { sqldb } from '../endpoints/sqldb.ts';
import { UnexpectedReply } from '../errors.ts';
import { understand } from './understand-answer.ts';

const many = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => make(i)).join();

const sessions = (reply: string) => understand('rdp.listSessions', rdp.listSessions, reply, {}, []);
const databases = (reply: string) => understand('sqldb.listDatabases', sqldb.listDatabases, reply, {}, []);
const listed = (reply: string) => understand('categories.list', categories.list, reply, {}, []);

/** The reason why it was not searched. */
function excessOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof UnexpectedReply && error.tooMuch) return error.problem;
    throw error;
  }
  return 'was read';
}

describe('realistic answers are read', () => {
  test('a list of 50,000 sessions', () => {
    expect(sessions(`[${many(50_000, (id) => `{"id":${id}}`)}]`)).toHaveLength(50_000);
  });

  test('a map of 50,000 databases by name', () => {
    expect(databases(`{"databases":{${many(50_000, (index) => `"db_${index}":{"size":1}`)}}}`)).toHaveLength(
      50_000,
    );
  });

  test('a map of 100,000 categories, and a list of 200,000 objects, which are documented', () => {
    expect(listed(`{"categories":{${many(100_000, (id) => `"${id}":{"name":"a"}`)}}}`)).toHaveLength(100_000);
    const objects = `{"Objects":[${many(200_000, (ID) => `{"ID":${ID},"GroupName":"a","Type":"src","Enabled":1}`)}]}`;
    expect(understand('acl.listObjects', acl.listObjects, objects, {}, [])).toHaveLength(200_000);
  });
});

describe('unrealistically large answers are not searched', () => {
  test.each([
    [
      'more fields than a map has',
      `{${many(100_001, (index) => `"k${index}":0`)}}`,
      'has more than 100000 fields',
    ],
    ['more things', `[${many(50_001, (id) => `{"id":${id}}`)}]`, 'has more than 50000 sessions'],
    [
      'other names in every record',
      `[${many(10_001, (index) => `{"k${index}":0}`)}]`,
      'has more than 10000 different fields',
    ],
    [
      'several large maps',
      `[${many(3, (map) => `{${many(20_000, (index) => `"${map}${index}":0`)}}`)}]`,
      'has more than 50000 keys in maps',
    ],
  ])('%s', (_, reply, problem) => {
    expect(excessOf(() => sessions(reply))).toBe(problem);
  });

  test('a documented map of more than 100,000 categories', () => {
    expect(excessOf(() => listed(`{"categories":{${many(100_001, (id) => `"${id}":{"name":"a"}`)}}}`))).toBe(
      'has more than 100000 fields',
    );
  });
});
