import { isIPv6 } from 'node:net';
import { type Argument, readSiteWord } from '../argument.ts';
import { lookup } from '../declare.ts';
import { readSite, showDomain } from '../language/domain.ts';
import { code, type Field, fieldList, type Part, paragraph, say, strong, type Text } from '../reply.ts';
import { directly, resolversTable, throughProxy } from './table.ts';
import { type Reached, reachedBy } from './website.ts';

/** A host, or a host and a port (appliance-api.md §4.4); a URL's port counts too. */
const website: Argument<string> = {
  what: 'a website',
  example: 'example.com',
  recognisable: true,
  holdsSites: true,
  read: (word) => {
    const found = readSiteWord(word);
    if (!found.ok) return found;
    const host = found.value;
    if (isIPv6(host))
      return { ok: false, problem: { code: 'malformed', wanted: 'a host name or an IPv4 address' } };
    // A wrapping address's port is not its target's.
    const read = readSite(word);
    const own = read?.kind === 'site' && read.from !== undefined ? host : word;
    const typed = /^(?:[a-z*]+:\/\/)?[^/?#]*?:(\d{1,5})(?:[/?#]|$)/i.exec(own)?.[1];
    const port = Number(typed ?? (/^h[tx*]{2}p:\/\//i.test(own) ? 80 : 0));
    if (port > 65_535 || typed?.replace(/^0+/, '') === '') {
      return {
        ok: false,
        problem: { code: 'malformed', wanted: 'a host, or a host and a port up to 65535' },
      };
    }
    return { ok: true, value: port === 0 ? host : `${host}:${port}` };
  },
};

export const analyze = lookup({
  phrase: 'analyze <website>',
  says: `
    test <website> / does <website> work through the proxy / is <website> reachable /
    can the proxy reach <website> / check connection to <website> / connectivity test <website> /
    curl <website> / is <website> down / check <website> / does <website> resolve /
    tls handshake of <website> / <website> is slow / users complain that <website> is slow /
    <website> times out / cannot connect to <website> / does <website> load from the appliance /
    how fast does <website> answer / certificate of <website> / is the certificate of <website> valid /
    is it us or is <website> down / is <website> up / <website> down for everybody / is <website> online /
    trace <website> / diagnose <website> / what is the ip of <website> / what else does <website> load /
    which other domains does <website> need / <website> loads without css / page <website> looks broken /
    half of <website> is missing / <website> looks half broken / pictures on <website> are missing /
    which domains belong to <website> / resolve <domain> / what does <domain> resolve to / ip of <domain> /
    lookup <domain> / which address has <domain> / nslookup <domain> / dig <domain>
  `,
  also: ['analyse <website>', 'website analyze <website>'],
  args: { website },
  summary: 'Test a website from the appliance: DNS, direct connection, proxy',
  example: 'analyze example.com',
  answer: async ({ appliance, args }) => {
    const test = await appliance.analysis.website({ domain: args.website });
    const [host = '', port] = args.website.split(':');
    const where = strong(`${showDomain(host)}${port === undefined ? '' : `:${port}`}`);
    const fields: readonly Field[] = [
      { name: 'Tested', value: test.url ? say`${code(test.url)}` : say`not reported` },
      { name: 'Directly', value: directly(test) },
      { name: 'Through the proxy', value: throughProxy(test) },
      ...(test.proxyUrl ? [{ name: 'Proxy', value: say`${code(test.proxyUrl)}` }] : []),
    ];
    return {
      headline: say`${where} ${ending(reachedBy(test))}`,
      details: [
        fieldList(fields),
        ...resolversTable({ ok: true, value: test }),
        ...headers('Response headers, direct', test.directHeaders),
        ...headers('Response headers through the proxy', test.proxyHeaders),
        paragraph`${code(`/appliance why ${host}`)} also checks categories and rules.`,
      ],
    };
  },
});

function ending(reached: Reached): Text {
  switch (reached.kind) {
    case 'unknown_name':
      return say`does not resolve on any DNS server`;
    case 'no_resolver':
      return say`could not be looked up: no DNS server gave an answer`;
    case 'denied':
      return say`is reachable directly, but refused by the proxy (HTTP ${reached.status})`;
    case 'proxy_fails':
      return say`is reachable directly, but fails through the proxy${reached.status === 0 ? '' : ` (HTTP ${reached.status})`}`;
    case 'no_connection':
      return say`does not accept connections`;
    case 'no_answer':
      return say`accepts the connection but does not answer`;
    case 'site_error':
      return say`answers with an error (HTTP ${reached.status})`;
    case 'fine':
      return say`is reachable, directly and through the proxy`;
    case 'fine_directly':
      return say`is reachable directly; the proxy was not tested`;
    case 'fine_by_proxy':
      return say`is reachable through the proxy, but not directly`;
    case 'not_told':
      return say`was tested, but the appliance does not report the result`;
  }
}

function headers(name: string, lines: readonly string[] | undefined): readonly Part[] {
  return lines === undefined || lines.length === 0
    ? []
    : [paragraph`${name}`, { kind: 'log', name: 'headers.txt', text: lines.join('\n') }];
}
