import type { ResolverAnswer, WebsiteAnalysis } from '../../api/index.ts';

/** How the tests of a website ended (appliance-api.md §2.6), in the one word that decides. */
export type Reached =
  /** No resolver knows the name. */
  | { readonly kind: 'unknown_name' }
  /** No resolver could be asked for the name, so nobody knows whether there is one. */
  | { readonly kind: 'no_resolver'; readonly error: string }
  /** Through the proxy the answer is a refusal, and not one of the site's own. `status` is its HTTP status. */
  | { readonly kind: 'denied'; readonly status: number }
  /** Reached directly; through the proxy there is an error. */
  | { readonly kind: 'proxy_fails'; readonly status: number; readonly error: string }
  /** No connection. `error` is the appliance's word for it. */
  | { readonly kind: 'no_connection'; readonly error: string }
  /** A connection, and then no answer. */
  | { readonly kind: 'no_answer'; readonly error: string }
  /** The site answers with an error of its own. */
  | { readonly kind: 'site_error'; readonly status: number }
  /** Reached in both ways. */
  | { readonly kind: 'fine' }
  /** Reached directly, and there was no test through the proxy. */
  | { readonly kind: 'fine_directly' }
  /** Reached through the proxy alone, as where only the proxy may go out. */
  | { readonly kind: 'fine_by_proxy' }
  /** The tests that were made do not tell. */
  | { readonly kind: 'not_told' };

/** The statuses by which a proxy says that it does not want to: also 407, when it asks who is there. */
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
  // A site's own refusal looks the same without the proxy.
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

/** What the proxy's resolvers say, held against each other. */
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
  /** No address in common, as is usual for sites that are served from many places, and for one that has just moved. */
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

/** Not that there is no such name, but that the resolver did not answer. */
const isAway = ({ error = '' }: ResolverAnswer): boolean =>
  /time(?:d |-)?out|refused|unreachable|misbehaving|servfail|server failure|no route|temporary failure/i.test(
    error,
  );

const isWithoutAnswer = ({ success, addresses }: ResolverAnswer): boolean =>
  success === false || addresses.length === 0;

/** Every address that anybody has found for the name. */
export function addressesOf({ address, proxyResolvers = [] }: WebsiteAnalysis): readonly string[] {
  const found = [address ?? '', ...proxyResolvers.flatMap(({ addresses }) => addresses)];
  return [...new Set(found.filter((one) => one !== ''))];
}
