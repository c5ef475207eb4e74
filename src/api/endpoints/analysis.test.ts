import type nock from 'nock';
import { expect, test } from 'vitest';
import { onlyNockAnswers } from '../../../test/nock.ts';
import { answers, appliance } from './testing.ts';

onlyNockAnswers();

const documented = {
  domain_test: true,
  domain_record: '93.184.216.34',
  telnet: true,
  telnet_error: '',
  proto: 'https',
  port: 443,
  domain: 'www.example.com',
  query_url: 'https://www.example.com:443',
  direct_http: true,
  direct_http_error: '',
  direct_http_err_code: 200,
  direct_http_response_headers: ['Content-Type: text/html', 'Server: example'],
  proxy_enable: true,
  proxy_url: 'http://127.0.0.1:3128',
  proxy_error: true,
  proxy_error_str: 'access denied',
  proxy_response_headers: ['X-Cache: MISS'],
  proxy_response_code: 403,
  proxy_dns: [
    {
      dnsname: '10.20.0.53',
      dns_success: true,
      dns_error: '',
      dns_result: '93.184.216.34, 2606:2800:220:1::1',
    },
    { dnsname: '10.20.0.54', dns_success: false, dns_error: 'timed out', dns_result: '' },
  ],
};

test('every documented field of an analysis is typed', async () => {
  answers('/analyze/website/direct/www.example.com', documented);
  expect(await appliance.analysis.website({ domain: 'www.example.com' })).toEqual({
    domain: 'www.example.com',
    port: 443,
    protocol: 'https',
    url: 'https://www.example.com:443',
    resolved: true,
    address: '93.184.216.34',
    connected: true,
    direct: true,
    directStatus: 200,
    directHeaders: ['Content-Type: text/html', 'Server: example'],
    proxyTested: true,
    proxyUrl: 'http://127.0.0.1:3128',
    proxyFailed: true,
    proxyError: 'access denied',
    proxyStatus: 403,
    proxyHeaders: ['X-Cache: MISS'],
    proxyResolvers: [
      { resolver: '10.20.0.53', success: true, addresses: ['93.184.216.34', '2606:2800:220:1::1'] },
      { resolver: '10.20.0.54', success: false, error: 'timed out', addresses: [] },
    ],
  });
});

test.each([
  { domain_test: false, telnet: false, telnet_error: 'no route' },
  { Domain_Test: 'False', TELNET: 0, telnet_error: 'no route', proxy_url: null },
  { Status: false, Error: 'no route', domain_test: false, telnet: false, telnet_error: 'no route' },
])('failed tests are a result and not an error: %j', async (body) => {
  answers('/analyze/website/direct/www.example.com', body);
  expect(await appliance.analysis.website({ domain: 'www.example.com' })).toEqual({
    resolved: false,
    connected: false,
    connectError: 'no route',
  });
});

test('an analysis that did not run is a refusal', async () => {
  answers('/analyze/website/direct/www.example.com', {
    Status: false,
    Error: 'not licensed',
    domain: 'www.example.com',
  });
  await expect(appliance.analysis.website({ domain: 'www.example.com' })).rejects.toMatchObject({
    code: 'refused',
    reason: 'not licensed',
  });
});

test.each<[nock.Body]>([[{ Status: true, domain: 'www.example.com' }], [{ domain_test: 'perhaps' }]])(
  '%j is no result',
  async (body) => {
    answers('/analyze/website/direct/www.example.com', body);
    await expect(appliance.analysis.website({ domain: 'www.example.com' })).rejects.toMatchObject({
      code: 'unexpected_reply',
      at: '',
    });
  },
);

test.each(['www.example.com:8443', 'xn--bcher-kva.example', '93.184.216.34', '93.184.216.34:80'])(
  '%s goes into the path as it is',
  async (domain) => {
    answers(`/analyze/website/direct/${domain}`, documented);
    await expect(appliance.analysis.website({ domain })).resolves.toMatchObject({ resolved: true });
  },
);

test.each([
  'localhost',
  'https://www.example.com',
  'www.example.com/login',
  'www.example.com:0',
  'www.example.com:65536',
  'www.example.com:80:90',
  'www.example.com:',
  'www.example.com.',
  'www..com',
  '-www.example.com',
  '10.20.0.300',
  'bücher.example',
  '::1',
  '',
])('%j is not a full host name, with or without a port', async (domain) => {
  await expect(appliance.analysis.website({ domain })).rejects.toMatchObject({
    code: 'bad_argument',
    argument: 'domain',
    sent: 'no',
  });
});
