import { expect, test } from 'vitest';
import { share } from './share.ts';

test('equal parts stay the same objects, changed parts and their holders are new', () => {
  const old = {
    people: [{ id: 'U1' }],
    messages: [
      { ts: '1', text: 'a' },
      { ts: '2', text: 'b' },
    ],
  };
  const fresh = {
    people: [{ id: 'U1' }],
    messages: [
      { ts: '1', text: 'a' },
      { ts: '2', text: 'c' },
    ],
  };
  const shared = share(old, fresh);
  expect(shared).toEqual(fresh);
  expect(shared.people).toBe(old.people);
  expect(shared.messages[0]).toBe(old.messages[0]);
  expect(shared.messages[1]).not.toBe(old.messages[1]);
});

test('an equal value is the old one, and a key that went away is gone', () => {
  const old = { a: [1, null], b: 'x' };
  expect(share(old, { a: [1, null], b: 'x' })).toBe(old);
  expect(share(old, { a: [1, null] })).toEqual({ a: [1, null] });
  expect(share([1, 2], [1])).toEqual([1]);
});
