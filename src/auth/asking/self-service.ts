/** What people without any role may ask for, and where that is decided. */

import type { RequestedCommand, Where } from '../request.ts';

export interface SelfServicePolicy {
  /** Where requests are decided, by its Slack ID; the roles of that channel say by whom. */
  readonly channel: string;
  /** Those that a site is asked for on, all at once. */
  readonly appliances: readonly string[];
  /** Where sites go that are allowed: a category by its number or name. */
  readonly allowCategory: string;
  /** Only sites whose categories are all among these may be asked for; all when absent. By number or name. */
  readonly categories?: readonly string[] | undefined;
  /** Sites in one of these may not be asked for. */
  readonly not: readonly string[];
  /** How long a site may be asked for, in milliseconds. */
  readonly longest: number;
  /** Whether a site may be asked for, and allowed by a button, without an end. */
  readonly forGood: boolean;
  /** How many requests of one person may be open, and how many they may make within a day. */
  readonly perPerson: { readonly open: number; readonly day: number };
  /** How long a request stays open, in milliseconds. */
  readonly open: number;
  /** Whether whoever asks may decide it, if they may allow sites. */
  readonly requester: boolean;
  /** Who may ask: Slack IDs of people and user groups, and the word `everyone`. */
  readonly askers: ReadonlySet<string>;
  /** The channels in which they may; all when absent. Direct messages with the bot count always. */
  readonly from?: readonly string[] | undefined;
}

/** Why somebody may not ask for a site. */
export type NotSelfService =
  /** The policy has no such section. */
  | 'off'
  | 'person'
  | 'place'
  | 'appliance'
  /** For longer than may be, or without an end. */
  | 'longest'
  | 'for_good';

/** What is wanted for a site. */
type SiteWanted = Pick<RequestedCommand, 'appliance' | 'lasts'>;

/**
 * Why this may not be asked for; undefined where it may. Before it is known for which site, only who asks and where is looked at.
 * `names`: what the policy may call whoever asks.
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

/** The same of what is asked for, whoever asks: also from a block page, where nobody is known. */
export function whyNotFor(
  policy: SelfServicePolicy,
  { appliance, lasts }: SiteWanted,
): NotSelfService | undefined {
  if (typeof appliance === 'string' || !policy.appliances.includes(appliance.name)) return 'appliance';
  if (lasts === 'forGood') return policy.forGood ? undefined : 'for_good';
  return lasts === 'any' || lasts <= policy.longest ? undefined : 'longest';
}

/** Whether a site in these categories may be asked for: the first that may not be; nothing is known of one in none. */
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

/** Stands in a policy for sites that are in no category. */
const none = 'uncategorized';
