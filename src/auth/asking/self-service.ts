/** Requests by people without a role: what they may ask for, and where it is decided. */

import type { RequestedCommand, Where } from '../request.ts';

export interface SelfServicePolicy {
  /** Slack ID of the channel where requests are decided. The roles of that channel say by whom. */
  readonly channel: string;
  readonly appliances: readonly string[];
  /** The category, by number or name, into which allowed sites are moved. */
  readonly allowCategory: string;
  /** Only sites whose categories are all among these may be requested; all when absent. By number or name. */
  readonly categories?: readonly string[] | undefined;
  /** Sites in one of these categories may not be requested. */
  readonly not: readonly string[];
  /** The longest duration of a request, in milliseconds. */
  readonly longest: number;
  /** Whether a site may be requested, and allowed, permanently. */
  readonly forGood: boolean;
  /** Limits of one person: open requests, and requests within a day. */
  readonly perPerson: { readonly open: number; readonly day: number };
  /** How long a request stays open, in milliseconds. */
  readonly open: number;
  /** Whether the requester may approve it, if their role allows sites. */
  readonly requester: boolean;
  /** The people who may ask: Slack IDs of people and user groups, and the word `everyone`. */
  readonly askers: ReadonlySet<string>;
  /** The channels in which they may ask; all when absent. Direct messages with the bot always count. */
  readonly from?: readonly string[] | undefined;
}

export type NotSelfService =
  | 'off'
  | 'person'
  | 'place'
  | 'appliance'
  /** Longer than allowed, or permanent. */
  | 'longest'
  | 'for_good';

type SiteWanted = Pick<RequestedCommand, 'appliance' | 'lasts'>;

/**
 * Why this may not be requested; undefined if it may. Before the site is known, only person and channel are
 * checked. `names`: every name of the requester in the policy.
 */
export function whyNotAsk(
  policy: SelfServicePolicy | undefined,
  names: readonly string[],
  { channel }: Where,
  what: SiteWanted,
): NotSelfService | undefined {
  if (policy === undefined) return 'off';
  if (!names.some((name) => policy.askers.has(name))) return 'person';
  if (policy.from !== undefined && !channel.startsWith('D') && !policy.from.includes(channel)) return 'place';
  return typeof what.appliance === 'string' ? undefined : whyNotFor(policy, what);
}

/** The same check without the person: also for a block page, which knows nobody. */
export function whyNotFor(
  policy: SelfServicePolicy,
  { appliance, lasts }: SiteWanted,
): NotSelfService | undefined {
  if (typeof appliance === 'string' || !policy.appliances.includes(appliance.name)) return 'appliance';
  if (lasts === 'forGood') return policy.forGood ? undefined : 'for_good';
  return lasts === 'any' || lasts <= policy.longest ? undefined : 'longest';
}

/** The first category in which a site may not be requested. A site without categories counts as `none`. */
export function notAskable<Category extends { readonly id: number; readonly name: string }>(
  { categories, not }: Pick<SelfServicePolicy, 'categories' | 'not'>,
  of: readonly Category[],
): Category | 'uncategorized' | undefined {
  const isAmong = (list: readonly string[], { id, name }: Category) =>
    list.some((one) => one === String(id) || one.toLowerCase() === name.toLowerCase());
  const barred = of.find((one) => isAmong(not, one) || (categories && !isAmong(categories, one)));
  if (barred !== undefined) return barred;
  const isNone = of.length === 0 && (not.includes(none) || categories?.includes(none) === false);
  return isNone ? none : undefined;
}

/** The policy's word for sites without a category. */
const none = 'uncategorized';
