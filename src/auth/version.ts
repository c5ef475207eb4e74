import { hash } from 'node:crypto';
import type { Policy } from './policy.ts';

/** Digits of a digest that tell one policy from another. */
const digits = 12;

const versions = new WeakMap<Policy, string>();

/** What a policy is known by in the records: the same policy has the same on every machine. Made once for each. */
export function versionOf(policy: Policy): string {
  const version = versions.get(policy) ?? hash('sha256', JSON.stringify(policy, withSets)).slice(0, digits);
  versions.set(policy, version);
  return version;
}

const withSets = (_: string, value: unknown): unknown => (value instanceof Set ? [...value] : value);
