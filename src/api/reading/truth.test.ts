import { expect, test } from 'vitest';
import { truthOf } from './said.ts';

test('a flag is yes, no, or neither', () => {
  expect(['1', 'TRUE', 'Yes', 'on', 'y'].map(truthOf)).toEqual(Array(5).fill(true));
  expect(['0', 'False', 'no', 'OFF', 'N'].map(truthOf)).toEqual(Array(5).fill(false));
  expect(['', '2', 'enabled', 'yesterday', 'none'].map(truthOf)).toEqual(Array(5).fill(undefined));
});
