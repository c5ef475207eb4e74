import { expect, test } from 'vitest';
import { hasManyOwners, readDomain, readSite, showDomain } from './domain.ts';

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
  ['.example.com', 'example.com'],
  ['example.com/', 'example.com'],
  ['https://*.example.com/*', 'example.com'],
  // A browser reads the backslash as a slash, so the text after it is not the host.
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
  // Begins with a Cyrillic а; the ASCII form beside it shows that.
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
  'exam ple.com',
  '-example.com',
  'example-.com',
  '*.*.example.com',
  'ex*mple.com',
  '*.',
  '()',
  '256.1.1.1',
  '.com',
  '10.0.0.0/8',
  '2001:db8::/32',
  '1.2.3',
  // Only old resolvers accept these forms as addresses.
  '0x7f.1',
  '010.0.0.1',
  '3232235777',
  'example.123',
  '[not:an:address]',
  '[10.20.0.2]',
  // A zone index is valid on one machine only.
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

test.each([
  [
    'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fevil.example%2Fa&data=1',
    'a Safe Links address',
  ],
  ['https://nam02.safelinks.protection.outlook.us/?url=http%3A%2F%2Fevil.example', 'a Safe Links address'],
  [
    'hxxps://deu01[.]safelinks[.]protection[.]outlook[.]de/?url=hxxps%3A%2F%2Fevil%5B.%5Dexample',
    'a Safe Links address',
  ],
  ['https://urldefense.proofpoint.com/v1/url?u=http://evil.example/&k=x', 'a Proofpoint address'],
  ['https://urldefense.proofpoint.com/v2/url?u=https-3A__evil.example_a-2Db&d=DwMF', 'a Proofpoint address'],
  ['https://urldefense.com/v3/__https://evil.example/a?b=*c__;Iw!!abc$', 'a Proofpoint address'],
  ['https://urldefense.us/v3/__https:/evil.example/__;!!abc$', 'a Proofpoint address'],
  ['https://protect-eu.mimecast.com/s/abc?domain=evil.example', 'a Mimecast address'],
  ['https://linkprotect.cudasvc.com/url?a=https%3a%2f%2fevil.example&c=E,1', 'a Barracuda address'],
  ['https://secure-web.cisco.com/1abc/https%3A%2F%2Fevil.example%2Fx', 'a Cisco Secure Web address'],
  [
    'https://imsva91-ctp.trendmicro.com:443/wis/clicktime/v1/query?url=http%3a%2f%2fevil.example',
    'a Trend Micro address',
  ],
  ['https://clicktime.symantec.com/3abc?u=https%3A%2F%2Fevil.example', 'a Symantec ClickTime address'],
  [
    'https://us-west-2.protection.sophos.com/?d=evil.example&u=aHR0cHM6Ly9ldmlsLmV4YW1wbGUv',
    'a Sophos address',
  ],
  ['https://www.google.com/url?q=https://evil.example/a&amp;sa=D', 'a Google link'],
  ['https://www.google.com.au/url?sa=t&url=https%3A%2F%2Fevil.example', 'a Google link'],
  ['https://www.bing.com/ck/a?!&&p=1&u=a1aHR0cHM6Ly9ldmlsLmV4YW1wbGUv&ntb=1', 'a Bing link'],
  ['https://duckduckgo.com/l/?uddg=https%3A%2F%2Fevil.example', 'a DuckDuckGo link'],
  ['https://r.search.yahoo.com/_ylt=A/RV=2/RU=https%3a%2f%2fevil.example%2f/RK=2', 'a Yahoo link'],
  ['https://l.facebook.com/l.php?u=https%3A%2F%2Fevil.example&h=A', 'a Facebook link'],
  ['https://slack-redir.net/link?url=https%3A%2F%2Fevil.example', 'a Slack link'],
  [
    'https://gbr01.safelinks.protection.outlook.com/?url=https%3A%2F%2Furldefense.com%2Fv3%2F__https%3A%2F%2Fevil.example%2F__%3B!!a%24',
    'a Proofpoint address in a Safe Links address',
  ],
])('%s stands for evil.example, and the answer says so', (typed, from) => {
  expect(readSite(typed)).toEqual({ kind: 'site', site: 'evil.example', from });
});

test.each([
  ['https://bit.ly/abc', 'bit.ly'],
  ['t.co/abc', 't.co'],
  ['https://protect-eu.mimecast.com/s/abc', 'protect-eu.mimecast.com'],
  ['https://u1.ct.sendgrid.net/ls/click?upn=abc', 'u1.ct.sendgrid.net'],
])('the target of %s is known to its server only', (typed, outer) => {
  expect(readSite(typed)).toMatchObject({ kind: 'sealed', outer });
  expect(readDomain(typed)).toBeUndefined();
});

test('an address is unwrapped a few times and no more', () => {
  let address = 'https://evil.example/';
  for (let depth = 0; depth < 8; depth += 1)
    address = `https://slack-redir.net/link?url=${encodeURIComponent(address)}`;
  expect(readSite(address)).toMatchObject({ kind: 'sealed' });
});

test.each([
  ['https://x.example/go?to=https://y.example/', 'x.example', ['y.example']],
  ['https://x.example/go?to=https%253A%252F%252Fy.example', 'x.example', ['y.example']],
  ['x.example/?u=aHR0cHM6Ly95LmV4YW1wbGUv', 'x.example', ['y.example']],
  ['https://web.archive.org/web/2020/https://y.example/', 'web.archive.org', ['y.example']],
  // A host that only resembles a gateway is none.
  ['https://google.blogspot.com/url?q=https://y.example', 'google.blogspot.com', ['y.example']],
  [
    'https://safelinks.protection.outlook.com.evil.example/?url=https%3A%2F%2Fy.example',
    'safelinks.protection.outlook.com.evil.example',
    ['y.example'],
  ],
])('%s does not show which site is meant', (typed, outer, inner) => {
  expect(readSite(typed)).toEqual({ kind: 'either', outer, inner });
  expect(readDomain(typed)).toBeUndefined();
});

test.each([
  ['https://x.example/login?next=%2Fhome&ref=y.example', 'x.example'],
  ['https://x.example/login?next=https://www.x.example/home', 'x.example'],
  ['https://www.youtube.com/watch?v=1', 'www.youtube.com'],
  ['https://www.google.com/search?q=evil.example', 'www.google.com'],
  ['bit.ly', 'bit.ly'],
  ['https://eur01.safelinks.protection.outlook.com/', 'eur01.safelinks.protection.outlook.com'],
])('%s is %s', (typed, site) => {
  expect(readSite(typed)).toEqual({ kind: 'site', site });
});

test('a domain has many owners below it if it is a public suffix, above one, or gives its customers names', () => {
  for (const domain of ['com', 'co.uk', 'github.io', 'translate.goog', 's3.amazonaws.com', 'amazonaws.com'])
    expect([domain, hasManyOwners(domain)]).toEqual([domain, true]);
  for (const domain of ['core.windows.net', 'windows.net', 'wordpress.com'])
    expect([domain, hasManyOwners(domain)]).toEqual([domain, true]);
  for (const domain of ['example.com', 'shop.github.io', 'files.s3.amazonaws.com', 'google.com', 'bbc.co.uk'])
    expect([domain, hasManyOwners(domain)]).toEqual([domain, false]);
});
