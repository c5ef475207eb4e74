import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SimulatedAppliance, startSimulatedAppliance } from './index.ts';

let appliance: SimulatedAppliance;

beforeEach(async () => {
  appliance = await startSimulatedAppliance({ clock: () => new Date('2026-11-20T12:00:00Z') });
});

afterEach(() => appliance.close());

interface Resolved {
  dns_success: boolean;
  dns_result: string;
}

/** The caller names the parts of the answer that it checks. */
async function analyse<Reply = unknown>(domain: string): Promise<Reply> {
  return (await fetch(`${appliance.url}/analyze/website/direct/${domain}`)).json() as Promise<Reply>;
}

test('most websites are reached, directly and through the proxy', async () => {
  const dns_result = '203.0.113.52, 2001:db8:431d::b27';
  const addresses = { dns_success: true, dns_error: '', dns_result };
  expect(await analyse('example.com')).toEqual({
    domain_test: true,
    domain_record: '203.0.113.52',
    telnet: true,
    telnet_error: '',
    proto: 'https',
    port: 443,
    domain: 'example.com',
    query_url: 'https://example.com/',
    direct_http: true,
    direct_http_error: '',
    direct_http_err_code: 200,
    direct_http_response_headers: expect.arrayContaining(['Date: Fri, 20 Nov 2026 12:00:00 GMT']),
    proxy_enable: true,
    proxy_url: 'http://127.0.0.1:3128',
    proxy_error: false,
    proxy_error_str: '',
    proxy_response_headers: expect.arrayContaining(['Via: 1.1 proxy.northwind.example']),
    proxy_response_code: 200,
    proxy_dns: [
      { dnsname: '127.0.0.1', ...addresses },
      { dnsname: '10.20.4.11', ...addresses },
      { dnsname: '10.20.4.12', ...addresses },
    ],
  });
});

test.each([
  // domain, name known, connected, direct, code, proxy failed, its code
  ['misspelt-supplier.example', false, false, false, 0, true, 503],
  ['no.such.invalid', false, false, false, 0, true, 503],
  ['closed-port.example', true, false, false, 0, true, 503],
  ['switched-off.example', true, false, false, 0, true, 503],
  ['overloaded.example', true, true, false, 0, true, 504],
  ['members-only.example', true, true, false, 403, true, 403],
  ['www.live-betting.example', true, true, true, 200, true, 403],
  ['just-moved.example', true, true, true, 200, false, 200],
])('%s ends always the same, and each failed test says why', async (...row) => {
  const [domain, domain_test, telnet, direct_http, direct_http_err_code, proxy_error, proxy_response_code] =
    row;
  const text = (failed: boolean) => (failed ? expect.stringMatching(/\w{3}/) : '');
  expect(await analyse(domain)).toMatchObject({
    domain_test,
    telnet,
    telnet_error: text(!telnet),
    direct_http,
    direct_http_error: text(!direct_http),
    direct_http_err_code,
    proxy_error,
    proxy_error_str: text(proxy_error),
    proxy_response_code,
  });
});

test('an unknown name has no address anywhere', async () => {
  const { proxy_dns, ...rest } = await analyse<{ proxy_dns: object[] }>('misspelt-supplier.example');
  expect(rest).toMatchObject({ domain_record: '', direct_http_response_headers: [] });
  expect(proxy_dns).toHaveLength(3);
  for (const one of proxy_dns)
    expect(one).toMatchObject({ dns_success: false, dns_error: 'NXDOMAIN', dns_result: '' });
});

test('for a website that has just moved, the resolvers disagree', async () => {
  const { proxy_dns } = await analyse<{ proxy_dns: Resolved[] }>('just-moved.example');
  expect(proxy_dns.map(({ dns_success }) => dns_success)).toEqual([true, true, false]);
  expect(proxy_dns[0]?.dns_result).not.toBe(proxy_dns[1]?.dns_result);
});

test.each([
  [
    'example.com:443',
    { domain: 'example.com', port: 443, proto: 'https', query_url: 'https://example.com/' },
  ],
  ['example.com:80', { port: 80, proto: 'http', query_url: 'http://example.com/' }],
  ['Example.com%3A8080', { domain: 'example.com', port: 8080, query_url: 'http://example.com:8080/' }],
  ['10.20.4.11:8443', { domain_record: '10.20.4.11', proto: 'https', query_url: 'https://10.20.4.11:8443/' }],
])('%s is a host and its port', async (domain, parts) => {
  expect(await analyse(domain)).toMatchObject(parts);
});

test.each(['nonsense', 'example.com:0', 'example.com:70000', 'example.com:', 'a%20b.example'])(
  '%s is no host name with or without a port',
  async (domain) => {
    const reason = expect.stringContaining('is not a host name');
    expect(await analyse(domain)).toEqual({ Status: false, Error: reason, Info: '' });
  },
);

test('the proxy blocks a site of a blocked category as soon as it is live there, and not before', async () => {
  const blocked = async () => (await analyse<{ proxy_error: boolean }>('www.win-a-car.example')).proxy_error;
  await fetch(`${appliance.url}/categories/208/win-a-car.example`);
  expect(await blocked()).toBe(false);
  await fetch(`${appliance.url}/categories/208/compile`);
  await fetch(`${appliance.url}/webfilter/rules/compile`);
  expect(await blocked()).toBe(true);
});

test('without a local proxy, no test is made through it', async () => {
  appliance.state.analysis.proxyUrl = undefined;
  expect(await analyse('live-betting.example')).toMatchObject({
    proxy_enable: false,
    proxy_url: '',
    proxy_error: false,
    proxy_response_code: 0,
    proxy_response_headers: [],
  });
});
