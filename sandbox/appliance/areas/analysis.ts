import { refused } from '../envelope.ts';
import type { Area } from '../route.ts';
import type { State } from '../state.ts';
import { connections, type Ending } from './analysis/connections.ts';
import { addressesOf, answersOf } from './analysis/names.ts';
import { asSite, coverOf } from './categories/sites.ts';

/** Website analysis: appliance-api.md §4.4. The answers are derived from the name, without any network. */
export const analysis: Area = {
  routes: [
    {
      method: 'GET',
      path: '/analyze/website/direct/{domain}',
      answer({ state, slots, now }) {
        const asked = slots.get('domain');
        const target = targetOf(asked);
        if (target === undefined) {
          return refused(`${asked} is not a host name, with or without a port`);
        }
        const { domain, port } = target;
        const { proxyUrl, resolvers } = state.analysis;
        const ending = endingOf(domain, state);
        const known = ending !== 'unknown_name';
        const { connected, direct, proxied } = connections(ending, now);
        const proto = port === 443 || port === 8443 ? 'https' : 'http';
        const usual = port === (proto === 'https' ? 443 : 80);
        const through = proxyUrl === undefined ? undefined : proxied;

        // §2.6 lists every field of this answer; an envelope is not among them.
        return {
          domain_test: known,
          domain_record: known ? (addressesOf(domain)[0] ?? '') : '',
          telnet: connected === '',
          telnet_error: connected,
          proto,
          port,
          domain,
          query_url: `${proto}://${domain}${usual ? '' : `:${port}`}/`,
          direct_http: direct.error === '',
          direct_http_error: direct.error,
          direct_http_err_code: direct.code,
          direct_http_response_headers: direct.headers,
          proxy_enable: through !== undefined,
          proxy_url: proxyUrl ?? '',
          proxy_error: through !== undefined && through.error !== '',
          proxy_error_str: through?.error ?? '',
          proxy_response_headers: through?.headers ?? [],
          proxy_response_code: through?.code ?? 0,
          proxy_dns: answersOf(domain, ending, resolvers),
        };
      },
    },
  ],
};

/** A host name or an IPv4 address, with or without a port; undefined when it is neither. */
function targetOf(text: string): { domain: string; port: number } | undefined {
  const [, host = '', digits = '443'] = /^([^:]+)(?::(\d{1,5}))?$/.exec(text.trim()) ?? [];
  const domain = asSite(host);
  const port = Number(digits);
  return domain === undefined || port < 1 || port > 65_535 ? undefined : { domain, port };
}

/** Its rule stands before those that block. */
const allowed = 'personal_allowed';

/**
 * How the tests of a domain end. The proxy blocks the live sites of forbidden categories, and lets through those of the
 * allowed one.
 */
function endingOf(domain: string, { analysis, categories }: State): Ending {
  if (domain.endsWith('.invalid')) return 'unknown_name';
  const names = coverOf(domain);
  const name = names.find((one) => analysis.troubles.has(one));
  const trouble = name === undefined ? undefined : analysis.troubles.get(name);
  const isLive = (live: ReadonlySet<string>) => names.some((one) => live.has(one));
  const all = [...categories.all.values()];
  const isAllowed = all.some(({ name: called, live }) => called === allowed && isLive(live));
  if (trouble !== undefined && !(trouble === 'proxy_denies' && isAllowed)) return trouble;
  const blocked = all.some(({ rpz, live }) => rpz.enabled && isLive(live));
  return blocked && !isAllowed ? 'proxy_denies' : 'reached';
}
