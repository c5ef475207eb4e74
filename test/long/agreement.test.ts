import { expect, test } from 'vitest';
import { expectAgreement, expectSameDemands, waysIn } from '../agreement.ts';
import { sized } from '../size.ts';

const policies = sized(4, 16, 50);

test(`policy explain predicts what happens: 20 lines under each of ${policies} policies`, () =>
  expectAgreement(policies, 20, 4_711));

test('each way in meets the same approvals, tickets, rights and freezes: 26 ways under each of 8 policies', async () => {
  const seen = await expectSameDemands(8, 43);
  // Each of them came that far, and each end of a question came up.
  expect(new Set([...seen].map((one) => one.split(': ')[0]))).toEqual(new Set(waysIn));
  expect(new Set([...seen].map((one) => one.split(': ')[1]))).toEqual(
    new Set(['approval', 'free', 'refused']),
  );
});
