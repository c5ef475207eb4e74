import { z } from 'zod';
import type { Arguments } from '../../auth/request.ts';
import { codec, formerly, optional, type Stored } from '../../codec.ts';
import type { Action } from '../../journal/journal.ts';

/** As the journal has it, or as it is about to be written. */
interface Asked {
  readonly consent?: Consent | Action['consent'] | undefined;
}

/** So many people who hold one of these roles. */
export type Need = Stored<typeof needShape>;
const needShape = z.object({
  by: z.array(z.string()),
  // What nobody's yes would meet is no need that was ever written.
  count: z.int().positive(),
  /** The asker may not run it: with their yes these lend them their role. */
  delegates: z.boolean(),
  /** Who held them when it was asked: Slack IDs, user groups not opened. */
  holders: z.array(z.string()),
  /** Of a plan, the lines for which a role is lent: by their place in it, from 1; 0 is the plan itself. */
  lines: optional(z.array(z.number())),
});

/** Whose yes an action waits for, where the asker's own is not enough. Plain JSON: it is kept with the action. */
export type Consent = Stored<typeof consentShape>;
const consentShape = z.object({
  /** Every one of them must be met; one person may count for several. */
  needs: z.array(formerly({ lends: 'delegates' }, needShape)).min(1),
  /** Whether the asker may be one of those who approve. */
  requester: z.boolean(),
  /** How long it may be given, in milliseconds. */
  open: z.number(),
  /** Why, in the asker's words. */
  reason: z.string().nullable(),
  /**
   * A step of a workflow has asked, and nobody knows who has started it: that stays so when it is moved, run later or run in part.
   * The first versions did not keep it.
   */
  unattended: z.boolean().default(false),
});

const consents = codec(consentShape);

export const consentToStore = consents.store;

/** What can no longer be read is met by nobody. */
const unmeetable: Consent = {
  needs: [{ by: [], count: 1, delegates: false, holders: [] }],
  requester: false,
  open: 0,
  reason: null,
  unattended: false,
};

export const consentOf = ({ consent }: Asked): Consent | undefined =>
  consent === undefined ? undefined : (consents.read(consent) ?? unmeetable);

export const isConsentReadable = (action: Asked): boolean => consentOf(action) !== unmeetable;

/** Whether it was asked for by somebody who may not run it. */
export const isDelegated = (action: Asked): boolean =>
  consentOf(action)?.needs.some(({ delegates }) => delegates) === true;

/** Whether a role is lent for that line of it; of what is no plan, for all of it. */
export const isLentFor = (action: Asked, line: number): boolean =>
  consentOf(action)?.needs.some(({ delegates, lines }) => delegates && (lines?.includes(line) ?? true)) ===
  true;

/** Whether a step of a workflow has asked for it. */
export const isUnattended = (action: Asked): boolean => consentOf(action)?.unattended === true;

/** Whether it was asked for by break-glass: then nobody else's yes is waited for. */
export function isBreakGlass(args: unknown): args is Arguments {
  return typeof args === 'object' && args !== null && 'break-glass' in args && args['break-glass'] === true;
}
