import type { Policy } from '../../src/auth/policy.ts';

const holdersIn = ({ holders, channels }: Policy): readonly string[] =>
  [holders, ...Object.values(channels).map(({ roles }) => roles)].flatMap((held) =>
    Object.values(held).flatMap((some) => [...some]),
  );
/** Every user group that a policy names, by its ID. */
export const groupsIn = (policy: Policy): ReadonlySet<string> =>
  new Set(holdersIn(policy).filter((id) => id.startsWith('S')));
/** Every person that a policy names, by their ID. */
export const peopleIn = (policy: Policy): ReadonlySet<string> =>
  new Set(holdersIn(policy).filter((id) => /^[UW]/.test(id)));
