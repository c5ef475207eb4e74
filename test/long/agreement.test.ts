import { test } from 'vitest';
import { expectAgreement } from '../agreement.ts';

test('what policy explain says is what happens: 1,000 lines over 50 policies', () =>
  expectAgreement(50, 20, 4_711));
