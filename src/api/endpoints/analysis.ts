import { area } from '../endpoint.ts';
import { Misfit } from '../reading/bounds.ts';
import { Refusal, type ReplyReader } from '../reading/reply-reader.ts';
import {
  amount,
  component,
  integer,
  lines,
  list,
  mapped,
  optional,
  record,
  text,
  truth,
  type Unread,
  type ValueOf,
} from '../reading/shape.ts';
import { website } from './host.ts';

/**
 * The result of testing a website (appliance-api.md §2.6). A failed test is part of the result, and no error
 * (§7.6).
 */
export type WebsiteAnalysis = ValueOf<typeof result>;

/** The answer of one resolver of the proxy about the website's name. */
export interface ResolverAnswer extends Unread {
  /** Absent if the appliance does not name it. */
  readonly resolver?: string;
  readonly success?: boolean;
  readonly error?: string;
  /** IPv4 and IPv6; empty if the resolver found none. */
  readonly addresses: readonly string[];
}

const resolverAnswer = mapped(
  component(
    'ResolverAnswer',
    'The answer of one resolver of the proxy for the name of the website (§2.6).',
    record({
      resolver: optional('dnsname', text, 'The resolver.'),
      success: optional('dns_success', truth, 'Whether it answered.'),
      error: optional('dns_error', text, 'Why it did not.'),
      found: optional('dns_result', text, 'IPv4 and IPv6 addresses, with a comma and a space between two.'),
    }),
  ),
  ({ found = '', ...others }): ResolverAnswer => ({
    ...others,
    addresses: found.split(/[\s,]+/).filter((address) => address !== ''),
  }),
);

const headers = {
  ...lines,
  wire: {
    type: 'array',
    items: { type: 'string', description: 'A header as `Name: value`.' },
  },
};

const result = component(
  'WebsiteAnalysis',
  'The result of testing a website (§2.6). A failed test is reported here and is not an error (§7.6).',
  record({
    domain: optional('domain', text, 'The host name.'),
    port: optional('port', amount('port'), 'The TCP port.'),
    protocol: optional('proto', text, '`http` or `https`.'),
    url: optional('query_url', text, 'The URL that was requested.'),
    resolved: optional('domain_test', truth, 'Whether the name was resolved.'),
    address: optional('domain_record', text, 'The address that the name was resolved to.'),
    connected: optional('telnet', truth, 'Whether a TCP connection was established.'),
    connectError: optional('telnet_error', text, 'Why no TCP connection was established.'),
    direct: optional('direct_http', truth, 'Whether the site answered a direct request.'),
    directError: optional('direct_http_error', text, 'Why the direct request failed.'),
    directStatus: optional('direct_http_err_code', integer, 'The HTTP status of the direct request.'),
    directHeaders: optional(
      'direct_http_response_headers',
      headers,
      'The headers that the direct request was answered with.',
    ),
    proxyTested: optional('proxy_enable', truth, 'Whether a test through the proxy was run.'),
    proxyUrl: optional('proxy_url', text, 'The local proxy that was used.'),
    proxyFailed: optional('proxy_error', truth, 'Whether the test through the proxy failed.'),
    proxyError: optional('proxy_error_str', text, 'Why it failed.'),
    proxyStatus: optional('proxy_response_code', integer, 'The HTTP status through the proxy.'),
    proxyHeaders: optional('proxy_response_headers', headers, 'The headers of the answer through the proxy.'),
    proxyResolvers: optional('proxy_dns', list(resolverAnswer), 'The answer of each resolver of the proxy.'),
  }),
);

/**
 * If no test has a verdict, the website was not tested, and a Status false is a refusal (§7.2). Beside a
 * verdict it only repeats that a test failed (§7.6).
 */
const websiteAnalysis: ReplyReader<WebsiteAnalysis> = {
  read({ body, status }) {
    const found = result.read(body);
    const verdicts = [found.resolved, found.connected, found.direct, found.proxyTested];
    if (verdicts.some((verdict) => verdict !== undefined)) return found;
    throw status === false ? new Refusal() : new Misfit('', 'contains no test result');
  },
  wire: result.wire,
};

const endpoint = area({ section: '§4.4', availableFrom: '4.50 SP1, or 4.50 hotfix 20240914-17' });

export const analysis = {
  website: endpoint('GET /analyze/website/direct/{domain}', {
    summary: 'Tests a website: its name, a TCP connection, a direct request, and one through the proxy.',
    effect: 'read',
    slow: true,
    slots: {
      domain: website.describe(
        'A full host name such as www.example.com, or one and a port with a colon between: www.example.com:8443.',
      ),
    },
    falseIsAnswer: true,
    reply: websiteAnalysis,
  }),
};
