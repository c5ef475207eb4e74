import { expect, test } from 'vitest';
import { termsOf } from './search-terms.ts';

test('a command is known by whole words only', () => {
  const record = { command: 'rdp policy link', appliances: [], decision: {} };
  expect(termsOf(record as never)).toEqual(
    expect.arrayContaining(['command:rdp', 'command:rdp policy', 'command:rdp policy link']),
  );
});
