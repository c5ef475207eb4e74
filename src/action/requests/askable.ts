import { notAskable, type SelfServicePolicy } from '../../auth/asking/self-service.ts';
import type { SiteFinding, SiteRequestContent } from './site-request.ts';

type Category = NonNullable<SiteFinding['categories']>[number];
/** The policy, as far as the categories of a site count. */
export type CategoryTerms = Pick<SelfServicePolicy, 'categories' | 'not' | 'allowCategory'>;

/**
 * Why a site may not be allowed by what it is in. `unread`: the policy excludes some categories, and those of the site are not known on
 * every appliance, so that it may be in one of them.
 */
export function barredBy(
  policy: CategoryTerms,
  { findings, unchecked }: Pick<SiteRequestContent, 'findings' | 'unchecked'>,
): Category | 'uncategorized' | 'unread' | undefined {
  for (const { categories } of findings) {
    // Where it was allowed before, it is in that one, too.
    const barred =
      categories &&
      notAskable(
        policy,
        categories.filter((one) => !isAllowing(policy, one)),
      );
    if (barred !== undefined) return barred;
  }
  if (policy.categories === undefined && policy.not.length === 0) return undefined;
  const isRead = (one: SiteFinding) =>
    one.categories !== undefined &&
    !(namesSome(policy.not) && one.categories.some(({ name }) => name === ''));
  return unchecked.length > 0 || findings.length === 0 || !findings.every(isRead) ? 'unread' : undefined;
}

const isAllowing = ({ allowCategory }: CategoryTerms, { id, name }: Category): boolean =>
  allowCategory === String(id) || allowCategory.toLowerCase() === name.toLowerCase();

/** A category without its name may be one that the policy names. */
const namesSome = (list: readonly string[]): boolean =>
  list.some((one) => one !== 'uncategorized' && !/^[0-9]+$/.test(one));
