import { describe, expect, test } from 'vitest';
import { asking, blockedSite, newest } from './asking.ts';

const minute = 60_000;
const hour = 60 * minute;
const line = `${blockedSite} for 2h --reason "booking for customer"`;

describe('a site that is allowed for a time', () => {
  test('needs no other request, and is asked for longer by who says so, which whoever may decides', async () => {
    const { ask, press, soon, pass, heard, read, isAllowed, workspace } = await asking({ not: ['malware'] });
    await ask(line);
    await press('Allow for 2 h', 'bob');
    await soon();
    for (const again of [`${blockedSite} --reason again`, `${blockedSite} for 1h --reason again`])
      expect(await ask(again)).toMatch(/works since \S+, until \S+, allowed by @bob\. Nothing was requested/);
    expect(await ask(`${blockedSite} --reason "me, too"`, 'alice')).toContain(
      'Nothing was requested; you will',
    );
    const cards = () =>
      workspace.snapshot('U0BOB00001').messages.filter(({ text }) => text.includes('ask')).length;
    const before = cards();
    expect(await ask(`${blockedSite} for 2h more --reason "still booking"`)).toMatch(
      /Requested: live-betting\.example for 2 h more, and it stays allowed until/,
    );
    expect(cards()).toBe(before + 1);
    expect(newest(read('bob'))).toMatch(
      /@vic asks for live-betting\.example for 2 h more, which is allowed until/,
    );
    await press('Allow for 2 h more', 'bob');
    await soon();
    await soon();
    await pass(3 * hour);
    expect(isAllowed()).toBe(true);
    await pass(hour);
    await pass(minute);
    expect(isAllowed()).toBe(false);
    // Each hears of the end once.
    for (const one of ['vic', 'alice'])
      expect(heard(one).match(/the time it was allowed for is over/g), one).toHaveLength(1);
  });

  test('and is ended early while more is asked for is shown as it is then, to whoever decides', async () => {
    const { ask, type, press, soon, pass, read } = await asking();
    await ask(line);
    await press('Allow for 2 h', 'bob');
    await soon();
    const said = await ask(`${blockedSite} for 2h more --reason "still booking"`);
    expect(said).not.toContain('could not be seen');
    expect(newest(read('bob'))).toContain('Categories  personal_allowed (207)');
    await type(`/appliance end ${blockedSite}`, 'dana', 'helpdesk');
    await press('End now', 'dana');
    await soon();
    await pass(30_000);
    const card =
      read('bob')
        .split('\n\n')
        .find((one) => one.includes('@vic asks for')) ?? '';
    expect(card).toContain('@vic asks for live-betting.example for 2 h\n');
    expect(card).toContain('Categories  none');
    expect(card).toMatch(/Found {2}live-betting\.example is blocked/);
    expect(card).toMatch(/It was allowed until \S+.*, and somebody has ended that early since\./);
    expect(card).toContain('[Allow for 2 h] [Deny…]');
  });
});

describe('a site that several ask for', () => {
  test('stands for each with their own time and reason, and those who decide see the longest', async () => {
    const { ask, type, read, press } = await asking();
    await ask(line);
    expect(await ask(`${blockedSite} for 3h --reason "me, too"`, 'alice')).toContain(
      'added to that request, for 3 h',
    );
    const card = newest(read('dana'));
    expect(card).toContain('@vic and 1 more ask for live-betting.example for 3 h');
    expect(card).toContain('[Allow for 3 h] [Deny…]');
    expect(newest(await type('/appliance requests', 'vic', 'random'))).toMatch(
      / 2 h {2}booking for customer/,
    );
    expect(newest(await type('/appliance requests', 'alice', 'random'))).toMatch(/ 3 h {2}me, too/);
    expect(await press('Allow for 3 h', 'bob')).toContain('allowed by @bob');
  });
});

describe('who does not need a site any more', () => {
  test('withdraws their request, of several theirs alone, and nobody has to decide what nobody wants', async () => {
    const { ask, type, press, read, soon } = await asking();
    const withdraw = async (by: string) =>
      newest(await type(`/appliance withdraw ${blockedSite}`, by, 'random'));
    expect(await withdraw('vic')).toContain('You have no open request for live-betting.example');
    expect(await ask(line)).toContain('[Withdraw]');
    await ask(`${blockedSite} for 1h --reason "me, too"`, 'alice');
    expect(await withdraw('vic')).toContain('Others asked for it, too, and theirs stays open.');
    const card = newest(read('bob'));
    expect(card).toContain('@alice asks for live-betting.example for 1 h');
    expect(card).not.toContain('@vic');
    expect(await withdraw('bob')).toContain('You have no open request');
    expect(await withdraw('alice')).toContain('Nobody has to decide it any more.');
    expect(newest(read('bob'))).toContain('@alice withdrew the request');
    expect(newest(read('bob'))).not.toContain('[Allow');
    await ask(line);
    await press('Allow for 2 h', 'bob');
    await soon();
    expect(await withdraw('vic')).toMatch(/is allowed already, until \S+, so there is nothing to withdraw/);
  });
});
