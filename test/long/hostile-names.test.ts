import { test } from 'vitest';
import { crowded, expectObeyedByNobody, lines, tooLong } from '../hostile-names.ts';

test('what the appliance calls its things is cut to what fits where it has 10,000 characters, by every command', () =>
  expectObeyedByNobody(tooLong, lines));

test('what the appliance has a thousand of is cut to what fits as well, by every command', () =>
  expectObeyedByNobody(crowded, lines));
