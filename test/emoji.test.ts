import { expect, test } from 'vitest';
import { plain } from '../sandbox/workspace/plain/text.ts';
import { marks } from '../src/bot/rendering/cards.ts';

test('a card read as text shows its state as a sign, not as a name in colons', () => {
  const names = Object.values(marks).flatMap((name) => name ?? []);
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => plain(`:${name}:`).includes(':'))).toEqual([]);
});
