import { describe, expect, test } from 'vitest';
import { asking, blockedSite, newest } from './asking.ts';

const minute = 60_000;
const hour = 60 * minute;
const line = `${blockedSite} for 2h --reason "booking for customer"`;

describe('somebody who has asked for a site', () => {
  test('is told that it stays allowed when somebody keeps it for good', async () => {
    const { ask, type, press, pass, soon, heard } = await asking();
    await ask(line);
    await press('Approve', 'bob');
    await soon();
    await type(`/appliance category add ${blockedSite} to 207`, 'dana');
    await press('Keep', 'dana');
    await press('Keep', 'dana');
    await pass(minute);
    await pass(minute);
    expect(heard()).toContain('✅ live-betting.example now stays allowed, with no end.');
    expect(heard()).not.toContain('If it is still needed');
  });

  test('is told that what was allowed for good was undone, and by whom', async () => {
    const { ask, type, press, pass, soon, heard } = await asking({ for_good: true });
    await ask(`${blockedSite} for good --reason x`);
    await press('Approve', 'bob');
    await soon();
    await press('Undo', 'dana');
    await pass(minute);
    expect(heard().match(/live-betting\.example: @dana undid it at/g)).toHaveLength(1);
    expect(newest(await type('/appliance requests', 'vic', 'random'))).toContain(
      'live-betting.example was allowed, and that was undone',
    );
  });

  test('is told who ended it early, and when it could not be ended', async () => {
    const { ask, type, press, pass, soon, heard, appliance } = await asking();
    await ask(line);
    await press('Approve', 'bob');
    await soon();
    appliance.faults.set('GET /categories/delete/{id}/{site}', { kind: 'status', status: 503 });
    await press('End now', 'bob');
    await pass(minute);
    expect(heard()).toContain('is over, but it could not be ended so far on hq');
    expect(newest(await type('/appliance requests', 'vic', 'random'))).toContain(
      'its time is over, but it could not be ended so far',
    );
    appliance.faults.clear();
    await pass(20 * minute);
    await pass(minute);
    expect(heard()).toMatch(/@bob ended it early at/);
    expect(heard().match(/could not be ended/g)).toHaveLength(1);
  });

  test('is named below the card when they cannot be told in person, and others are told', async () => {
    const { ask, press, soon, heard, read, workspace } = await asking();
    await ask(line);
    await ask(line, 'alice');
    const refusal = { kind: 'error', error: 'user_not_found' } as const;
    workspace.faults.next('chat.postMessage', refusal, 9, 'U0VIC00001');
    await press('Approve', 'bob');
    await soon();
    expect(heard()).not.toContain('is allowed');
    expect(heard('alice')).toContain('✅ live-betting.example is allowed');
    expect(read('dana')).toContain(
      '⚠ @vic can’t be reached in a direct message (user_not_found). Tell them yourself.',
    );
  });

  test('withdraws only their own request, and nobody has to decide one that nobody wants', async () => {
    const { ask, type, press, read, soon } = await asking();
    const withdraw = async (by: string) =>
      newest(await type(`/appliance withdraw ${blockedSite}`, by, 'random'));
    expect(await withdraw('vic')).toContain('You have no open request for live-betting.example');
    expect(await ask(line)).toContain('[Withdraw]');
    await ask(`${blockedSite} for 1h --reason "me, too"`, 'alice');
    expect(await withdraw('vic')).toContain('Others asked for it, too, and theirs stays open.');
    expect(newest(read('bob'))).toContain('@alice asks for live-betting.example');
    expect(newest(read('bob'))).not.toContain('Asked by  @vic');
    expect(await withdraw('bob')).toContain('You have no open request');
    expect(await withdraw('alice')).toContain('No decision is needed any more.');
    expect(newest(read('bob'))).toContain('Withdrawn by @alice. No changes were made.');
    expect(newest(read('bob'))).not.toContain('[Approve');
    await ask(line);
    await press('Approve', 'bob');
    await soon();
    expect(await withdraw('vic')).toMatch(/is allowed already, until \S+, so there is nothing to withdraw/);
  });
});

test('where the policy requires a ticket for the change, a site cannot be requested', async () => {
  const required = [{ commands: [{ effect: 'write' }] }];
  const tickets = { pattern: '^CHG-[0-9]+$', example: 'CHG-123', required };
  const { ask, read } = await asking({}, { tickets });
  expect(await ask(line)).toContain('The policy wants a ticket for it, which a request can’t give.');
  expect(read('bob')).not.toContain('asks for');
});

describe('a site that is allowed on several appliances', () => {
  async function onTwo() {
    const house = await asking({ appliances: ['hq', 'branch-2'] }, {}, { branches: 1 });
    const branch = house.branches.get('branch-2');
    if (branch === undefined) throw new Error('There is no branch-2');
    branch.state.directory.version.servicePack = '5';
    // The bot has forgotten by then which release it had.
    await house.pass(hour);
    return { ...house, branch };
  }

  test('is not while one of them cannot tell whether it is blocked', async () => {
    const { ask, press, soon, heard, isAllowed, branch } = await onTwo();
    const away = () => {
      for (const call of ['GET /analyze/website/direct/{domain}', 'GET /categories/query/{domain}'])
        branch.faults.set(call, { kind: 'status', status: 503 });
    };
    away();
    expect(await ask(line)).toContain('It couldn’t be looked at right now whether it is blocked.');
    branch.faults.clear();
    expect(await ask(line)).toContain('Requested: live-betting.example');
    away();
    expect(await press('Approve', 'bob')).toMatch(
      /It was not allowed: whether live-betting\.example is blocked can’t be read now on branch-2.*Approve it again in a minute/,
    );
    expect(isAllowed()).toBe(false);
    branch.faults.clear();
    await press('Approve', 'bob');
    await soon();
    expect(isAllowed()).toBe(true);
    expect(heard().match(/live-betting\.example is allowed/g)).toHaveLength(1);
  });

  test('is reported as allowed in part where the change fails on one of them', async () => {
    const { ask, type, press, pass, soon, heard, isAllowed, branch } = await onTwo();
    await ask(line);
    branch.faults.set('GET /categories/{id}/{site}', { kind: 'status', status: 503 });
    await press('Approve', 'bob');
    await soon();
    expect(isAllowed()).toBe(true);
    expect(heard()).toContain('live-betting.example is allowed in part');
    expect(heard()).not.toContain('was not allowed');
    expect(newest(await type('/appliance requests', 'vic', 'random'))).toContain(
      'is allowed on some of your appliances only',
    );
    branch.faults.clear();
    await pass(2 * hour + minute);
    await pass(minute);
    expect(isAllowed()).toBe(false);
    expect(heard()).toContain('the time it was allowed for is over');
  });
});
