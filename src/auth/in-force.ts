import type { Policy } from './policy.ts';

/** The policy that counts now: read again at every decision, because it may be replaced while people work. */
export interface PolicyInForce {
  readonly current: () => Policy;
  readonly replace: (policy: Policy) => void;
}

export function inForce(policy: Policy): PolicyInForce {
  let current = policy;
  return {
    current: () => current,
    replace: (next) => {
      current = next;
    },
  };
}
