import { expect, test } from 'vitest';
import { addingLine, tornIn } from './patterns.ts';

test('a part of a pattern that was split at its comma is known by its bracket', () => {
  expect(tornIn(['^a{1', '3}$'])).toBe('^a{1');
  expect(tornIn(['ok.example', 'b[x'])).toBe('b[x');
  expect(tornIn(['^a{1,3}$', '(^|\\.)x\\.com$', 'literal\\{'])).toBeUndefined();
});

test('the line that adds patterns reads as just these', () => {
  expect(addingLine(12, ['example.com', '.b.com'])).toBe('acl record add 12 example.com .b.com');
  expect(addingLine(12, ['^a{1,3}$'])).toBe('acl record add 12 "^a{1,3}$"');
  expect(addingLine(12, ['two words', 'a.com'])).toBe('acl record add 12 "two words" a.com');
});

test('there is no such line for what a line would change', () => {
  expect(addingLine(12, ['a“b'])).toBeUndefined();
  expect(addingLine(12, ['a&amp;b'])).toBeUndefined();
  expect(addingLine(12, ['a[b'])).toBeUndefined();
});
