import { expect, test } from 'vitest';
import { z } from 'zod';
import { codec, formerly, optional } from './codec.ts';

interface Wish {
  readonly what: string;
  readonly loudly?: boolean;
}

const wishes = codec<Wish>(
  formerly({ noisy: 'loudly' }, z.object({ what: z.string(), loudly: optional(z.boolean()) })),
);

test('what was stored is read as it was, with nothing but what is known', () => {
  const wish: Wish = { what: 'tea', loudly: true };
  expect(wishes.read(JSON.parse(JSON.stringify(wishes.store(wish))))).toEqual(wish);
  expect(wishes.read({ what: 'tea', later: 1, loudly: undefined })).toEqual({ what: 'tea' });
});

test('what has another name by now is read by its new one', () => {
  expect(wishes.read({ what: 'tea', noisy: true })).toEqual({ what: 'tea', loudly: true });
});

test.each([[undefined], [null], ['tea'], [[]], [{}], [{ what: 1 }], [{ what: 'tea', noisy: 'yes' }]])(
  'what does not fit is not read, and it is told why: %j',
  (stored) => {
    expect(wishes.read(stored)).toBeUndefined();
    expect(wishes.problemIn(stored)).toMatch(/Invalid input/);
  },
);

test('the same JSON is the same value, whether it fits or not', () => {
  const [stored, broken] = [{ what: 'tea' }, { what: 1 }];
  expect(wishes.read(stored)).toBe(wishes.read(stored));
  expect(wishes.read(broken)).toBeUndefined();
  expect(wishes.read(broken)).toBeUndefined();
  expect(wishes.problemIn(stored)).toBeUndefined();
});
