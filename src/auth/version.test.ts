import { expect, test } from 'vitest';
import { policyOf, servedTo } from '../../test/policy.ts';
import { versionOf } from './version.ts';

const policy = (people: readonly string[]) => policyOf({ C0HELP: servedTo({ operator: people }) });

test('the version of a policy is that of every equal one, and changes with whoever holds a role', () => {
  expect(versionOf(policy(['U01']))).toMatch(/^[0-9a-f]{12}$/);
  expect(versionOf(policy(['U01']))).toBe(versionOf(policy(['U01'])));
  expect(versionOf(policy(['U01', 'U02']))).not.toBe(versionOf(policy(['U01'])));
});
