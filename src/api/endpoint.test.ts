import { expect, expectTypeOf, test } from 'vitest';
import { fillPath, type SlotNames, slotNames } from './endpoint.ts';

test('values are put into their slots, numbers too', () => {
  expect(
    fillPath('/categories/move/{id}/{site}/{nextId}', { id: 3, site: 'example.com', nextId: 252 }),
  ).toEqual({
    ok: true,
    path: '/categories/move/3/example.com/252',
  });
  expect(fillPath('/configuration/proxy/enable/{host}:{port}', { host: '10.20.0.9', port: 3128 })).toEqual({
    ok: true,
    path: '/configuration/proxy/enable/10.20.0.9:3128',
  });
});

test('a value never becomes a query, a fragment or another separator', () => {
  expect(fillPath('/proxy/acls/record/find/{pattern}', { pattern: 'a?b#c:d %é' })).toEqual({
    ok: true,
    path: '/proxy/acls/record/find/a%3Fb%23c:d%20%25%C3%A9',
  });
});

test.each([
  ['..', 'is a relative path segment, not a value'],
  ['.', 'is a relative path segment, not a value'],
  ['%2e%2E', 'is a relative path segment, not a value'],
  ['.%2e', 'is a relative path segment, not a value'],
  ['a/b', 'contains a slash'],
  ['a\\b', 'contains a slash'],
  ['a%2Fb', 'contains a slash'],
  ['', 'is empty'],
  [' ', 'is empty'],
  ['a\u0000b', 'contains a control character'],
  ['a\r\nb', 'contains a control character'],
  ['\ud800', 'is not valid Unicode text'],
])('%j is refused, and the error names the slot', (site, problem) => {
  expect(fillPath('/categories/{id}/{site}', { id: 3, site })).toEqual({ ok: false, slot: 'site', problem });
});

test('a slot without a value is refused, even one named like a property of every object', () => {
  expect(fillPath('/a/{constructor}', {})).toEqual({ ok: false, slot: 'constructor', problem: 'is empty' });
});

test('the slots of a template are known at run time and to the compiler', () => {
  expect(slotNames('/configuration/proxy/enable/{host}:{port}')).toEqual(['host', 'port']);
  expect(slotNames('/categories/list')).toEqual([]);
  expectTypeOf<SlotNames<'/configuration/proxy/enable/{host}:{port}'>>().toEqualTypeOf<'host' | 'port'>();
  expectTypeOf<SlotNames<'/categories/list'>>().toEqualTypeOf<never>();
});
