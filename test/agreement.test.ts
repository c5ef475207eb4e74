import { test } from 'vitest';
import { expectAgreement } from './agreement.ts';

test('what policy explain says is what happens: 60 lines over 6 policies', () =>
  expectAgreement(6, 10, 20_261_122));
