import { expect, test } from 'vitest';
import type { Operation } from '../../../appliance/protocol.ts';
import { findOperations } from './find-operations.ts';

const operation = (method: string, path: string, area: string): Operation => ({
  name: `${method} ${path}`,
  method,
  path,
  area,
});
const operations = [
  operation('GET', '/categories/list', 'Categories'),
  operation('GET', '/rdpproxy/sessions', 'Remote-desktop gateway'),
  operation('POST', '/rdpproxy/sessions/{id}/disconnect', 'Remote-desktop gateway'),
];
const found = (typed: string) => findOperations(operations, typed).map(({ path }) => path);

test('an operation is found by words of its path, method and heading, in any case and order', () => {
  expect(found('SESSIONS')).toEqual(['/rdpproxy/sessions', '/rdpproxy/sessions/{id}/disconnect']);
  expect(found('desktop post')).toEqual(['/rdpproxy/sessions/{id}/disconnect']);
  expect(found('list sessions')).toEqual([]);
});

test('an operation with the words in its path or method comes before one under such a heading', () => {
  const more = [
    operation('GET', '/proxy/acls/objects', 'Categories and objects'),
    operation('GET', '/categories/list', 'Categories'),
  ];
  expect(findOperations(more, 'categ').map(({ path }) => path)).toEqual([
    '/categories/list',
    '/proxy/acls/objects',
  ]);
});

test('an empty search finds all', () => {
  expect(found(' ')).toHaveLength(3);
});
