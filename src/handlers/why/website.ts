import type { ResolverAnswer, WebsiteAnalysis } from '../../api/index.ts';

/** The result of the website tests (appliance-api.md §2.6). */
export type Reached =
  | { readonly kind: 'unknown_name' }
  /** No resolver answered, so it is unknown whether the name exists. */
  | { readonly kind: 'no_resolver'; readonly error: string }
  /** The proxy answers with a refusal, and not the site itself. `status` is its HTTP status. */
  | { readonly kind: 'denied'; readonly status: number }
  /** Reached directly, with an error through the proxy. */
  | { readonly kind: 'proxy_fails'; readonly status: number; readonly error: string }
  /** No connection. `error` is the appliance's word for it. */
  | { readonly kind: 'no_connection'; readonly error: string }
  | { readonly kind: 'no_answer'; readonly error: string }
  /** The site itself answers with an error. */
  | { readonly kind: 'site_error'; readonly status: number }
  | { readonly kind: 'fine' }
  /** Reached directly; the proxy was not tested. */
  | { readonly kind: 'fine_directly' }
  /** Reached only through the proxy, for example because only the proxy may connect to the Internet. */
  | { readonly kind: 'fine_by_proxy' }
  | { readonly kind: 'not_told' };

/** Statuses of a proxy's refusal, including 407, which asks for a login. */
const denials: ReadonlySet<number> = new Set([401, 403, 407, 451]);

export function reachedBy(test: WebsiteAnalysis): Reached {
  const { resolved, connected, direct, directStatus = 0, proxyTested, proxyFailed, proxyStatus = 0 } = test;
  const isThrough = proxyTested === true && proxyFailed !== true && proxyStatus < 400;
  const resolvers = test.proxyResolvers ?? [];
  if (resolved === false && !isThrough && resolvers.every(isWithoutAnswer)) {
    const [first] = resolvers;
    return first !== undefined && resolvers.every(isAway)
      ? { kind: 'no_resolver', error: first.error ?? '' }
      : { kind: 'unknown_name' };
  }
  // A site's own refusal has the same status without the proxy.
  if (proxyTested === true && denials.has(proxyStatus) && proxyStatus !== directStatus) {
    return { kind: 'denied', status: proxyStatus };
  }
  if (direct === true && directStatus < 400) {
    if (proxyTested !== true) return { kind: 'fine_directly' };
    if (isThrough) return { kind: 'fine' };
    return { kind: 'proxy_fails', status: proxyStatus, error: test.proxyError ?? '' };
  }
  if (isThrough) return { kind: 'fine_by_proxy' };
  if (directStatus >= 400) return { kind: 'site_error', status: directStatus };
  if (connected === false) return { kind: 'no_connection', error: test.connectError ?? '' };
  if (direct === false) return { kind: 'no_answer', error: test.directError ?? '' };
  return { kind: 'not_told' };
}

export type Resolving =
  | { readonly kind: 'not_told' }
  | { readonly kind: 'agree' }
  | { readonly kind: 'all_fail' }
  /** Some know the name and others do not. */
  | {
      readonly kind: 'disagree';
      readonly knowing: readonly ResolverAnswer[];
      readonly failing: readonly ResolverAnswer[];
    }
  /** No address in common, as is usual for sites with many locations, and for one that has just moved. */
  | { readonly kind: 'differ' };

export function resolvingOf(answers: readonly ResolverAnswer[]): Resolving {
  if (answers.length === 0) return { kind: 'not_told' };
  const failing = answers.filter(isWithoutAnswer);
  const knowing = answers.filter((answer) => !isWithoutAnswer(answer));
  if (knowing.length === 0) return { kind: 'all_fail' };
  if (failing.length > 0) return { kind: 'disagree', knowing, failing };
  const [first, ...others] = knowing;
  const known = new Set(first?.addresses);
  const overlap = others.every(({ addresses }) => addresses.some((address) => known.has(address)));
  return { kind: overlap ? 'agree' : 'differ' };
}

/** The resolver did not answer, which says nothing about the name. */
const isAway = ({ error = '' }: ResolverAnswer): boolean =>
  /time(?:d |-)?out|refused|unreachable|misbehaving|servfail|server failure|no route|temporary failure/i.test(
    error,
  );

const isWithoutAnswer = ({ success, addresses }: ResolverAnswer): boolean =>
  success === false || addresses.length === 0;

export function addressesOf({ address, proxyResolvers = [] }: WebsiteAnalysis): readonly string[] {
  const found = [address ?? '', ...proxyResolvers.flatMap(({ addresses }) => addresses)];
  return [...new Set(found.filter((one) => one !== ''))];
}
