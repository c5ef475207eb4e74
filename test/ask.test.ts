import { describe, expect, test } from 'vitest';
import { asking, blockedSite } from './asking.ts';

const minute = 60_000;
const hour = 60 * minute;
const line = `${blockedSite} for 2h --reason "booking for customer"`;

describe('a site that somebody without any role asks for', () => {
  test('is allowed for that time by a click, hears when it works and until when, and that it is over', async () => {
    const { ask, heard, press, read, pass, soon, isAllowed } = await asking();
    expect(await ask(line)).toMatch(
      /Requested: live-betting\.example for 2 h\. You will get a direct message/,
    );
    const card = read('bob');
    expect(card).toContain('@vic asks for live-betting.example for 2 h');
    expect(card).toContain('Reason  booking for customer');
    expect(card).toMatch(/Found {2}live-betting\.example is blocked: the proxy refuses it \(HTTP 403\)/);
    expect(card).toContain('[Allow for 2 h] [Deny…]');
    const after = await press('Allow for 2 h', 'bob');
    expect(after).not.toContain('[Deny…]');
    expect(after).toContain('✅ live-betting.example added to category personal_allowed, until');
    await soon();
    expect(isAllowed()).toBe(true);
    expect(read('bob')).toMatch(/✅ live-betting\.example works since \S+, until \S+, allowed by @bob/);
    expect(heard()).toMatch(/✅ live-betting\.example works since \S+, until \S+\. Allowed by @bob\./);
    await pass(2 * hour + minute);
    await pass(minute);
    expect(isAllowed()).toBe(false);
    expect(heard()).toContain('the time it was allowed for is over');
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

  test('closes itself where nothing blocks it, and is refused where its category may not be asked for', async () => {
    const { ask, read } = await asking({ not: ['malware'] });
    const before = read('bob');
    expect(await ask('example.org --reason x')).toContain(
      'example.org is not blocked, so there was nothing to decide',
    );
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
    const { ask, heard, pass, read } = await asking({ open: '1h' });
    await ask(line);
    await pass(hour + minute);
    expect(read('bob')).toContain('⌛ live-betting.example: nobody decided in time');
    expect(heard()).toContain('Nobody decided on your request for live-betting.example in time');
  });
});
