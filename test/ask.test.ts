import { describe, expect, test } from 'vitest';
import { asking, blockedSite, newest } from './asking.ts';

const minute = 60_000;
const hour = 60 * minute;
const line = `${blockedSite} for 2h --reason "booking for customer"`;

describe('a site that somebody without any role asks for', () => {
  test('is allowed for that time by a click, hears when it works and until when, and that it is over', async () => {
    const { ask, heard, press, read, pass, soon, isAllowed, orders, type } = await asking();
    expect(await ask(line)).toMatch(
      /Requested: live-betting\.example for 2 h\. It is blocked\. You will get a direct message/,
    );
    const card = read('bob');
    expect(card).toContain('@vic asks for live-betting.example for 2 h');
    expect(card).toContain('Reason  booking for customer');
    expect(card).toMatch(/Found {2}live-betting\.example is blocked: the proxy refuses it \(HTTP 403\)/);
    expect(card).toMatch(/Tested {2}Directly: reached.* Through the proxy: failed.*403/);
    expect(card).toContain('[Allow for 2 h] [Deny…]');
    const after = await press('Allow for 2 h', 'bob');
    expect(after).not.toContain('[Deny…]');
    expect(after).toContain('✅ live-betting.example added to category personal_allowed, until');
    await soon();
    expect([isAllowed(), orders()]).toEqual([true, 1]);
    expect(read('bob')).toMatch(/✅ live-betting\.example works since \S+, until \S+, allowed by @bob/);
    expect(heard()).toMatch(/✅ live-betting\.example works since \S+, until \S+\. Allowed by @bob\./);
    await pass(2 * hour + minute);
    await pass(minute);
    expect(isAllowed()).toBe(false);
    expect(heard()).toContain('the time it was allowed for is over');
    const audit = newest(await type('/appliance audit', 'bob'));
    expect(audit).toMatch(/Appliance Bot .*The request for live-betting\.example\).*works since .*, until/);
    expect(audit).toMatch(
      /Appliance Bot .*The request for live-betting\.example\).*the time it was allowed for is over/,
    );
    expect(read('bob')).toContain('☑ live-betting.example: the time it was allowed for is over');
  });

  test('is denied with a reason, which whoever asked reads', async () => {
    const { ask, heard, person, read, orders } = await asking();
    await ask(line);
    const bob = person('bob');
    await bob.press('helpdesk', 'Deny…');
    await bob.fill({ Reason: 'not for work' });
    await bob.submit();
    expect(read('bob')).toContain('🚫 live-betting.example was denied by @bob: not for work');
    expect(heard()).toContain(
      'Your request for live-betting.example for 2 h was denied by @bob: not for work',
    );
    expect(orders()).toBe(0);
  });

  test('is listed to whoever has asked or joined, wherever they are, and to others by their role', async () => {
    const { ask, type, write } = await asking();
    expect(await type('/appliance requests', 'vic', 'random')).toContain(
      'You have requested no site lately.',
    );
    await ask(line);
    expect(await ask(`${blockedSite} for 1h --reason "another"`)).toMatch(
      /requested live-betting\.example already, at \S+, for 2 h, with the reason “booking for customer”\. That request stays/,
    );
    expect(await ask(`${blockedSite} for 1h --reason "me too"`, 'alice')).toMatch(
      /requested already, by others\. You were added to that request, for 1 h, with your reason beside/,
    );
    expect(newest(await type('/appliance requests', 'vic', 'random'))).toMatch(
      /You have requested 1 site[\s\S]*live-betting\.example {2}2 h {2}booking for customer .* Waits for a decision until/,
    );
    expect(newest(await write('my requests', 'alice', 'appliance-bot'))).toContain(
      'You have requested 1 site',
    );
    const [viewer, operator] = [
      newest(await type('/appliance requests', 'alice')),
      newest(await type('/appliance requests', 'bob')),
    ];
    expect(viewer).toMatch(/1 request waits for a decision[\s\S]*@vic/);
    expect(viewer).not.toContain('[Allow');
    expect(operator).toContain('[Allow for 2 h] [Deny…]');
    expect(newest(await type('/appliance requests', 'gus', 'random'))).not.toContain('live-betting');
  });

  test('closes itself where nothing blocks it, and is refused where its category may not be asked for', async () => {
    const { ask, read } = await asking({ not: ['malware'] });
    const before = read('bob');
    expect(await ask('example.org --reason x')).toContain(
      'example.org is not blocked, so there was nothing to decide',
    );
    // Who has no role learns no address, and nothing of the tests.
    expect(read('vic', 'random')).not.toMatch(/Tested|HTTP|\d+\.\d+\.\d+/);
    const refused = await ask('eicar.org --reason x');
    expect(refused).toMatch(/eicar\.org is blocked and can’t be requested: it is in category malware/);
    expect(refused).toMatch(/Talk to .*@bob/);
    expect(read('bob')).toBe(before);
  });

  test('can’t be asked for where the policy says nothing of it, or not by them or there', async () => {
    const off = await asking({}, { self_service: undefined });
    expect(await off.ask(line)).toContain('Requesting sites is not enabled. Nothing was requested.');
    const some = await asking({ askers: ['U0ALICE001'], from: ['C0HELPDESK'] });
    expect(await some.ask(line)).toContain('the policy doesn’t include you');
    expect(await some.ask(line, 'alice')).toContain('can’t be requested in this channel');
    expect(await some.ask(line, 'gus')).toContain('the policy doesn’t include you');
  });

  test('stays open when somebody presses who may not allow it, and is nobody’s own to decide', async () => {
    const { ask, type, press, read, orders } = await asking();
    await type(`/appliance ask ${line}`, 'bob');
    expect(await press('Allow for 2 h', 'alice')).toContain('requires the operator or admin role');
    expect(await press('Allow for 2 h', 'bob')).toContain(
      'You asked for this yourself, so somebody else decides.',
    );
    expect(orders()).toBe(0);
    expect(await ask(line)).toContain('was requested already');
    expect(read('dana')).toContain('Also asked by  @vic for 2 h: booking for customer');
    expect(await press('Allow for 2 h', 'dana')).toContain('allowed by @dana');
  });

  test('expires when nobody decides, and says so', async () => {
    const { ask, heard, pass, read, type } = await asking({ open: '1h' });
    await ask(line);
    await pass(hour + minute);
    expect(read('bob')).toContain('⌛ live-betting.example: nobody decided in time');
    expect(heard()).toContain('Nobody decided on your request for live-betting.example in time');
    expect(newest(await type('/appliance audit', 'bob'))).toMatch(
      /Appliance Bot .*The request for live-betting\.example\).*nobody decided in time/,
    );
  });
});

describe('asking for a site is offered', () => {
  test('under the answer of why to whoever may not allow it, and to others the line that does', async () => {
    const { type, press, person, read } = await asking();
    expect(await type(`/appliance why ${blockedSite}`, 'bob')).toContain('[Allow for 4 h]');
    expect(await type(`/appliance why ${blockedSite}`, 'alice')).toContain('[Ask for it]');
    const free = await type('/appliance why example.org', 'alice');
    expect(free.slice(free.indexOf('example.org is not blocked'))).not.toContain('[Ask for it]');
    await press('Ask for it', 'alice');
    const alice = person('alice');
    await alice.fill({ Reason: 'booking' });
    await alice.submit();
    expect(read('bob')).toContain('@alice asks for live-betting.example for 4 h');
  });

  test('to somebody without a role who says so in their own words, wherever they are', async () => {
    const { ask, type, write, person, read } = await asking();
    const offer = '[Ask for the site]';
    const said = async (line: string, by: string, channel?: string) =>
      newest(await type(`/appliance ${line}`, by, channel));
    for (const line of [`please unblock ${blockedSite}`, `can you open ${blockedSite}`]) {
      expect(await said(line, 'vic')).toMatch(
        /^.*\n {2}You can request live-betting\.example:.*\n.*\[Ask for the site\]$/,
      );
      // Who may allow it has the line for it.
      const bobs = await said(line, 'bob');
      expect(bobs).toContain(
        '/appliance category add live-betting.example to 207 --for 240m\n  [Allow for 4 h]',
      );
      expect(bobs).not.toContain(offer);
    }
    expect(await said(`deny ${blockedSite}`, 'bob')).not.toContain('[Allow');
    expect(await said(`unblock ${blockedSite} and bwin.com for 2h`, 'bob')).toContain(
      'category add live-betting.example bwin.com to 207 --for 2h',
    );
    expect(await said(`please unblock ${blockedSite} and bwin.com`, 'vic')).toContain('[Ask for the sites]');
    expect(await said(`why ${blockedSite}`, 'vic', 'random')).toContain(offer);
    expect(await type(`/appliance why ${blockedSite}`, 'gus', 'random')).not.toContain(offer);
    await type(`/appliance can i get ${blockedSite}`, 'vic', 'random');
    const vic = person('vic');
    await vic.fill({ 'How long': '1 h', Reason: 'booking' });
    await vic.submit();
    expect(read('vic', 'random')).toContain('Requested: live-betting.example for 1 h.');
    expect(await write(`ask ${blockedSite} for 1h --reason "again"`, 'vic', 'appliance-bot')).toContain(
      'You have requested live-betting.example already',
    );
    expect(await ask('bwin.com for 8h --reason x', 'alice')).toContain(
      'bwin.com for 4 h, the longest time possible.',
    );
    expect(await type('/appliance requests', 'bob')).toMatch(/2 requests wait[\s\S]*\[1: Allow for 1 h\]/);
  });
});

describe('somebody without a role who writes where nothing is enabled', () => {
  test('is told how to ask, and where', async () => {
    const { type, write } = await asking({ from: ['C0HELPDESK'] });
    const mention = async (text: string) => newest(await write(`@appliance-bot ${text}`, 'vic', 'random'));
    expect(await mention(`please unblock ${blockedSite}`)).toMatch(
      /request it in a direct message to Appliance Bot: \/appliance ask/,
    );
    expect(await mention('hello')).toContain('Blocked websites can be requested in a direct message.');
    expect(newest(await type('/appliance', 'gus', 'random'))).not.toContain('requested');
    const anywhere = await asking();
    // What is wrong with a line that they may type is said there, too.
    expect(await anywhere.ask(`${blockedSite} for -2h --reason x`)).toContain('-2h is not how long');
    expect(await anywhere.ask(`${blockedSite} nonsense for 2h --reason x`)).toMatch(
      /nonsense is not a domain[\s\S]*\[Go on with the other 1\]/,
    );
    expect(newest(await anywhere.type('/appliance help', 'vic', 'random'))).toContain(
      'isn’t enabled in #random, but blocked websites can be requested here',
    );
    expect(newest(await anywhere.type('/appliance status', 'vic', 'random'))).toContain(
      'request it here, or in a direct message',
    );
    for (const line of ['withdraw all', 'aks', 'asks please', `unblock`])
      expect(newest(await anywhere.type(`/appliance ${line}`, 'vic', 'random')), line).toMatch(
        /takes requests for blocked websites here[\s\S]*\/appliance ask/,
      );
    for (const line of [`deny ${blockedSite}`, 'vlan stop 3'])
      expect(newest(await anywhere.type(`/appliance ${line}`, 'vic', 'random')), line).toContain(
        'request it here, or in a direct message',
      );
    expect(newest(await anywhere.type(`/appliance aks ${blockedSite}`, 'vic', 'random'))).toMatch(
      /You can request live-betting\.example[\s\S]*\[Ask for the site\]/,
    );
    expect(
      newest(await anywhere.write(`@appliance-bot please unblock ${blockedSite}`, 'vic', 'random')),
    ).toContain('[Ask for the site]');
  });
});

describe('several sites in one line', () => {
  test('are a request each, and each that was not requested is named with the reason', async () => {
    const { ask, read } = await asking({ per_person: { open: 2 }, not: ['malware'] });
    const said = await ask(
      `bwin.com, example.org eicar.org BWIN.com. ${blockedSite} and xhamster.com for 2h --reason "x"`,
    );
    expect(said).toContain('2 of 5 sites requested. You will get a direct message when they are decided.');
    expect(said).toMatch(/• bwin\.com: waits for a decision until \S+, for 2 h/);
    expect(said).toContain('• ☑ example.org is not blocked');
    expect(said).toMatch(/• eicar\.org is blocked and can’t be requested: it is in category malware/);
    expect(said).toMatch(/• xhamster\.com: not requested\. You have 2 open requests/);
    expect(read('bob').match(/@vic asks for/g)).toHaveLength(2);
  });
});

describe('what is allowed by a click', () => {
  test('is done once, whoever else presses at the same moment', async () => {
    const { ask, person, soon, orders, read, workspace } = await asking();
    await ask(line);
    await Promise.all(['bob', 'dana'].map((name) => person(name).press('helpdesk', 'Allow for 2 h')));
    await soon();
    expect(orders()).toBe(1);
    const alone = ['U0BOB00001', 'U0DANA0001'].map((id) =>
      workspace.snapshot(id).messages.filter(({ text }) => text.includes('Your click did nothing')),
    );
    expect(alone.flat()).toHaveLength(1);
    expect(read('bob').match(/added to category personal_allowed/g)).toHaveLength(1);
  });

  test('waits for the approval that the line needs, and is open again when that is denied', async () => {
    const approvals = [{ commands: [{ phrase: 'category add' }], by: 'approver' }];
    const { ask, press, pass, soon, heard, read, person, isAllowed } = await asking({}, { approvals });
    await ask(line);
    expect(await press('Allow for 2 h', 'bob')).toContain(
      'allowed by @bob, and it waits: others have to approve it, in the thread',
    );
    expect(heard()).toContain('was allowed by @bob and waits for another approval');
    const carol = person('carol');
    await carol.press('helpdesk', 'Deny…');
    await carol.fill({ Reason: 'not today' });
    await carol.submit();
    await soon();
    expect(read('dana')).toMatch(/@bob pressed Allow, and it was not done: Denied by .*not today/);
    await press('Allow for 2 h', 'dana');
    await press('Approve', 'carol');
    await pass(2_000);
    await soon();
    expect(isAllowed()).toBe(true);
    expect(heard()).toContain('Allowed by @dana');
  });

  test('is told to both sides when it does not help, and for good only where the policy lets it', async () => {
    // Nothing lets through what is in this one.
    const { ask, press, pass, heard, read } = await asking({ allow_category: 252, for_good: true });
    expect(await ask(`${blockedSite} for good --reason x`)).toContain(
      'Requested: live-betting.example for good.',
    );
    await press('Allow for good', 'bob');
    await pass(minute);
    expect(heard()).not.toContain('still blocked');
    await pass(5 * minute);
    expect(read('bob')).toContain(
      '⚠ live-betting.example was allowed by @bob, with no end, and is still blocked',
    );
    expect(heard()).toContain('was allowed, but it is still blocked. Allowed by @bob');
    expect(heard('bob')).toContain('You allowed live-betting.example, and it is still blocked');
  });

  test('is ended early or extended in the thread, and whoever asked hears of that, too', async () => {
    const { ask, press, soon, pass, heard, isAllowed } = await asking();
    await ask(line);
    await press('Allow for 2 h', 'bob');
    await soon();
    await press('Extend by 2 h', 'bob');
    await pass(minute);
    expect(heard()).toContain('The time for live-betting.example has changed');
    await press('End now', 'bob');
    await pass(minute);
    await pass(minute);
    expect(isAllowed()).toBe(false);
    expect(heard()).toMatch(/@bob ended it early at/);
  });
});

describe('a request', () => {
  test('that no appliance can answer for is kept, and looked at again until it can', async () => {
    const { ask, appliance, read, pass, heard } = await asking();
    for (const call of ['GET /categories/query/{domain}', 'GET /analyze/website/direct/{domain}'])
      appliance.faults.set(call, { kind: 'status', status: 503 });
    expect(await ask(line)).toContain('can’t be asked right now whether it is blocked');
    expect(read('bob')).not.toContain('[Allow');
    appliance.faults.clear();
    await pass(2 * minute);
    expect(read('bob')).toContain('[Allow for 2 h]');
    expect(heard()).toContain('Your request for live-betting.example waits for a decision now.');
  });

  test('is one of so many that one person may have, and may make within a day', async () => {
    const { ask, pass } = await asking({ per_person: { open: 1, day: 2 }, open: '1h' });
    await ask(line);
    expect(await ask('bwin.com --reason x')).toContain(
      'You have 1 open request, as many as one person can have.',
    );
    await pass(hour + minute);
    await ask('bwin.com --reason x');
    await pass(hour + minute);
    expect(await ask(line)).toContain('You have made 2 requests within a day');
    await pass(22 * hour);
    expect(await ask(line)).toContain('Requested:');
  });

  test('stands on the page of whoever has made it, and of those who may decide, where it is decided as well', async () => {
    const { ask, workspace, person, bot, heard, soon, isAllowed } = await asking();
    await ask(line);
    const home = async (name: string) => {
      await person(name).openHome();
      await bot.idle();
      const { id } = workspace.people.find((one) => one.name === name) ?? { id: '' };
      return JSON.stringify(workspace.snapshot(id).home);
    };
    expect(await home('vic')).toMatch(/Your requests for sites.*live-betting\.example/);
    expect(await home('alice')).not.toContain('live-betting.example');
    expect(await home('bob')).toMatch(/Sites that people ask for.*live-betting\.example.*Allow for 2 h/);
    await person('bob').press('home', 'Allow for 2 h');
    await soon();
    expect(isAllowed()).toBe(true);
    expect(heard()).toContain('Allowed by @bob');
  });
});
