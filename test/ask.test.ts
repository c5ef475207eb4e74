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
    expect(card).toMatch(/Asked by {2}@vic for 2 h[\s\S]*Reason {2}booking for customer/);
    expect(card).toMatch(/Needs {2}1 approval by operator or admin/);
    expect(card).toMatch(/Found {2}live-betting\.example is blocked: the proxy refuses it \(HTTP 403\)/);
    expect(card).toMatch(/Tested {2}Directly: reached.* Through the proxy: failed.*403/);
    expect(card).toContain('[Approve] [Deny…] [Withdraw]');
    const after = await press('Approve', 'bob');
    expect(after).not.toContain('[Deny…]');
    expect(after).toContain('✅ live-betting.example added to category personal_allowed, until');
    await soon();
    expect([isAllowed(), orders()]).toEqual([true, 1]);
    expect(heard()).toMatch(/✅ live-betting\.example is allowed, until \S+\. Approved by @bob\./);
    await pass(2 * hour + minute);
    await pass(minute);
    expect(isAllowed()).toBe(false);
    expect(heard()).toContain('the time it was allowed for is over');
    const audit = newest(await type('/appliance audit', 'bob'));
    expect(audit).toMatch(/@vic.*category add live-betting\.example to 207/);
    expect(read('bob')).toMatch(/Ended and undone: .*live-betting\.example/);
  });

  test('is denied with a reason that the requester reads', async () => {
    const { ask, heard, person, read, orders } = await asking();
    await ask(line);
    const bob = person('bob');
    await bob.press('helpdesk', 'Deny…');
    await bob.fill({ Reason: 'not for work' });
    await bob.submit();
    expect(read('bob')).toMatch(/Not done: .*live-betting\.example.*Denied by @bob: not for work/);
    expect(heard()).toContain('Your request for live-betting.example was denied by @bob: not for work');
    expect(orders()).toBe(0);
  });

  test('is listed for everybody who has asked or joined, wherever they are, and for others by their role', async () => {
    const { ask, type, write } = await asking();
    expect(await type('/appliance requests', 'vic', 'random')).toContain(
      'You have requested no site lately.',
    );
    await ask(line);
    expect(await ask(`${blockedSite} for 1h --reason "another"`)).toMatch(
      /requested live-betting\.example already, at \S+, for 2 h, with the reason “booking for customer”\. That request stays/,
    );
    expect(await ask(`${blockedSite} for 1h --reason "me too"`, 'alice')).toMatch(
      /requested already, by others\. You were added to that request, with your reason beside .*: for 2 h/,
    );
    expect(newest(await type('/appliance requests', 'vic', 'random'))).toMatch(
      /You have requested 1 site[\s\S]*live-betting\.example {2}2 h {2}booking for customer .* Waits for an approval until/,
    );
    expect(newest(await write('my requests', 'alice', 'appliance-bot'))).toContain(
      'You have requested 1 site',
    );
    const [viewer, operator] = [
      newest(await type('/appliance requests', 'alice')),
      newest(await type('/appliance requests', 'bob')),
    ];
    expect(viewer).toMatch(/Waiting for others here[\s\S]*@vic/);
    expect(viewer).not.toContain('[Approve');
    expect(operator).toContain('[Approve] [Deny…]');
    expect(newest(await type('/appliance requests', 'gus', 'random'))).not.toContain('live-betting');
  });

  test('is closed where nothing blocks it, and refused where its category is excluded', async () => {
    const { ask, read } = await asking({ not: ['malware'] });
    const before = read('bob');
    expect(await ask('example.org --reason x')).toContain(
      'example.org is not blocked, so there was nothing to decide',
    );
    // People without a role learn no address and no test results.
    expect(read('vic', 'random')).not.toMatch(/Tested|HTTP|\d+\.\d+\.\d+/);
    const refused = await ask('eicar.org --reason x');
    expect(refused).toMatch(/eicar\.org is blocked and can’t be requested: it is in category malware/);
    expect(refused).toMatch(/Talk to .*@bob/);
    expect(read('bob')).toBe(before);
  });

  test('can’t be asked for without a rule in the policy, or by other people, or elsewhere', async () => {
    const off = await asking({}, { self_service: undefined });
    expect(await off.ask(line)).toContain('Requesting sites is not enabled. Nothing was requested.');
    const some = await asking({ askers: ['U0ALICE001'], from: ['C0HELPDESK'] });
    expect(await some.ask(line)).toContain('the policy doesn’t include you');
    expect(await some.ask(line, 'alice')).toContain('can’t be requested in this channel');
    expect(await some.ask(line, 'gus')).toContain('the policy doesn’t include you');
  });

  test('stays open when somebody without the right presses, and cannot be decided by its requester', async () => {
    const { ask, type, press, read, orders } = await asking();
    await type(`/appliance ask ${line}`, 'bob');
    expect(await press('Approve', 'alice')).toContain('requires the operator or admin role to approve');
    expect(await press('Approve', 'bob')).toContain(
      'You asked for this yourself. Your click did nothing. Somebody else has to approve or deny it.',
    );
    expect(orders()).toBe(0);
    expect(await ask(line)).toContain('was requested already');
    expect(read('dana')).toContain('Also asked by  @vic for 2 h: booking for customer');
    expect(await press('Approve', 'dana')).toMatch(/Approved by {2}@dana/);
  });

  test('expires when nobody decides, and says so', async () => {
    const { ask, heard, pass, read } = await asking({ open: '1h' });
    await ask(line);
    await pass(hour + minute);
    expect(read('bob')).toMatch(/Not done: .*live-betting\.example.*Nobody approved it in time/);
    expect(heard()).toContain('Nobody approved your request for live-betting.example in time');
  });
});

describe('asking for a site is offered', () => {
  test('under the answer of why to people who may not allow it, and to others the line that does', async () => {
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

  test('to somebody without a role who asks in their own words, wherever they are', async () => {
    const { ask, type, write, person, read } = await asking();
    const offer = '[Ask for the site]';
    const said = async (line: string, by: string, channel?: string) =>
      newest(await type(`/appliance ${line}`, by, channel));
    for (const line of [`please unblock ${blockedSite}`, `can you open ${blockedSite}`]) {
      expect(await said(line, 'vic')).toMatch(
        /^.*\n {2}You can request live-betting\.example:.*\n.*\[Ask for the site\]$/,
      );
      // People who may allow it read the line for it.
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
    expect(await type('/appliance requests', 'bob')).toMatch(
      /2 requests wait[\s\S]*for 1 h[\s\S]*\[Approve\]/,
    );
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
    // They also read there what is wrong with a line that they may type.
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
  test('are a request each, and each refused one is named with the reason', async () => {
    const { ask, read } = await asking({ per_person: { open: 2 }, not: ['malware'] });
    const said = await ask(
      `bwin.com, example.org eicar.org BWIN.com. ${blockedSite} and xhamster.com for 2h --reason "x"`,
    );
    expect(said).toContain('2 of 5 sites requested. You will get a direct message when they are decided.');
    expect(said).toMatch(/• bwin\.com: waits for a decision until (?:today|tomorrow) \S+, for 2 h/);
    expect(said).toContain('• ☑ example.org is not blocked');
    expect(said).toMatch(/• eicar\.org is blocked and can’t be requested: it is in category malware/);
    expect(said).toMatch(/• xhamster\.com: not requested\. You have 2 open requests/);
    expect(read('bob').match(/@vic asks for/g)).toHaveLength(2);
  });
});

describe('a site that is allowed by a click', () => {
  test('is allowed once, whoever else presses at the same moment', async () => {
    const { ask, person, soon, orders, read } = await asking();
    await ask(line);
    await Promise.all(['bob', 'dana'].map((name) => person(name).press('helpdesk', 'Approve')));
    await soon();
    expect(orders()).toBe(1);
    expect(read('bob').match(/added to category personal_allowed/g)).toHaveLength(1);
  });

  test('takes the approvals that its line needs, each of somebody else, and is over where one of them denies', async () => {
    const approvals = [{ commands: [{ phrase: 'category add' }], by: ['approver', 'admin'], count: 2 }];
    const { ask, press, soon, heard, read, person, isAllowed } = await asking({}, { approvals });
    await ask(line);
    expect(read('bob')).toMatch(
      /Needs {2}1 approval by operator or admin.* and 2 approvals by approver or admin/,
    );
    await press('Approve', 'bob');
    await press('Approve', 'carol');
    await soon();
    expect(isAllowed()).toBe(false);
    await press('Approve', 'dana');
    await soon();
    expect(isAllowed()).toBe(true);
    expect(heard()).toMatch(/is allowed, until \S+\. Approved by @bob, @carol and @dana\./);
    await ask('bwin.com for 1h --reason "fair"');
    await press('Approve', 'bob');
    const carol = person('carol');
    await carol.press('helpdesk', 'Deny…');
    await carol.fill({ Reason: 'not today' });
    await carol.submit();
    expect(heard()).toContain('Your request for bwin.com was denied by @carol: not today');
  });

  test('is for good only where the policy permits that', async () => {
    const { ask, press, pass, heard, isAllowed } = await asking({ for_good: true });
    expect(await ask(`${blockedSite} for good --reason x`)).toContain(
      'Requested: live-betting.example for good.',
    );
    await press('Approve', 'bob');
    await pass(minute);
    expect(isAllowed()).toBe(true);
    expect(heard()).toContain('✅ live-betting.example is allowed, with no end. Approved by @bob.');
  });

  test('is ended early or extended in the thread, and the requester hears of that, too', async () => {
    const { ask, press, soon, pass, heard, isAllowed } = await asking();
    await ask(line);
    await press('Approve', 'bob');
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
  test('is one for all who ask for the site, also at the same moment, and all hear what becomes of it', async () => {
    const { type, ask, press, soon, heard, read, orders } = await asking();
    await Promise.all(['vic', 'alice'].map((name) => type(`/appliance ask ${line}`, name, 'random')));
    await ask(`${blockedSite} for 1h --reason "me too"`, 'carol');
    const card = read('bob');
    expect(card.match(/ask for live-betting\.example/g)).toHaveLength(1);
    expect(card).toMatch(/and 2 more ask for[\s\S]*Also asked by {2}@carol for 1 h: me too/);
    await press('Approve', 'bob');
    await soon();
    expect(orders()).toBe(1);
    for (const name of ['vic', 'alice', 'carol'])
      expect(heard(name), name).toMatch(
        /✅ live-betting\.example is allowed, until \S+\. Approved by @bob\./,
      );
    expect(heard('bob')).not.toContain('is allowed');
  });

  test('stays open for the others when one of them withdraws, and is over with the last', async () => {
    const { ask, type, heard, press, read, orders } = await asking();
    await ask(line);
    await ask(`${blockedSite} for 1h --reason "me too"`, 'alice');
    const withdraw = (name: string) => type(`/appliance withdraw ${blockedSite}`, name, 'random');
    expect(await withdraw('vic')).toContain('Others asked for it, too, and theirs stays open.');
    expect(newest(read('bob'))).toContain('@alice asks for live-betting.example for 2 h');
    // Who has asked first stands for nobody any more, and still does not approve it.
    await press('Withdraw', 'alice');
    expect(newest(read('bob'))).toMatch(/Not done: .*Withdrawn by @alice/);
    expect([orders(), heard('vic').includes('denied')]).toEqual([0, false]);
    expect(await withdraw('alice')).toContain('You have no open request for live-betting.example');
  });

  test('is not made where no appliance can be asked, which whoever asks is told at once', async () => {
    const { ask, appliance, read, heard } = await asking();
    for (const call of ['GET /categories/query/{domain}', 'GET /analyze/website/direct/{domain}'])
      appliance.faults.set(call, { kind: 'status', status: 503 });
    expect(await ask(line)).toMatch(
      /live-betting\.example was not requested\. It couldn’t be looked at right now.* Try again in a few minutes/,
    );
    expect(read('bob')).not.toContain('asks for');
    appliance.faults.clear();
    expect(await ask(line)).toContain('Requested: live-betting.example');
    expect(heard()).not.toContain('not requested');
  });

  test('counts against the limits for one person, at once and within a day', async () => {
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

  test('stands on the pages of its requester and of the deciders, where it is decided as well', async () => {
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
    expect(await home('bob')).toMatch(/Waiting for your approval.*live-betting\.example.*Approve/);
    await person('bob').press('home', 'Approve');
    await soon();
    expect(isAllowed()).toBe(true);
    expect(heard()).toContain('Approved by @bob');
  });
});
