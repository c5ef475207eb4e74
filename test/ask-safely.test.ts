import { describe, expect, test } from 'vitest';
import { asking, blockedSite, newest } from './asking.ts';

const line = `${blockedSite} for 2h --reason "booking for customer"`;
const categories = 'GET /categories/query/{domain}';

describe('a site of a category that the policy excludes', () => {
  test('can’t be asked for before its categories can be read', async () => {
    const { ask, appliance, read } = await asking({ not: ['malware'] });
    appliance.faults.set(categories, { kind: 'status', status: 503 });
    expect(await ask(line)).toContain('It couldn’t be looked at right now whether it is blocked.');
    expect(read('bob')).not.toContain('asks for');
    appliance.faults.clear();
    expect(await ask(line)).toContain('Requested: live-betting.example');
  });

  test('is not allowed by a card from before it changed its category, or when that can’t be read any more', async () => {
    const { ask, appliance, press, read, heard, isAllowed, type } = await asking({ not: [252] });
    await ask(line);
    appliance.faults.set(categories, { kind: 'status', status: 503 });
    expect(await press('Approve', 'bob')).toContain('may be in a category whose sites can’t be requested');
    expect(isAllowed()).toBe(false);
    appliance.faults.clear();
    await type(`/appliance category add ${blockedSite} to 252`, 'dana');
    await press('Approve', 'bob');
    expect(isAllowed()).toBe(false);
    expect(heard()).toMatch(/whose sites can’t be requested.* Your request was closed\./);
    expect(read('bob')).toContain('whose sites can’t be requested');
  });
});

describe('the internal network', () => {
  test('is not probed for a requester, and a name that only its resolvers know is reported as unknown', async () => {
    const { ask, appliance, read } = await asking();
    const before = appliance.requests.length;
    for (const one of ['10.0.0.1', 'http://[::ffff:10.0.0.1]/', 'wiki.internal', '10-0-0-1.nip.io'])
      expect(await ask(`${one} --reason x`)).toContain('can’t be requested: it is an address or a name of');
    expect(await ask('localhost --reason x')).toContain('not a domain');
    expect(appliance.requests.length).toBe(before);
    const said = async (site: string) => (await ask(`${site} --reason x`)).replaceAll(site, 'SITE');
    const [wiki, none] = [await said('wiki.intranet.example'), await said('none.invalid')];
    expect(wiki).toContain('SITE can’t be requested: no website of that name was found on the Internet');
    expect(wiki.split('\n').slice(1)).toEqual(none.split('\n').slice(1));
    expect(read('vic', 'random')).not.toContain('10.20.0.7');
    expect(read('bob')).not.toContain('asks for');
  });
});

describe('a request that is decided late', () => {
  test('stays open in a freeze, and whoever presses reads when that ends', async () => {
    const freezes = { now: { from: '2000-01-01', to: '2099-01-01', reason: 'year end' } };
    const { ask, press, read, isAllowed } = await asking({}, { freezes });
    await ask(line);
    const said = await press('Approve', 'bob');
    expect(said).toContain('Changes are frozen until');
    expect(read('bob')).toContain('[Approve]');
    expect(isAllowed()).toBe(false);
  });

  test('is closed where somebody has allowed the site by hand meanwhile, and the requester hears that it works', async () => {
    const { ask, type, press, read, heard, soon } = await asking();
    await ask(line);
    await type(`/appliance category add ${blockedSite} to 207`, 'dana');
    await soon();
    await press('Approve', 'bob');
    expect(read('bob')).toContain('live-betting.example is not blocked, so there was nothing to decide');
    expect(heard()).toContain(
      'You asked for live-betting.example, and nothing was to be done for it any more',
    );
  });

  test('cannot be decided by anybody who has joined it', async () => {
    const { ask, type, press, read, isAllowed } = await asking();
    await ask(line);
    await type(`/appliance ask ${line}`, 'bob');
    expect(await press('Approve', 'bob')).toContain('You asked for this site yourself');
    expect(isAllowed()).toBe(false);
    const card = read('dana');
    expect(card.indexOf('Asked by')).toBeLessThan(card.indexOf('Also asked by'));
  });

  test('is denied with a reason of a readable length, and the record has it', async () => {
    const { ask, person, type } = await asking();
    await ask(line);
    const bob = person('bob');
    await bob.press('helpdesk', 'Deny…');
    await bob.fill({ Reason: 'x'.repeat(501) });
    await bob.submit();
    expect(JSON.stringify(bob.form()?.errors)).toContain('500');
    await bob.fill({ Reason: 'not for work' });
    await bob.submit();
    const audit = newest(await type('/appliance audit', 'dana'));
    expect(audit).toMatch(/category add live-betting\.example to 207.*Denied by @bob: not for work/);
    expect(audit).not.toContain('U0BOB00001');
  });
});
