import type { RoleName } from '../../auth/policy.ts';
import type { Action, Json } from '../../journal/journal.ts';

/** Whose yes an action waits for, where the asker's own is not enough. Plain JSON: it is kept with the action. */
export interface Consent {
  /** Every one of them must be met; one person may count for several. */
  readonly needs: readonly Need[];
  /** Whether the asker may be one of those who approve. */
  readonly requester: boolean;
  /** How long it may be given, in milliseconds. */
  readonly open: number;
  /** Why, in the asker's words. */
  readonly reason: string | null;
}

/** As the journal has it, or as it is about to be written. */
interface Asked {
  readonly consent?: Consent | Action['consent'] | undefined;
}

/** So many people who hold one of these roles. */
export interface Need {
  readonly by: readonly RoleName[];
  readonly count: number;
  /** The asker may not run it: with their yes these lend them their role. */
  readonly delegates: boolean;
  /** Who held them when it was asked: Slack IDs, user groups not opened. */
  readonly holders: readonly string[];
}

// What is kept as a consent is one (`propose.ts`).
export const consentOf = ({ consent }: Asked): Consent | undefined =>
  consent as unknown as Consent | undefined;
export const consentToStore = (consent: Consent): Json => consent as unknown as Json;

/** Whether it was asked for by somebody who may not run it. */
export const isDelegated = (action: Asked): boolean =>
  consentOf(action)?.needs.some(({ delegates }) => delegates) === true;

/** Whether it was asked for by break-glass: then nobody else's yes is waited for. */
export function isBreakGlass(args: unknown): boolean {
  return typeof args === 'object' && args !== null && 'break-glass' in args && args['break-glass'] === true;
}
