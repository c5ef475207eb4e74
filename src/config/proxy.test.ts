import { expect, test } from 'vitest';
import type { Problem } from '../problem.ts';
import { readProxy } from './config.ts';

const read = (environment: Readonly<Record<string, string>>) => {
  const problems: Problem[] = [];
  return { proxy: readProxy(environment, problems), problems };
};

test.each([
  ['none is named', {}, undefined],
  ['it is empty', { HTTPS_PROXY: '' }, undefined],
  ['it has a port', { HTTPS_PROXY: 'http://proxy:3128' }, { address: 'proxy:3128', except: '' }],
  ['it has none', { HTTPS_PROXY: 'http://proxy.example.com' }, { address: 'proxy.example.com:80' }],
  ['it speaks TLS', { HTTPS_PROXY: 'https://proxy/' }, { address: 'proxy:443' }],
  ['it is an IPv6 address', { HTTPS_PROXY: 'http://[fd00::1]:3128' }, { address: '[fd00::1]:3128' }],
  [
    'it has a login',
    { HTTPS_PROXY: 'http://bot:p%40ss@proxy:3128' },
    { address: 'proxy:3128', url: 'http://bot:p%40ss@proxy:3128/' },
  ],
  [
    'it is named in lower case as well, which comes first',
    { HTTPS_PROXY: 'http://a:1', https_proxy: 'http://b:2', NO_PROXY: 'c', no_proxy: 'd,e' },
    { address: 'b:2', except: 'd,e' },
  ],
])('a proxy is read where %s', (_, environment, expected) => {
  const { proxy, problems } = read(environment);
  expect(problems).toEqual([]);
  if (expected === undefined) expect(proxy).toBeUndefined();
  else expect(proxy).toMatchObject(expected);
});

test.each([
  'proxy.example.com:3128',
  'proxy',
  'socks5://bot:sesame@proxy:1080',
  'http://',
  'http://bot:ses#ame@proxy:3128',
  'http://bot:1/sesame@proxy:3128',
  'http://bot:1?sesame@proxy:3128',
  'http://bot:sesame%@proxy:3128',
  'http://proxy:99999',
])('%s is a wrong setting, which is not repeated', (HTTPS_PROXY) => {
  const { proxy, problems } = read({ HTTPS_PROXY });
  expect(proxy).toBeUndefined();
  expect(problems).toEqual([
    {
      key: 'HTTPS_PROXY',
      wrong: expect.stringContaining(
        'is not the address of an HTTP proxy. Begin it with http:// or https://',
      ),
      example: 'HTTPS_PROXY=http://user:password@proxy.example.com:3128',
    },
  ]);
  expect(JSON.stringify(problems)).not.toMatch(/sesame|ses#ame/);
});
