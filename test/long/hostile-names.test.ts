import { test } from 'vitest';
import { expectObeyedByNobody, lines, tooLong } from '../hostile-names.ts';

test('what the appliance calls its things is cut to what fits where it has 10,000 characters, by every command', () =>
  expectObeyedByNobody(tooLong, lines));
