import { area } from '../endpoint.ts';
import { Refusal, type ReplyReader } from '../reading/reply.ts';
import {
  integer,
  lines,
  list,
  Misfit,
  mapped,
  optional,
  record,
  required,
  text,
  truth,
  type ValueOf,
} from '../reading/shape.ts';
import { website } from './host.ts';

/** What a test of a website found (appliance-api.md §2.6). A test that failed says so here; it is no error (§7.6). */
export type WebsiteAnalysis = ValueOf<typeof result>;

/** What one resolver of the proxy said about the website's name. */
export interface ResolverAnswer {
  /** The resolver. */
  readonly resolver: string;
  readonly success?: boolean;
  readonly error?: string;
  /** IPv4 and IPv6; none when the resolver found none. */
  readonly addresses: readonly string[];
}

const resolverAnswer = mapped(
  record({
    resolver: required('dnsname', text),
    success: optional('dns_success', truth),
    error: optional('dns_error', text),
    /** One text, with a comma and a space between two addresses. */
    found: optional('dns_result', text),
  }),
  ({ found = '', ...others }): ResolverAnswer => ({
    ...others,
    addresses: found.split(/[\s,]+/).filter((address) => address !== ''),
  }),
);

/** Each line `Name: value`. */
const headers = { ...lines, wire: { type: 'array', items: { type: 'string' } } };

const result = record({
  domain: optional('domain', text),
  port: optional('port', integer),
  /** `http` or `https`. */
  protocol: optional('proto', text),
  url: optional('query_url', text),
  /** Whether the name was resolved, and to which address. */
  resolved: optional('domain_test', truth),
  address: optional('domain_record', text),
  /** Whether a TCP connection stood. */
  connected: optional('telnet', truth),
  connectError: optional('telnet_error', text),
  /** Whether the site answered a direct request. */
  direct: optional('direct_http', truth),
  directError: optional('direct_http_error', text),
  /** The HTTP status. */
  directStatus: optional('direct_http_err_code', integer),
  directHeaders: optional('direct_http_response_headers', headers),
  /** Whether there was a test through the proxy. */
  proxyTested: optional('proxy_enable', truth),
  proxyUrl: optional('proxy_url', text),
  proxyFailed: optional('proxy_error', truth),
  proxyError: optional('proxy_error_str', text),
  /** The HTTP status. */
  proxyStatus: optional('proxy_response_code', integer),
  proxyHeaders: optional('proxy_response_headers', headers),
  proxyResolvers: optional('proxy_dns', list(resolverAnswer)),
});

/**
 * Without the verdict of any test, the website was not tested. A Status false is then a refusal (§7.2); beside a
 * verdict it only repeats that a test failed (§7.6).
 */
const websiteAnalysis: ReplyReader<WebsiteAnalysis> = {
  read({ body, status }) {
    const found = result.read(body);
    const verdicts = [found.resolved, found.connected, found.direct, found.proxyTested];
    if (verdicts.some((verdict) => verdict !== undefined)) return found;
    throw status === false ? new Refusal() : new Misfit('', 'has the result of no test');
  },
  wire: result.wire,
};

const endpoint = area({ section: '§4.4', availableFrom: '4.50 SP1, or 4.50 hotfix 20240914-17' });

/** How the appliance itself reaches a website. */
export const analysis = {
  website: endpoint('GET /analyze/website/direct/{domain}', {
    summary: 'Tests a website: its name, a TCP connection, a direct request, and one through the proxy.',
    effect: 'read',
    slow: true,
    slots: { domain: website },
    falseIsAnswer: true,
    reply: websiteAnalysis,
  }),
};
