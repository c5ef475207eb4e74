import { expect, test } from 'vitest';
import { say, strong } from '../../handlers/reply.ts';
import { isRepetition } from './said.ts';

const moved = say`${strong('example.com')} moved from category ${strong('purchasing')} to ${strong('shopping')}`;
const seen = say`Looked up example.com: it is in shopping and no longer in purchasing.`;

test.each([
  ['the same in other words', 'example.com is moved from purchasing to shopping'],
  ['a part of it', 'example.com moved.'],
  ['that it went well, and no more', 'Operation completed successfully'],
  ['nothing', ''],
])('an appliance that says %s adds nothing to what was verified', (_, reply) => {
  expect(isRepetition(reply, [moved, seen])).toBe(true);
});

test.each([
  ['the opposite direction', 'example.com is moved from shopping to purchasing'],
  ['that it did not happen', 'example.com is not moved'],
  ['that it was so before', 'example.com is already in shopping'],
  ['a number', 'example.com moved, 3 sites in all'],
  ['a warning', 'example.com moved; restart required'],
  ['another name', 'www.example.com moved from purchasing to shopping'],
])('an appliance that says %s is heard', (_, reply) => {
  expect(isRepetition(reply, [moved, seen])).toBe(false);
});

test('a long list that repeats nothing is told as it is', () => {
  expect(isRepetition('a.example added\nb.example added', [say`2 sites added`])).toBe(false);
});
