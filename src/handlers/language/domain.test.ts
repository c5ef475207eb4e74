import { expect, test } from 'vitest';
import { readDomain, showDomain } from './domain.ts';

test.each([
  ['example.com', 'example.com'],
  ['EXAMPLE.Com', 'example.com'],
  ['example.com.', 'example.com'],
  [' example.com ', 'example.com'],
  ['a_b.example.com', 'a_b.example.com'],
  ['https://example.com', 'example.com'],
  ['https://www.example.com:8443/a/b?c=d@e#f', 'www.example.com'],
  ['http://user:pass@example.com/', 'example.com'],
  ['http://user:p@ss@example.com/', 'example.com'],
  ['ftp://example.com', 'example.com'],
  ['example.com:8080', 'example.com'],
  ['example.com/path', 'example.com'],
  ['example.com?query', 'example.com'],
  ['bob@example.com', 'example.com'],
  ['example.com!', 'example.com'],
  ['example.com,', 'example.com'],
  ['example.com...', 'example.com'],
  ['(example.com)', 'example.com'],
  ['(https://example.com/a).', 'example.com'],
  ['"example.com"', 'example.com'],
  ['`example.com`', 'example.com'],
  ['<example.com>', 'example.com'],
  ['*.example.com', 'example.com'],
  ['https://*.example.com/*', 'example.com'],
  // A browser reads the back-slash as a slash, so what follows it is not the host.
  ['http://example.com\\@evil.example', 'example.com'],
])('%j is the domain %s', (typed, domain) => {
  expect(readDomain(typed)).toBe(domain);
});

test.each([
  'hxxp://example.com',
  'hxxps://example.com/path',
  'HXXPS://example.com',
  'h**p://example.com',
  'hxxps[:]//example[.]com/x',
  'example[.]com',
  'example(.)com',
  'example{.}com',
  'example[dot]com',
  'example(dot)com',
  'example[ . ]com',
])('%j was made harmless, and is read as what it was', (typed) => {
  expect(readDomain(typed)).toBe('example.com');
});

test.each([
  ['münchen.de', 'xn--mnchen-3ya.de', 'münchen.de (xn--mnchen-3ya.de)'],
  ['https://MÜNCHEN.de/rathaus', 'xn--mnchen-3ya.de', 'münchen.de (xn--mnchen-3ya.de)'],
  ['例え。テスト', 'xn--r8jz45g.xn--zckzah', '例え.テスト (xn--r8jz45g.xn--zckzah)'],
  ['xn--mnchen-3ya.de', 'xn--mnchen-3ya.de', 'münchen.de (xn--mnchen-3ya.de)'],
  // A Cyrillic а: the ASCII form beside it gives it away.
  ['аpple.com', 'xn--pple-43d.com', 'аpple.com (xn--pple-43d.com)'],
])('the internationalised name %s is sent as %s and shown as %s', (typed, ascii, shown) => {
  expect(readDomain(typed)).toBe(ascii);
  expect(showDomain(ascii)).toBe(shown);
});

test('a plain name is shown as it is', () => {
  expect(showDomain('example.com')).toBe('example.com');
  expect(showDomain('10.20.0.2')).toBe('10.20.0.2');
});

test.each([
  ['10.20.0.2', '10.20.0.2'],
  ['10.20.0.2:443', '10.20.0.2'],
  ['10[.]20[.]0[.]2', '10.20.0.2'],
  ['https://10.20.0.2/x', '10.20.0.2'],
  ['2001:DB8::1', '2001:db8::1'],
  ['2001:db8::', '2001:db8::'],
  ['(10.20.0.2)', '10.20.0.2'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['http://[2001:db8::1]:8080/x', '2001:db8::1'],
  ['::ffff:10.20.0.2', '::ffff:10.20.0.2'],
])('%s is the address %s', (typed, address) => {
  expect(readDomain(typed)).toBe(address);
});

test.each([
  '',
  ' ',
  '.',
  '..',
  'localhost',
  'example',
  'example..com',
  '.example.com',
  'exam ple.com',
  '-example.com',
  'example-.com',
  '*.*.example.com',
  'ex*mple.com',
  '*.',
  '()',
  '256.1.1.1',
  '1.2.3',
  // The forms that only old resolvers take for an address.
  '0x7f.1',
  '010.0.0.1',
  '3232235777',
  'example.123',
  '[not:an:address]',
  '[10.20.0.2]',
  // A zone means something on one machine only.
  'fe80::1%eth0',
  'javascript:alert(1)',
  '<!channel>',
  'https://',
  '../../etc/passwd',
  `${'a'.repeat(64)}.com`,
  `${'a.'.repeat(127)}com`,
  'x'.repeat(3_000),
])('%j is not a domain', (typed) => {
  expect(readDomain(typed)).toBeUndefined();
});
