import { expect, test } from 'vitest';
import { span } from './values.ts';

const hour = 60 * 60_000;

test.each([
  ['59s', undefined],
  ['60s', 60_000],
  ['24h', 24 * hour],
  ['86401s', undefined],
])('between 1m and 24h, %s is read as %s', (text, milliseconds) => {
  const read = span('24h').safeParse(text);
  expect(read.data).toBe(milliseconds);
  if (!read.success)
    expect(read.error.issues).toMatchObject([
      { message: 'must be a duration between 1m and 24h, such as 90s, 30m, 2h or 1h30m' },
    ]);
});
