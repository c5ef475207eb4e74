import { isIP } from 'node:net';
import type { Category } from '../../api/index.ts';
import { type Evidence, isWhole, unaskedOf } from './evidence.ts';
import { type Matching, matchesOf, type RecordMatch, type SslMatch, sslMatchesOf } from './matching.ts';
import { addressesOf, type Reached, type Resolving, reachedBy, resolvingOf } from './website.ts';

/** The conclusion of the evidence. `words.ts` has the sentences. */
export type Verdict =
  /** The proxy refuses the site, for this reason as far as the evidence shows. */
  | { readonly kind: 'blocked'; readonly status: number; readonly by: Blocker }
  /** The proxy requires a login, and the test had none. */
  | { readonly kind: 'asks_who' }
  /** The DNS firewall acts on one of its categories, but the proxy's test shows no refusal. */
  | {
      readonly kind: 'dns_firewall';
      readonly categories: readonly Category[];
      readonly isPending: boolean;
      /** The tests reached the site. */
      readonly isReached: boolean;
    }
  | { readonly kind: 'unknown_name' }
  /** Its DNS servers did not answer. */
  | { readonly kind: 'no_resolver'; readonly error: string }
  | { readonly kind: 'dns_disagrees'; readonly knowing: number; readonly failing: number }
  | {
      readonly kind: 'proxy_fails';
      readonly status: number;
      readonly error: string;
      /** Undefined if that could not be read. */
      readonly decoding: readonly SslMatch[] | undefined;
    }
  | { readonly kind: 'site_down'; readonly how: 'no_connection' | 'no_answer'; readonly error: string }
  | { readonly kind: 'site_error'; readonly status: number }
  /** The tests found no obstacle. */
  | { readonly kind: 'not_ours'; readonly how: 'both' | 'directly' | 'by_proxy' }
  /** There was no test, or an inconclusive one. */
  | { readonly kind: 'untested'; readonly by: Blocker };

/** The cause of a refusal. The fields of §2.3 do not include the action of a rule. */
export type Blocker =
  | { readonly kind: 'categories'; readonly categories: readonly Category[] }
  | { readonly kind: 'rules'; readonly matches: readonly RecordMatch[] }
  /** It is in these categories, which may be blocked. */
  | { readonly kind: 'perhaps'; readonly categories: readonly Category[] }
  /** `unasked`: failed sources that might have shown it. */
  | { readonly kind: 'unknown'; readonly unasked: readonly string[] };

/** Intermediate results, for the evidence below the verdict. */
export interface WhyFindings {
  readonly verdict: Verdict;
  readonly reached: Reached | undefined;
  readonly resolving: Resolving;
  readonly matching: Matching;
  readonly ssl: readonly SslMatch[];
}

export async function judge(evidence: Evidence): Promise<WhyFindings> {
  const { domain, objects, sslRules, website } = evidence;
  const found = website.ok ? addressesOf(website.value) : [];
  const addresses = isIP(domain) === 0 ? found : [domain];
  const matching = objects.ok
    ? await matchesOf(objects.value, domain, addresses)
    : { matches: [], untried: [] };
  const ssl = sslRules.ok ? sslMatchesOf(sslRules.value, matching.matches) : [];
  const reached = website.ok ? reachedBy(website.value) : undefined;
  const resolving = resolvingOf(website.ok ? (website.value.proxyResolvers ?? []) : []);
  const seen = { reached, resolving, matching, ssl };
  return { ...seen, verdict: verdictOn(evidence, seen) };
}

function verdictOn(evidence: Evidence, seen: Omit<WhyFindings, 'verdict'>): Verdict {
  const { reached, resolving, ssl } = seen;
  if (reached?.kind === 'denied') {
    return reached.status === 407
      ? { kind: 'asks_who' }
      : { kind: 'blocked', status: reached.status, by: blockerIn(evidence, seen) };
  }
  const walled = categoriesOf(evidence).filter(({ rpz }) => rpz?.enabled === true);
  if (walled.length > 0) {
    const isReached = reached?.kind.startsWith('fine') === true;
    // The pending compile may concern another site of the category, so only a site that is still reached is
    // affected.
    const isPending =
      isReached &&
      evidence.pending.some(
        ({ what }) => what === 'filter' || walled.some(({ id }) => what === `category:${id}`),
      );
    return { kind: 'dns_firewall', categories: walled, isPending, isReached };
  }
  if (reached === undefined || reached.kind === 'not_told') {
    return { kind: 'untested', by: blockerIn(evidence, seen) };
  }
  if (reached.kind === 'unknown_name' || reached.kind === 'no_resolver') return reached;
  if (resolving.kind === 'disagree') {
    return {
      kind: 'dns_disagrees',
      knowing: resolving.knowing.length,
      failing: resolving.failing.length,
    };
  }
  switch (reached.kind) {
    case 'proxy_fails':
      return {
        ...reached,
        decoding:
          isWhole(evidence, 'sslRules') && isWhole(evidence, 'objects')
            ? ssl.filter(({ isOn, rule }) => isOn && rule.decodes === true)
            : undefined,
      };
    case 'no_connection':
    case 'no_answer':
      return { kind: 'site_down', how: reached.kind, error: reached.error };
    case 'site_error':
      return reached;
    case 'fine':
      return { kind: 'not_ours', how: 'both' };
    case 'fine_directly':
      return { kind: 'not_ours', how: 'directly' };
    case 'fine_by_proxy':
      return { kind: 'not_ours', how: 'by_proxy' };
  }
}

function blockerIn(evidence: Evidence, { matching }: Pick<WhyFindings, 'matching'>): Blocker {
  const categories = categoriesOf(evidence);
  const walled = categories.filter(({ rpz }) => rpz?.enabled === true);
  if (walled.length > 0) return { kind: 'categories', categories: walled };
  const matches = matching.matches.filter(
    ({ isOn, rules, how }) => isOn && rules.length > 0 && how !== 'some_pages',
  );
  if (matches.length > 0) return { kind: 'rules', matches };
  if (categories.length > 0) return { kind: 'perhaps', categories };
  return { kind: 'unknown', unasked: unaskedOf(evidence, ['categories', 'objects']) };
}

const categoriesOf = ({ categories }: Evidence): readonly Category[] =>
  categories.ok ? categories.value.categories : [];
