import { expect, test } from 'vitest';
import { policyOf, servedTo } from '../../test/policy.ts';
import { versionOf } from './policy.ts';

const policy = (people: readonly string[]) => policyOf({ C0HELP: servedTo({ operator: people }) });

test('equal policies have the same version, and a change of holders changes it', () => {
  expect(versionOf(policy(['U01']))).toMatch(/^[0-9a-f]{12}$/);
  expect(versionOf(policy(['U01']))).toBe(versionOf(policy(['U01'])));
  expect(versionOf(policy(['U01', 'U02']))).not.toBe(versionOf(policy(['U01'])));
});
