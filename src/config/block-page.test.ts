import { expect, test } from 'vitest';
import type { Problem } from '../problem.ts';
import { readBlockPage } from './block-page.ts';
import type { Environment } from './secret.ts';

const secret = '0123456789abcdef0123456789abcdef';
const good = {
  BLOCK_PAGE_PORT: '8080',
  BLOCK_PAGE_URL: 'https://ask.example.com',
  BLOCK_PAGE_SECRET: secret,
};

function read(environment: Environment) {
  const problems: Problem[] = [];
  return { settings: readBlockPage(environment, problems), problems };
}

test('the block page is off unless a port is named', () => {
  expect(read({})).toEqual({ settings: undefined, problems: [] });
  expect(read({ ...good, BLOCK_PAGE_PORT: '' })).toEqual({ settings: undefined, problems: [] });
});

test('the block page listens on this machine only, and trusts nobody about addresses by default', () => {
  const { settings } = read(good);
  expect(settings).toMatchObject({ port: 8_080, host: '127.0.0.1', secrets: [secret] });
  expect(settings?.trustedProxies.check('127.0.0.1')).toBe(false);
  const more = read({
    ...good,
    BLOCK_PAGE_HOST: '10.20.0.9',
    BLOCK_PAGE_TRUSTED_PROXIES: '10.20.0.2',
    BLOCK_PAGE_PREVIOUS_SECRET: `${secret}-before`,
  });
  expect(more.settings).toMatchObject({ host: '10.20.0.9', secrets: [secret, `${secret}-before`] });
  expect(more.settings?.trustedProxies.check('10.20.0.2')).toBe(true);
});

test.each([
  ['BLOCK_PAGE_PORT', { BLOCK_PAGE_PORT: 'hush' }, /^is not a port number/],
  ['BLOCK_PAGE_PORT', { BLOCK_PAGE_PORT: '70000' }, /^is not a port number/],
  ['BLOCK_PAGE_URL', { BLOCK_PAGE_URL: '' }, /^is not set/],
  ['BLOCK_PAGE_URL', { BLOCK_PAGE_URL: 'hush.example' }, /^is not an address/],
  ['BLOCK_PAGE_URL', { BLOCK_PAGE_URL: 'ftp://hush.example' }, /^is not an address/],
  ['BLOCK_PAGE_URL', { BLOCK_PAGE_URL: 'https://hush.example/ask' }, /^is not an address/],
  ['BLOCK_PAGE_URL', { BLOCK_PAGE_URL: 'https://a:hush@example.com' }, /^is not an address/],
  ['BLOCK_PAGE_SECRET', { BLOCK_PAGE_SECRET: '' }, /^is not set/],
  ['BLOCK_PAGE_SECRET', { BLOCK_PAGE_SECRET: 'hush' }, /^is too short/],
  ['BLOCK_PAGE_PREVIOUS_SECRET', { BLOCK_PAGE_PREVIOUS_SECRET: 'hush' }, /^is too short/],
  ['BLOCK_PAGE_TRUSTED_PROXIES', { BLOCK_PAGE_TRUSTED_PROXIES: 'hush.example' }, /^is not a list/],
])('a wrong %s is named, and not repeated', (key, environment, wrong) => {
  const { settings, problems } = read({ ...good, ...environment });
  expect(settings).toBeUndefined();
  expect(problems).toMatchObject([{ key, wrong: expect.stringMatching(wrong) }]);
  expect(JSON.stringify(problems)).not.toContain('hush');
});
