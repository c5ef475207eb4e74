import { describe, expect, test } from 'vitest';
import { asking, blockedSite } from './asking.ts';

const minute = 60_000;
const hour = 60 * minute;
const line = `${blockedSite} for 2h --reason "booking for customer"`;

describe('who has asked for a site', () => {
  test('hears of the end that counts where somebody else has allowed it for a time already', async () => {
    const { ask, type, press, pass, soon, heard, isAllowed } = await asking();
    await ask(line);
    await type(`/appliance category add ${blockedSite} to 207 --for 30m`, 'dana');
    await press('Allow for 2 h', 'bob');
    await soon();
    expect(heard()).toMatch(/works since \S+, until \S+\. Allowed by @bob/);
    // Whoever asks now hears until when, and hears of the end.
    expect(await ask(`${blockedSite} --reason "me, too"`, 'alice')).toMatch(/works since \S+, until/);
    await pass(2 * hour + minute);
    await pass(minute);
    expect(isAllowed()).toBe(false);
    expect(heard()).toContain('the time it was allowed for is over');
    expect(heard('alice')).toContain('the time it was allowed for is over');
  });

  test('hears until when it works where somebody has allowed it by hand for longer, and nothing is sent again', async () => {
    const { ask, type, press, soon, heard, read, orders } = await asking();
    await ask(line);
    await type(`/appliance category add ${blockedSite} to 207 --for 4h`, 'dana');
    const sent = orders();
    await soon();
    await press('Allow for 2 h', 'bob');
    await soon();
    expect(orders()).toBe(sent);
    expect(heard()).toMatch(/works since \S+, until \S+\. Allowed by @dana/);
    expect(read('bob')).toMatch(/works since \S+, until \S+, allowed by @dana/);
  });

  test('is told that it stays allowed when somebody keeps it for good', async () => {
    const { ask, type, press, pass, soon, heard, read } = await asking();
    await ask(line);
    await press('Allow for 2 h', 'bob');
    await soon();
    await type(`/appliance category add ${blockedSite} to 207`, 'dana');
    await press('Keep', 'dana');
    await pass(minute);
    await pass(minute);
    expect(heard()).toContain('✅ live-betting.example now stays allowed, with no end.');
    expect(heard()).not.toContain('If it is still needed');
    expect(read('bob')).toContain('✅ live-betting.example now stays allowed, with no end');
  });

  test('hears that what was allowed with no end was undone', async () => {
    const { ask, press, pass, soon, heard, read } = await asking({ for_good: true });
    await ask(`${blockedSite} for good --reason x`);
    await press('Allow for good', 'bob');
    await soon();
    expect(heard()).toMatch(/works since \S+, with no end\. Allowed by @bob/);
    await press('Undo', 'dana');
    await pass(minute);
    expect(heard()).toContain('@dana undid it at');
    expect(read('bob')).toMatch(/☑ live-betting\.example: @dana undid it/);
  });

  test('hears by whom it was ended early, and when it could not be ended', async () => {
    const { ask, type, press, pass, soon, heard, read, appliance } = await asking();
    await ask(line);
    await press('Allow for 2 h', 'bob');
    await soon();
    appliance.faults.set('GET /categories/delete/{id}/{site}', { kind: 'status', status: 503 });
    await press('End now', 'bob');
    await pass(minute);
    expect(heard()).toContain('is over, but it could not be ended so far');
    expect(read('bob')).toContain('it could not be ended so far');
    appliance.faults.clear();
    await pass(20 * minute);
    await pass(minute);
    expect(heard()).toMatch(/@bob ended it early at/);
    expect(await type('/appliance audit', 'bob')).toMatch(
      /\(The request for live-betting\.example\).*☑ live-betting\.example: @bob ended it early/,
    );
  });

  test('and cannot be told in person is named to whoever has decided, and on the card', async () => {
    const { ask, press, soon, heard, read, workspace } = await asking();
    await ask(line);
    await ask(line, 'alice');
    const refusal = { kind: 'error', error: 'user_not_found' } as const;
    workspace.faults.next('chat.postMessage', refusal, 9, 'U0VIC00001');
    await press('Allow for 2 h', 'bob');
    await soon();
    expect(heard()).not.toContain('works since');
    expect(heard('alice')).toContain('works since');
    const told =
      'live-betting.example for @vic. ⚠ @vic (user_not_found) can’t be reached in a direct message';
    expect(heard('bob')).toContain(`You decided on ${told}`);
    expect(read('dana')).toContain(
      'Not told  ⚠ @vic (user_not_found) can’t be reached in a direct message. Tell',
    );
  });

  test('hears what others have said whose approval it needs', async () => {
    const approvals = [{ commands: [{ phrase: 'category add' }], by: 'approver' }];
    const { ask, press, pass, soon, heard, person } = await asking({ open: '1h' }, { approvals });
    await ask(line);
    await press('Allow for 2 h', 'bob');
    const carol = person('carol');
    await carol.press('helpdesk', 'Deny…');
    await carol.fill({ Reason: 'not today' });
    await carol.submit();
    await soon();
    expect(heard()).toMatch(
      /was not allowed\. @bob pressed Allow, and it was not done: Denied by @carol.*not today/,
    );
    await pass(hour + minute);
    expect(heard()).toContain('was not allowed in time, so it expired. @bob pressed Allow');
    expect(heard()).not.toContain('Nobody decided');
  });
});

test('the ticket that Allow wants is entered in a form, which is the press', async () => {
  const required = [{ commands: [{ effect: 'write' }] }];
  const tickets = { pattern: '^CHG-[0-9]+$', example: 'CHG-123', required };
  const { ask, person, pass, soon, heard, bot, isAllowed } = await asking({}, { tickets });
  await ask(line);
  const bob = person('bob');
  await bob.press('helpdesk', 'Allow for 2 h');
  await bob.press('helpdesk', 'Enter a ticket');
  await bob.fill({ Ticket: 'CHG-7' });
  await bob.submit();
  await bot.idle();
  await soon();
  await pass(6_000);
  await pass(6_000);
  expect(isAllowed()).toBe(true);
  expect(heard()).toMatch(/works since \S+, until \S+\. Allowed by @bob/);
});

test('of two appliances, one that is away is told as not known, and not as blocked', async () => {
  const { ask, press, pass, heard, read, branches } = await asking(
    { appliances: ['hq', 'branch-2'] },
    {},
    { branches: 1 },
  );
  await ask(line);
  await press('Allow for 2 h', 'bob');
  branches
    .get('branch-2')
    ?.faults.set('GET /analyze/website/direct/{domain}', { kind: 'status', status: 503 });
  await pass(minute);
  await pass(6 * minute);
  expect(`${heard()} ${read('bob')}`).not.toContain('still blocked');
  expect(heard()).toContain('live-betting.example works');
});
