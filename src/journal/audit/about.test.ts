import { expect, test } from 'vitest';
import { aboutTerm, aboutTerms, namesIn } from './about.ts';

const finds = (typed: string, args: unknown) => aboutTerms(namesIn(args as never)).includes(aboutTerm(typed));

test('a site is found however its address is written, and by the domain that it belongs to', () => {
  const args = { site: ['Shop.Example.net'], category: { id: 252, name: 'Online  Shops' } };
  for (const typed of [
    'shop.example.net',
    'https://www.shop.example.net/cart?x=1',
    'example.net',
    'online shops',
  ])
    expect([typed, finds(typed, args)]).toEqual([typed, true]);
  for (const typed of ['net', 'hop.example.net', 'a.shop.example.net', 'online', '252'])
    expect([typed, finds(typed, args)]).toEqual([typed, false]);
});

test('an address with numbers belongs to no domain, and of a thousand sites the first are kept', () => {
  expect(namesIn({ ip: '10.1.2.3', net: '10.0.0.0/8' })).toEqual(['10.1.2.3', '10.0.0.0/8']);
  expect(aboutTerms(['10.1.2.3'])).toEqual(['about', 'about:10.1.2.3']);
  const sites = Array.from({ length: 1_000 }, (_, at) => `s${at}.example`);
  expect(namesIn({ sites })).toHaveLength(30);
});
