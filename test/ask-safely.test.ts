import { describe, expect, test } from 'vitest';
import { asking, blockedSite, newest } from './asking.ts';

const minute = 60_000;
const line = `${blockedSite} for 2h --reason "booking for customer"`;
const categories = 'GET /categories/query/{domain}';

describe('a site of a category that the policy excludes', () => {
  test('is not put up for allowing before its categories were read', async () => {
    const { ask, appliance, press, read, pass, isAllowed } = await asking({ not: ['malware'] });
    appliance.faults.set(categories, { kind: 'status', status: 503 });
    await ask(line);
    expect(read('bob')).not.toContain('[Deny…]');
    await pass(11 * minute);
    await pass(minute);
    const card = newest(read('bob'));
    expect(card).toContain('Its categories can’t be read now');
    expect(card).toContain('[Deny…]');
    expect(card).not.toContain('[Allow');
    appliance.faults.clear();
    await pass(2 * minute);
    expect(newest(read('bob'))).not.toContain('can’t be read now');
    await press('Allow for 2 h', 'bob');
    expect(isAllowed()).toBe(true);
  });

  test('is not allowed by a card that was drawn when it was in another, or when that can’t be read any more', async () => {
    const { ask, appliance, press, read, heard, isAllowed, pass, workspace, type } = await asking({
      not: [252],
    });
    await ask(line);
    appliance.faults.set(categories, { kind: 'status', status: 503 });
    await press('Allow for 2 h', 'bob');
    expect(isAllowed()).toBe(false);
    expect(JSON.stringify(workspace.snapshot('U0BOB00001').messages)).toContain(
      'may be in a category whose sites can’t be requested',
    );
    appliance.faults.clear();
    await pass(2 * minute);
    await type(`/appliance category add ${blockedSite} to 252`, 'dana');
    await press('Allow for 2 h', 'bob');
    expect(isAllowed()).toBe(false);
    expect(heard()).toContain('whose sites can’t be requested');
    expect(read('bob')).toContain('whose sites can’t be requested');
  });
});

describe('the network inside', () => {
  test('is not looked at for whoever asks, and what its resolvers alone know is as what there is not', async () => {
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
  test('stays open in a freeze, and its card says until when that is', async () => {
    const freezes = { now: { from: '2000-01-01', to: '2099-01-01', reason: 'year end' } };
    const { ask, press, isAllowed } = await asking({}, { freezes });
    await ask(line);
    const card = await press('Allow for 2 h', 'bob');
    expect(card).toMatch(/it was not done: Changes are frozen until 2 Jan 2099/);
    expect(card).not.toContain('000Z');
    expect(isAllowed()).toBe(false);
  });

  test('is closed where somebody has allowed the site by hand meanwhile, and whoever asked hears that it works', async () => {
    const { ask, type, press, read, heard, soon } = await asking();
    await ask(line);
    await type(`/appliance category add ${blockedSite} to 207`, 'dana');
    await soon();
    await press('Allow for 2 h', 'bob');
    expect(read('bob')).toContain('☑ live-betting.example is not blocked any more');
    expect(heard()).toContain('You asked for live-betting.example, and nothing blocks it any more');
  });

  test('is nobody’s to decide who has joined it', async () => {
    const { ask, type, press, read, isAllowed } = await asking();
    await ask(line);
    await type(`/appliance ask ${line}`, 'bob');
    expect(await press('Allow for 2 h', 'bob')).toContain('You asked for this yourself');
    expect(isAllowed()).toBe(false);
    const card = read('dana');
    expect(card.indexOf('Asked by')).toBeLessThan(card.indexOf('Also asked by'));
  });

  test('is denied with a reason of a length that people read, and the record says what was done', async () => {
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
    expect(audit).toContain('(Deny on the request for live-betting.example)');
    expect(audit).not.toContain('U0BOB00001');
  });
});
