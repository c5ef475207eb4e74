import { expect, test } from 'vitest';
import { addingLine, tornIn } from './patterns.ts';

test('a part of a pattern that was split at its comma is recognised by its bracket', () => {
  expect(tornIn(['^a{1', '3}$'])).toBe('^a{1');
  expect(tornIn(['ok.example', 'b[x'])).toBe('b[x');
  expect(tornIn(['^a{1,3}$', '(^|\\.)x\\.com$', 'literal\\{'])).toBeUndefined();
});

test('the line that adds patterns reads as exactly these patterns', () => {
  expect(addingLine(12, ['example.com', '.b.com'])).toBe('acl record add 12 example.com .b.com');
  expect(addingLine(12, ['^a{1,3}$'])).toBe('acl record add 12 "^a{1,3}$"');
  expect(addingLine(12, ['two words', 'a.com'])).toBe('acl record add 12 "two words" a.com');
});

test('patterns that a line would change have no such line', () => {
  expect(addingLine(12, ['a“b'])).toBeUndefined();
  expect(addingLine(12, ['a&amp;b'])).toBeUndefined();
  expect(addingLine(12, ['a[b'])).toBeUndefined();
});
