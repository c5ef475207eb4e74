import { isApplianceFailure } from '../../api/index.ts';
import { isInsideAddress } from '../../auth/asking/inside.ts';
import { gather } from '../../handlers/why/evidence.ts';
import { testInWords } from '../../handlers/why/table.ts';
import { judge, type WhyFindings } from '../../handlers/why/verdict.ts';
import { addressesOf } from '../../handlers/why/website.ts';
import { tell } from '../../handlers/why/words.ts';
import { reasonOf } from '../../handlers/wording/reason.ts';
import type { Parts } from '../ground/ground.ts';
import type { SiteFinding, SiteRequestContent } from '../requests/site-request.ts';
import { pendingOn } from '../target/target.ts';

/** What each appliance says of a site, as `why` would: read anew, and through the proxy. */
export type LookAtSite = (
  site: string,
  appliances: readonly string[],
) => Promise<Pick<SiteRequestContent, 'findings' | 'unchecked'>>;

export function createLookAtSite({ appliances, journal }: Pick<Parts, 'appliances' | 'journal'>): LookAtSite {
  return async (site, names) => {
    const all = await Promise.all(names.map((name) => lookOn(name, site)));
    return {
      findings: all.flatMap((one) => ('kind' in one ? [one] : [])),
      unchecked: all.flatMap((one) => ('why' in one ? [one] : [])),
    };
  };

  async function lookOn(
    name: string,
    site: string,
  ): Promise<SiteFinding | SiteRequestContent['unchecked'][number]> {
    const appliance = appliances.get(name);
    if (appliance === undefined) return { appliance: name, why: 'it is no longer configured' };
    try {
      const evidence = await gather(appliance, site, () => pendingOn(journal, name));
      const findings = await judge(evidence);
      const { categories, website } = evidence;
      // A test that failed, with categories that were read, is no word on whether it is blocked.
      if (!website.ok && !categories.ok) return { appliance: name, why: reasonOf(website.failure) };
      return {
        appliance: name,
        kind: kindOf(findings, website.ok ? addressesOf(website.value) : []),
        says: tell(findings.verdict, site, name).headline,
        ...(website.ok && { tested: testInWords(website.value) }),
        ...(categories.ok && {
          categories: categories.value.categories.map((one) => ({ id: one.id, name: one.name })),
        }),
      };
    } catch (error) {
      if (!isApplianceFailure(error)) throw error;
      return { appliance: name, why: reasonOf(error) };
    }
  }
}

/**
 * What resolves inside and what does not resolve at all are one: by what is told of the first, somebody could go through the names and
 * hosts of the network. Its categories count for both.
 */
function kindOf({ verdict, reached }: WhyFindings, addresses: readonly string[]): SiteFinding['kind'] {
  const isByCategory = verdict.kind === 'blocked' && verdict.by.kind === 'categories';
  if (verdict.kind !== 'dns_firewall' && !isByCategory) {
    if (verdict.kind === 'unknown_name' || addresses.some(isInsideAddress)) return 'not_found';
  }
  const isThrough = reached?.kind === 'fine' || reached?.kind === 'fine_by_proxy';
  switch (verdict.kind) {
    case 'blocked':
      return 'blocked';
    case 'dns_firewall':
      // What lets it through all the same stands before the firewall.
      return isThrough && !verdict.isPending ? 'works' : 'blocked';
    case 'untested':
      return 'unknown';
    case 'not_ours':
      return isThrough ? 'works' : 'unknown';
    default:
      return 'not_blocked';
  }
}

/** Whether nothing stands in the way anywhere, as far as every appliance tells. */
export const isFree = ({
  findings,
  unchecked,
}: Pick<SiteRequestContent, 'findings' | 'unchecked'>): boolean =>
  unchecked.length === 0 &&
  findings.length > 0 &&
  findings.every(({ kind }) => kind !== 'blocked' && kind !== 'unknown') &&
  !isNotFound({ findings, unchecked });

/** Whether no appliance that could be asked finds it on the Internet. */
export const isNotFound = ({
  findings,
  unchecked,
}: Pick<SiteRequestContent, 'findings' | 'unchecked'>): boolean =>
  unchecked.length === 0 && findings.length > 0 && findings.every(({ kind }) => kind === 'not_found');

/** Where it works, where not, and where that could not be seen. */
export function worksAsSeen({ findings, unchecked }: Pick<SiteRequestContent, 'findings' | 'unchecked'>): {
  readonly is: boolean;
  readonly unseen?: readonly string[];
} {
  const unseen = [...findings.filter(({ kind }) => kind === 'unknown'), ...unchecked].map(
    ({ appliance }) => appliance,
  );
  const is =
    findings.some(({ kind }) => kind !== 'unknown') && findings.every(({ kind }) => kind !== 'blocked');
  return { is, ...(unseen.length > 0 && { unseen }) };
}
