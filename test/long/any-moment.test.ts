import { test } from 'vitest';
import { expectSameToRead, usual } from '../same-to-read.ts';

test('people read the same on a leap day when they look something up', () =>
  expectSameToRead(usual, '2028-02-29T23:50:00Z'));

test('people read the same in ten years when they look something up', () =>
  expectSameToRead(usual, '2036-08-18T00:00:30Z'));
