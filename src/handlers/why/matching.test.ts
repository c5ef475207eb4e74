import { describe, expect, onTestFinished, test } from 'vitest';
import type { AclObject } from '../../api/index.ts';
import { matchesOf, sslMatchesOf } from './matching.ts';

let lastId = 0;
const object = (
  type: string | undefined,
  patterns: readonly string[],
  more: Partial<AclObject> = {},
): AclObject => ({
  id: 7,
  name: 'some',
  ...(type === undefined ? {} : { type }),
  enabled: true,
  items: patterns.map((pattern) => {
    lastId += 1;
    return { id: lastId, pattern, enabled: true };
  }),
  rules: [{ id: 1, name: 'rule', enabled: true }],
  ...more,
});

const how = async (
  type: string | undefined,
  pattern: string,
  domain: string,
  addresses: readonly string[] = [],
) => (await matchesOf([object(type, [pattern])], domain, addresses)).matches[0]?.how;

describe('a record of a domain', () => {
  test.each([
    ['dstdomain', '.google.com', 'www.google.com', 'below'],
    ['dstdomain', '.google.com', 'google.com', 'exact'],
    ['ssl_sni', '.google.com', 'a.b.google.com', 'below'],
    ['dstdomain', '*.google.com', 'www.google.com', 'below'],
    ['dstdomain', 'Google.com ', 'google.com', 'exact'],
    ['dstdomain', 'google.com', 'www.google.com', undefined],
    ['dstdomain', '.google.com', 'notgoogle.com', undefined],
    ['dstdomain', '.google.com', 'google.com.evil.example', undefined],
    // With an unknown type, a record that equals the domain is still worth showing.
    [undefined, 'google.com', 'google.com', 'exact'],
    ['something new', 'google.com', 'google.com', 'exact'],
  ])('of type %s, %j, matches %s: %s', async (type, pattern, domain, expected) => {
    expect(await how(type, pattern, domain)).toBe(expected);
  });
});

describe('a record that is a regular expression', () => {
  test.each([
    ['dstdom_regex', '(^|\\.)hsbc\\.com$', 'www.hsbc.com', 'regular'],
    ['ssl_sni_regex', '(^|\\.)[a-z]{2,12}bank\\.(com|eu)$', 'mybank.eu', 'regular'],
    ['dstdom_regex', '^[[:alpha:]]+\\.example$', 'abc.example', 'regular'],
    ['dstdom_regex', '^api[0-9]*\\.box\\.com$', 'www.box.com', undefined],
    ['url_regex', '^https?://[^/]*paypa1[^/]*/', 'paypa1-refund.example', 'regular'],
    ['url_regex', '^https?://shop\\.example/cart', 'shop.example', 'some_pages'],
    ['url_regex', '^https?://shop\\.example/cart', 'op.example', undefined],
    // Invalid in every language, but it mentions the domain.
    ['dstdom_regex', '(shop\\.example', 'shop.example', 'some_pages'],
  ])('of type %s, %j, matches %s: %s', async (type, pattern, domain, expected) => {
    expect(await how(type, pattern, domain)).toBe(expected);
  });

  test('that cannot be parsed is reported as not tried', async () => {
    const { matches, untried } = await matchesOf([object('dstdom_regex', ['(((', 'b'])], 'abc.example', []);
    expect(matches.map(({ record }) => record.pattern)).toEqual(['b']);
    expect(untried.map(({ record }) => record.pattern)).toEqual(['(((']);
  });

  test('that never ends is aborted, and the others are still tried', async () => {
    const patterns = ['(a+)+$', '^a'];
    let ticks = 0;
    const clock = setInterval(() => {
      ticks += 1;
    }, 10);
    onTestFinished(() => clearInterval(clock));
    const { matches, untried } = await matchesOf(
      [object('dstdom_regex', patterns)],
      `${'a'.repeat(60)}.example`,
      [],
    );
    // The event loop kept running meanwhile.
    expect(ticks).toBeGreaterThan(3);
    expect(matches.map(({ record }) => record.pattern)).toEqual(['^a']);
    expect(untried.map(({ record }) => record.pattern)).toEqual(['(a+)+$']);
  });
});

describe('a record of a network', () => {
  test.each([
    ['13.107.64.0/18', '13.107.70.1', 'address'],
    ['13.107.64.0/18', '13.108.0.1', undefined],
    ['192.0.2.7', '192.0.2.7', 'address'],
    ['192.0.2.1-192.0.2.9', '192.0.2.7', 'address'],
    ['2001:db8::/32', '2001:db8::5', 'address'],
    ['2001:db8::/32', '192.0.2.7', undefined],
    ['192.0.2.0/99', '192.0.2.7', undefined],
    ['no network', '192.0.2.7', undefined],
  ])('%s, holds %s: %s', async (pattern, address, expected) => {
    expect(await how('dst', pattern, 'shop.example', [address])).toBe(expected);
  });
});

test.each(['src', 'arp', 'proxy_auth', 'browser', 'port', 'urlpath_regex', 'srcdomain'])(
  'a record of type %s says nothing about a domain',
  async (type) => {
    expect(await how(type, 'shop.example', 'shop.example', ['shop.example'])).toBeUndefined();
  },
);

test('a match includes whether record and object are enabled, and which rules use them', async () => {
  const off = object('dstdomain', ['.a.example'], { enabled: false });
  const used = object('dstdomain', ['.a.example'], {
    rules: [
      { id: 1, enabled: true },
      { id: 2, enabled: false },
      // Not reported does not mean off.
      { id: 3 },
    ],
  });
  const [first, second] = (await matchesOf([off, used], 'a.example', [])).matches;
  expect(first?.isOn).toBe(false);
  expect(second?.isOn).toBe(true);
  expect(second?.rules.map(({ id }) => id)).toEqual([1, 3]);
});

test('SSL rules that use a matching object are listed in the order of the rules', async () => {
  const { matches } = await matchesOf(
    [object('ssl_sni', ['.a.example'], { id: 3, name: 'three' })],
    'a.example',
    [],
  );
  const rules = [
    { id: 1, order: 20, enabled: false, objects: [{ id: 3, negated: true }] },
    { id: 2, order: 10, enabled: true, objects: [{ id: 3, name: 'three' }, { id: 9 }] },
    { id: 4, order: 5, objects: [{ id: 9 }] },
  ];
  expect(sslMatchesOf(rules, matches)).toMatchObject([
    { rule: { id: 2 }, isOn: true, objects: [{ name: 'three', negated: false }] },
    { rule: { id: 1 }, isOn: false, objects: [{ name: 'three', negated: true }] },
  ]);
});
