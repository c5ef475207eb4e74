import { expect, test } from 'vitest';
import { converse } from '../conversation.ts';

/** The verdict on each domain that the simulated company has for it. */
const verdicts: readonly (readonly [domain: string, verdict: string])[] = [
  ['win-a-phone.example', 'is blocked: the proxy refuses it (HTTP 403), and it is in personal_blocked'],
  ['paypa1-refund.example', 'most likely by rule Reported addresses (ACL object banned_addresses)'],
  ['bwin.com', 'is blocked: the proxy refuses it (HTTP 403), perhaps because it is in gambling'],
  ['members-of-staff.example', 'the proxy requires authentication (HTTP 407)'],
  ['live-betting.example', 'most likely by rule No betting at work (ACL object betting)'],
  ['odd-auction.example', 'and no category or ACL record that it lists explains why'],
  ['own-certificate.example', 'fails through the proxy (HTTP 503), but hq reaches it directly'],
  [
    'just-moved.example',
    'DNS disagrees about just-moved.example: 2 resolvers of hq resolve it and 1 does not',
  ],
  [
    'misspelt-supplier.example',
    'misspelt-supplier.example is not blocked: it does not resolve on any DNS server of hq',
  ],
  ['closed-port.example', 'is not blocked by hq: the site itself does not accept connections'],
  ['overloaded.example', 'the site itself accepts the connection but does not answer'],
  ['members-only.example', 'the site itself returns an error (HTTP 403)'],
  ['head-office.example', 'is not blocked: hq reaches it through the proxy'],
  ['www.facebook.com', 'is not blocked: hq reaches it, directly and through the proxy'],
];

test('the helpdesk gets one verdict for every kind of trouble', async () => {
  const { bot, type } = await converse();
  for (const [domain] of verdicts) await type(`/appliance why ${domain}`);
  const said = (await bot.journal.recent(verdicts.length)).map(({ outcome }) => outcome?.says).toReversed();
  expect(said).toEqual(verdicts.map(([, verdict]) => expect.stringContaining(verdict)));
});

test('the evidence names records, objects and rules, and whether they are on', async () => {
  const { type } = await converse();
  const said = await type('/appliance why is https://www.facebook.com/events blocked');
  expect(said).toMatch(/Categories +social_networks \(257\)/);
  expect(said).toMatch(
    /\.facebook\.com \(the domain above it\) of social_media_pilot \(43, disabled\), used by Social media for the pilot \(disabled\)/,
  );
  expect(await type('/appliance why hsbc.com')).toMatch(
    /SSL inspection +Banks stay private \(does not decrypt, by banking_sni\)/,
  );
});

test('a site that is blocked but not live yet is reported as that', async () => {
  const { type, appliance } = await converse();
  // Compiling fails, so the change stays pending.
  appliance.faults.set('GET /categories/{id}/compile', { kind: 'refuse', error: 'busy' });
  await type('/appliance category add shop.example.net to personal_blocked', 'bob');
  const said = await type('/appliance why shop.example.net', 'bob');
  expect(said).toContain('shop.example.net will be blocked: it is in personal_blocked');
  expect(said).toMatch(/Not live yet +category personal_blocked and the filtering rules: changes wait/);
});

test('a site that is in a blocked category and still reachable is not called blocked', async () => {
  const { type, appliance } = await converse();
  appliance.state.categories.all.get(208)?.sites.add('raffle.example');
  expect(await type('/appliance why raffle.example')).toContain(
    'raffle.example should be blocked, and hq still reaches it: it is in personal_blocked',
  );
});

test('an unavailable source is named and hides no other', async () => {
  const { type, appliance } = await converse();
  appliance.faults.set('GET /proxy/acls/objects', { kind: 'refuse', error: 'database is locked' });
  appliance.faults.set('GET /analyze/website/direct/{domain}', { kind: 'status', status: 500 });
  const said = await type('/appliance why example.com');
  expect(said).toContain('example.com could not be tested');
  expect(said).toMatch(/Categories +shopping \(252\)/);
  expect(said).toMatch(/Through the proxy +⚠ could not be asked: HTTP 500/);
  expect(said).toMatch(/ACL records +⚠ could not be asked: refused, database is locked/);
  expect(said).toMatch(/SSL inspection +unknown without the ACL objects/);
});

test('when nothing can be asked, the answer says that', async () => {
  const { type, appliance } = await converse();
  await appliance.close();
  expect(await type('/appliance why example.com')).toContain('hq is unreachable');
});

test('one click tests it in detail on the same appliance', async () => {
  const { type, press } = await converse();
  await type('/appliance why example.com');
  const said = await press('Test it in detail');
  expect(said).toContain('example.com is reachable, directly and through the proxy');
  expect(said).toContain('analyze example.com --on hq');
});

test('a website is tested with its port, and reported in words', async () => {
  const { type, appliance } = await converse();
  const said = await type('/appliance analyze https://example.com:8443/login');
  expect(said).toContain('example.com:8443 is reachable, directly and through the proxy');
  expect(appliance.requests.at(-1)?.path).toBe('/analyze/website/direct/example.com:8443');
  expect(await type('/appliance analyze http://live-betting.example')).toContain(
    'live-betting.example:80 is reachable directly, but refused by the proxy (HTTP 403)',
  );
  expect(await type('/appliance analyze 2001:db8::1')).toContain('a host name or an IPv4 address');
});
