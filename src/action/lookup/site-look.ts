import { isApplianceFailure } from '../../api/index.ts';
import { isInsideAddress } from '../../auth/asking/inside.ts';
import { notAskable } from '../../auth/asking/self-service.ts';
import { currentCaller, onBehalfOf } from '../../caller.ts';
import { showDomain } from '../../handlers/language/domain.ts';
import { enumerate, person, say, strong, type Text } from '../../handlers/reply.ts';
import { gather } from '../../handlers/why/evidence.ts';
import { testInWords } from '../../handlers/why/table.ts';
import { judge, type WhyFindings } from '../../handlers/why/verdict.ts';
import { addressesOf } from '../../handlers/why/website.ts';
import { tell } from '../../handlers/why/words.ts';
import { reasonOf } from '../../handlers/wording/reason.ts';
import { addPhrase } from '../authority/ways.ts';
import type { SiteFinding, SiteRequest } from '../base/site-request.ts';
import type { Parts } from '../ground/ground.ts';
import { pendingOn } from '../target/target.ts';

/** Whether there is anything to decide about a site that somebody asks for. */
export type SiteLook =
  | { readonly kind: 'open'; readonly findings: readonly SiteFinding[] }
  /** What whoever asked is told: nothing of what was found inside. */
  | {
      readonly kind: 'over';
      readonly code: 'not_blocked' | 'not_found' | 'not_askable';
      readonly says: Text;
    }
  /** It could not be seen, or not whether the policy lets anybody ask for it. */
  | { readonly kind: 'unread'; readonly says: Text };

type LookParts = Pick<Parts, 'appliances' | 'authority' | 'commandByPhrase' | 'journal'>;

/** Looks at the site as `why` does, on each of the appliances: read anew, and through the proxy. */
export async function lookAtSite(
  parts: LookParts,
  { site, extends: allowedUntil }: Pick<SiteRequest, 'site' | 'extends'>,
  appliances: readonly string[],
): Promise<SiteLook> {
  // Many sites are looked at, each for seconds: whatever it is for, no change waits behind that.
  const caller = { ...currentCaller(), priority: 'low' } as const;
  const all = await onBehalfOf(caller, () =>
    Promise.all(appliances.map((name) => lookOn(parts, name, site))),
  );
  const findings = all.flatMap((one) => ('kind' in one ? [one] : []));
  const unread = all.flatMap((one) => ('why' in one ? [one] : []));
  const named = strong(showDomain(site));
  if (unread.length > 0) {
    const where = enumerate(unread.map(({ appliance, why }) => say`${strong(appliance)} (${why})`));
    return { kind: 'unread', says: say`whether ${named} is blocked can’t be read now on ${where}` };
  }
  if (findings.every(({ kind }) => kind === 'not_found'))
    return {
      ...{ kind: 'over', code: 'not_found' },
      says: say`${named} can’t be requested: no website of that name was found on the Internet. Check the spelling; if it is right, ask your IT support.`,
    };
  const isBlocked = findings.some(({ kind }) => kind === 'blocked' || kind === 'unknown');
  if (!isBlocked && allowedUntil === undefined)
    return {
      kind: 'over',
      code: 'not_blocked',
      says: say`${named} is not blocked, so there was nothing to decide.`,
    };
  const barred = barredBy(parts, findings);
  if (barred === undefined) return { kind: 'open', findings };
  if (barred === 'unread')
    return {
      kind: 'unread',
      says: say`${named} may be in a category whose sites can’t be requested: its categories can’t be read now`,
    };
  const which =
    barred === 'uncategorized'
      ? say`it is in no category, and only sites of some categories can be requested`
      : say`it is in category ${strong(barred.name || String(barred.id))}, whose sites can’t be requested`;
  const says = say`${named} is blocked and can’t be requested: ${which}.${await deciders(parts)}`;
  return { kind: 'over', code: 'not_askable', says };
}

async function lookOn(
  { appliances, journal }: LookParts,
  name: string,
  site: string,
): Promise<SiteFinding | { readonly appliance: string; readonly why: string }> {
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
      return isThrough && !verdict.isPending ? 'not_blocked' : 'blocked';
    case 'untested':
      return 'unknown';
    case 'not_ours':
      return isThrough ? 'not_blocked' : 'unknown';
    default:
      return 'not_blocked';
  }
}

/**
 * Why a site may not be allowed by what it is in. `unread`: the policy excludes some categories, and those of the site are not known on
 * every appliance, so that it may be in one of them.
 */
function barredBy(
  { authority }: LookParts,
  findings: readonly SiteFinding[],
): NonNullable<SiteFinding['categories']>[number] | 'uncategorized' | 'unread' | undefined {
  const policy = authority.policy().selfService;
  if (policy === undefined) return undefined;
  const { allowCategory, not } = policy;
  for (const { categories } of findings) {
    // Where it was allowed before, it is in that one, too.
    const others = categories?.filter(
      ({ id, name }) => allowCategory !== String(id) && allowCategory.toLowerCase() !== name.toLowerCase(),
    );
    const barred = others && notAskable(policy, others);
    if (barred !== undefined) return barred;
  }
  if (policy.categories === undefined && not.length === 0) return undefined;
  // A category without its name may be one that the policy names.
  const namesSome = not.some((one) => one !== 'uncategorized' && !/^[0-9]+$/.test(one));
  const isRead = ({ categories }: SiteFinding) =>
    categories !== undefined && !(namesSome && categories.some(({ name }) => name === ''));
  return findings.every(isRead) ? undefined : 'unread';
}

/** Who may allow sites, for whoever wants to talk to them. */
async function deciders({ authority, commandByPhrase }: LookParts): Promise<Text> {
  const policy = authority.policy().selfService;
  const command = commandByPhrase.get(addPhrase);
  if (policy === undefined || command === undefined) return [];
  const { channel, appliances } = policy;
  const roles = authority.rolesFor({ command, args: 'any', appliances, lasts: 'any' }, channel);
  const people = await authority.people(
    roles.map(({ role }) => role),
    channel,
  );
  if (people === 'everyone' || people.length === 0) return [];
  const named = people.slice(0, 5).map(person);
  const more = people.length - named.length;
  return say` Talk to ${enumerate(more > 0 ? [...named, `${more} more`] : named, 'or')}.`;
}
