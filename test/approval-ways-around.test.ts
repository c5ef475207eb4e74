import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sandboxRoles } from '../sandbox/sandbox.ts';
import { needing, sent, under } from './approving.ts';
import { type Conversation, converse } from './conversation.ts';
import { ask, type Life, lives, waitingIn } from './lives.ts';

const minute = 60_000;
const disconnect = '/appliance rdp disconnect 12';

/** The newest line: a form that was opened and a click that did nothing have records of their own. */
const newest = async ({ bot }: Conversation) =>
  (await bot.journal.recent(20)).find(({ interaction }) => interaction === undefined);

const error = { kind: 'error', error: 'internal_error' } as const;

describe('a request for approval', () => {
  test('for a dry run shows nothing before somebody has agreed', async () => {
    const house = await under({}, { roles: { operator: ['U0BOB00001'] } });
    expect(await house.type(`${disconnect} --dry-run`, 'vic')).toContain(
      'rdp disconnect requires the operator',
    );
    const card = await house.press('Ask for approval', 'vic');
    expect(card).toContain('Show @vic what this would send: “rdp disconnect 12 --dry-run”?');
    expect(card).not.toMatch(/bob\.miller|would get/);
    expect(await house.press('Approve', 'bob')).toContain(
      'Dry run: 1 request would be sent. No changes were made.',
    );
    expect(sent(house)).toBe(0);
  });

  test('for a lookup beyond the limits of a role waits for its approval like any other', async () => {
    const house = await under(
      {
        roles: {
          'news-reader': {
            summary: 'looks at category 252',
            commands: [{ phrase: 'category show', where: { category: [252] } }],
          },
        },
      },
      { roles: { 'news-reader': ['U0ALICE001'], operator: ['U0BOB00001'] } },
    );
    expect(await house.type('/appliance category show 23')).toContain(
      'You may run category show only with category 252.',
    );
    expect(await house.press('Ask for approval')).toContain('Look this up for @alice: “category show 23”?');
    expect(await house.press('Approve', 'bob')).toContain('@bob approved this for @alice.');
    expect(await newest(house)).toMatchObject({ state: 'done', decidedBy: 'U0BOB00001' });
  });

  test('is not offered where the groups that could approve it are empty', async () => {
    const house = await under({}, { roles: { operator: ['S0OPERATOR'] } });
    await house.workspace.changeUserGroup('S0OPERATOR', { users: [] });
    expect(await house.type(disconnect, 'vic')).not.toContain('[Ask for approval]');
  });

  test('tells the approvers that the requester could not run it alone', async () => {
    const house = await converse();
    await house.type(disconnect, 'vic');
    expect(await house.press('Ask for approval', 'vic')).toContain(
      'Asked by  @vic, who can’t run it without approval',
    );
  });

  test('ends with the account of the requester', async () => {
    const house = await converse();
    await house.type(disconnect, 'vic');
    await house.press('Ask for approval', 'vic');
    await house.workspace.changePerson('U0VIC00001', { deleted: true });
    await house.press('Approve', 'bob');
    expect(await house.press('Yes, approve', 'bob')).toContain(
      'who asked for this, can no longer run it: their account is deactivated',
    );
    expect(sent(house)).toBe(0);
  });

  test('is not approved by the requester’s other account, also while Slack does not tell whose it is', async () => {
    const house = await under({}, { roles: { viewer: 'everyone', operator: ['U0CAROL001'] } });
    await house.type(disconnect, 'carla');
    await house.press('Ask for approval', 'carla');
    expect(await house.press('Approve', 'carol')).toContain('You asked for this with your other account');
    house.wait(6 * minute);
    house.workspace.faults.next('users.info', error, 2);
    expect(await house.press('Approve', 'carol')).toContain('Couldn’t find out from Slack who you are');
    house.workspace.faults.next('users.info', { kind: 'delay', ms: 0 });
    house.workspace.faults.next('users.info', error);
    expect(await house.press('Approve', 'carol')).toContain('couldn’t find out from Slack who they are');
    expect(sent(house)).toBe(0);
  });

  test('names a role once that both grants and approves', async () => {
    const house = await under(
      { approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: 'operator', count: 2 }] },
      { roles: { operator: ['S0OPERATOR'] } },
    );
    await house.type(disconnect, 'vic');
    expect(await house.press('Ask for approval', 'vic')).toMatch(
      / {2}2 approvals by operator \(@operators\)\n/,
    );
  });

  test('changes nothing from a channel that has been shared meanwhile, whoever approves it', async () => {
    const house = await under(
      { approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: 'operator' }] },
      { roles: { operator: ['S0OPERATOR'] } },
    );
    await house.type(disconnect, 'vic');
    await house.press('Ask for approval', 'vic');
    await house.workspace.changeChannel('C0HELPDESK', { isExtShared: true });
    await house.press('Approve', 'bob');
    expect(sent(house)).toBe(0);
    expect(house.read('bob')).toContain(
      'Changes are blocked in #helpdesk, because it is shared with another organization',
    );
  });
});

describe('a lookup', () => {
  const show = { phrase: 'category show' };
  const exempt = {
    commands: [{ ...show, where: { category: [252] } }],
    by: 'approver',
    not_needed: ['Mon-Sun'],
  };

  test('waits for its approval where only some commands of its kind are exempt', async () => {
    const house = await under({ approvals: [exempt, { commands: [show], by: 'approver' }] });
    expect(await house.type('/appliance category show 252')).not.toContain('[Approve]');
    expect(await house.type('/appliance category show 23')).toContain('[Approve]');
    await house.press('Approve', 'carol');
    expect(await newest(house)).toMatchObject({ state: 'done', decidedBy: 'U0CAROL001' });
  });

  test('waits for its approval where the exempt role does not allow these arguments', async () => {
    const house = await under(
      {
        roles: {
          reader: { summary: 'knows one', commands: [{ ...show, where: { category: [252] } }] },
        },
        approvals: [{ commands: [show], by: 'approver', requesters: ['viewer'] }],
      },
      { roles: { viewer: 'everyone', reader: ['U0ALICE001'], approver: ['S0APPROVER'] } },
    );
    expect(await house.type('/appliance category show 252')).not.toContain('[Approve]');
    expect(await house.type('/appliance category show 23')).toContain('[Approve]');
  });
});

test('a change without a confirmation does not run when the role is gone during its preview', async () => {
  const house = await under({}, { roles: { operator: ['S0OPERATOR'] } });
  const [object] = [...house.appliance.state.acl.objects.values()];
  house.appliance.faults.set('GET /proxy/acls/objects', { kind: 'slow', ms: 500 });
  const typed = house.type(`/appliance acl object disable ${object?.id}`, 'bob');
  // The bot has resolved the ID and is reading the preview then.
  await expect
    .poll(() => house.appliance.requests.filter(({ path }) => path === '/proxy/acls/objects').length)
    .toBe(2);
  await house.workspace.changeUserGroup('S0OPERATOR', { users: [] });
  expect(await typed).toContain('acl object disable requires the operator role in #helpdesk');
  expect(await newest(house)).toMatchObject({ state: 'refused' });
});

describe('several objects in one line', () => {
  const rule = (record: number, by: string, count = 1) => ({
    commands: [{ phrase: 'acl record delete', where: { record: [record] } }],
    ...{ by, count },
  });

  test('need the approvals of each, so adding one removes none', async () => {
    const house = await under({ approvals: [rule(102, 'approver'), rule(107, 'admin')] });
    const card = await house.type('/appliance acl record delete 107 102', 'bob');
    expect(card).toContain('1 approval by approver (@approvers) and 1 approval by admin (@admins)');
    await house.press('Approve', 'carol');
    expect(await newest(house)).toMatchObject({ state: 'waiting' });
    await house.press('Approve', 'dana');
    expect(await newest(house)).toMatchObject({ state: 'done' });
  });

  test('need the approvals of the same role once, as many as the strictest rule requires', async () => {
    const house = await under({ approvals: [rule(102, 'approver'), rule(107, 'approver', 2)] });
    const card = await house.type('/appliance acl record delete 107 102', 'bob');
    expect(card).toMatch(/\n {2}\w+ {2}2 approvals by approver \(@approvers\)\n/);
  });
});

describe('a name that means different objects on several appliances', () => {
  /** Object 1 and 2 change their names on the branch. */
  const houses = async (
    policy: Readonly<Record<string, unknown>>,
    roles: Readonly<Record<string, unknown>>,
  ) => {
    const house = await converse({
      branches: 1,
      policy: {
        channels: { C0HELPDESK: { appliance: 'hq', appliances: 'all', roles } },
        ...policy,
      },
    });
    const branch = house.branches.get('branch-2')?.state.acl.objects ?? new Map();
    const [one, two] = [...branch.values()];
    branch.set(one.id, { ...one, name: two.name });
    branch.set(two.id, { ...two, name: one.name });
    return { house, one, two };
  };
  const objects = async () => {
    const { appliance } = await converse();
    const [one, two] = [...appliance.state.acl.objects.values()];
    if (one === undefined || two === undefined) throw new Error('The company has two ACL objects');
    return { one, two };
  };

  test('is checked against the limits of a role on each of them', async () => {
    const { one } = await objects();
    const { house } = await houses(
      {
        roles: {
          keeper: {
            summary: 'keeps one',
            commands: [{ phrase: 'acl object disable', where: { object: [one.id] } }],
          },
        },
      },
      { keeper: ['U0ALICE001'], operator: ['U0BOB00001'] },
    );
    expect(await house.type(`/appliance acl object disable ${one.name} --on all`)).toContain('You may run');
    expect(await house.type(`/appliance acl object disable ${one.name}`)).toContain('✅');
  });

  test('needs an approval when one of its objects needs it', async () => {
    const { one, two } = await objects();
    const { house } = await houses(
      {
        approvals: [
          { commands: [{ phrase: 'acl object disable', where: { object: [two.id] } }], by: 'approver' },
        ],
      },
      { operator: ['U0BOB00001'], approver: ['U0CAROL001'] },
    );
    expect(await house.type(`/appliance acl object disable ${one.name} --on all`, 'bob')).toContain(
      '1 approval by approver',
    );
    expect(await house.type(`/appliance acl object disable ${one.name}`, 'bob')).toContain('✅');
  });
});

describe('a lookup of people', () => {
  const two = () => needing({ count: 2, by: ['approver', 'admin'] });
  /** The remembered people are too old by now, and Slack fails this many lookups. */
  const fail = (house: Conversation, call: string, times = 30) => {
    house.wait(6 * minute);
    house.workspace.faults.next(call, error, times);
  };

  test('denies every click when it fails, and says so', async () => {
    for (const call of ['users.info', 'usergroups.users.list']) {
      const house = await needing({});
      await house.type(disconnect);
      fail(house, call);
      expect(await house.press('Approve', 'carol')).toMatch(
        /Couldn’t find out from Slack (?:who you are|which user groups you are in), so this was refused/,
      );
      expect(await house.press('Deny…', 'carol')).toContain('Couldn’t find out from Slack');
      expect(house.person('carol').form()).toBeUndefined();
      expect(await newest(house)).toMatchObject({ state: 'waiting' });
    }
  });

  test('names an earlier approver when it fails for them, and does not lose the last one’s click', async () => {
    const house = await two();
    await house.type(disconnect);
    await house.press('Approve', 'carol');
    house.wait(6 * minute);
    // The asker is known again by a click that counts for nothing; then dana is found, and carol is not.
    await house.press('Approve', 'vic');
    house.workspace.faults.next('users.info', { kind: 'delay', ms: 0 });
    house.workspace.faults.next('users.info', error);
    expect(await house.press('Approve', 'dana')).toContain(
      'Couldn’t find out from Slack whether @carol, who approved this, still may, so this was refused.',
    );
    expect(sent(house)).toBe(0);
    expect(await house.press('Approve', 'dana')).toContain(
      '✅ Session 12 of bob.miller on srv-files-01 disconnected',
    );
  });

  test('finds an approver who has lost the role, and tells the next one', async () => {
    const house = await two();
    await house.type(disconnect);
    await house.press('Approve', 'carol');
    await house.workspace.changeUserGroup('S0APPROVER', { users: [] });
    expect(await house.press('Approve', 'dana')).toContain(
      'Your approval is noted, but @carol, who approved this before, may no longer do so. No changes were made yet. It needs another approval.',
    );
    expect(sent(house)).toBe(0);
  });
});

describe('the form of Deny', () => {
  test('denies nothing when it is sent after the request expired or was approved', async () => {
    const house = await needing();
    await house.type(disconnect);
    await house.press('Deny…', 'carol');
    await house.workspace.changeUserGroup('S0APPROVER', { users: ['U0DANA0001'] });
    await house.person('carol').fill({ Reason: 'no' });
    await house.person('carol').submit();
    expect(house.read('carol')).toContain('This requires the approver role to approve or deny.');
    await house.press('Deny…', 'dana');
    await house.workspace.changeUserGroup('S0APPROVER', { users: ['U0DANA0001', 'U0CAROL001'] });
    await house.press('Approve', 'carol');
    await house.person('dana').fill({ Reason: 'no' });
    await house.person('dana').submit();
    expect(house.read('dana')).toContain('This was already approved by @carol');
    expect(await newest(house)).toMatchObject({ state: 'done', decidedBy: 'U0CAROL001' });
  });
});

describe('people without the right to decide', () => {
  test('press Approve, Deny and Withdraw in vain', async () => {
    const house = await converse({
      policy: {
        channels: { C0PARTNERS: { appliance: 'hq', roles: sandboxRoles, shared: 'write' } },
        approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: 'approver' }],
      },
    });
    await house.type(disconnect, 'alice', 'partners');
    for (const who of ['gus', 'eve', 'vic']) {
      for (const label of ['Approve', 'Deny…']) {
        expect(await house.press(label, who, 'partners')).toContain(
          'This requires the approver role to approve or deny.',
        );
      }
      expect(await house.press('Withdraw', who, 'partners')).toContain('Only @alice, who asked for it');
    }
    expect(await newest(house)).toMatchObject({ state: 'waiting' });
  });
});

test('a click that Slack delivers twice approves once', async () => {
  const house = await needing({ count: 2, by: ['approver', 'admin'] });
  await house.type(disconnect);
  await house.press('Approve', 'carol');
  const click = house.workspace.log.envelopes().findLast(({ kind }) => kind === 'interactive');
  await house.workspace.redeliver(click?.id ?? '');
  await house.bot.idle();
  expect(sent(house)).toBe(0);
  expect(await newest(house)).toMatchObject({ state: 'waiting' });
});

test('fifty clicks on Ask for approval ask once', async () => {
  const house = await converse();
  await house.type(disconnect, 'vic');
  await Promise.allSettled(Array.from({ length: 50 }, () => house.press('Ask for approval', 'vic')));
  expect(await waitingIn(house.bot.journal)).toHaveLength(1);
});

describe('a policy that changes while a request waits', () => {
  const change = async (house: Conversation, from: string | RegExp, to: string) => {
    const file = join(dirname(house.data), 'appliance-bot.yml');
    writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
    house.bot.reload();
    await house.bot.idle();
  };

  test('and now requires another reason is not satisfied by the old one', async () => {
    const house = await needing({ reason: true });
    await house.type(`${disconnect} --reason stuck`);
    await change(house, 'reason: true', 'reason: { pattern: "^INC-", example: INC-1 }');
    expect(await house.press('Approve', 'carol')).toContain('approval rule changed');
    expect(sent(house)).toBe(0);
  });
});

describe('two replicas', () => {
  const enabled = ({ requests }: Conversation['appliance']) =>
    requests.filter(({ path }) => path.includes('emergency_enable')).length;
  const press = async (
    life: Life,
    person: string,
    button: 'approve' | 'cancel',
    times: number,
    from?: string,
  ): Promise<void> => {
    const [action] = await waitingIn(life.journal);
    const { token = '', card = '', channel = '' } = { ...action, ...(from && { channel: from }) };
    for (let click = 0; click < times; click += 1) {
      // With the approver's private preview on their screen.
      const where = {
        team: 'T',
        channel,
        card,
        ...(from === undefined && { whispered: true, detail: 'seen' }),
      };
      life.actions.work.track(() => life.actions.press({ ...where, person, button, token }));
    }
  };

  test('run a change once that two people approve, one on each of them at the same time, with many clicks', async () => {
    const { live, appliance } = await lives();
    const [one, other] = [await live(), await live()];
    await Promise.all([one.rest(), other.rest()]);
    const dave = { team: 'T', channel: 'C0HELPDESK', person: 'U0DAVE' };
    one.actions.work.track(() =>
      one.actions.ask({ ...dave, line: 'rdp disconnect 12', accessRequest: true }),
    );
    await one.rest();
    await Promise.all([press(one, 'U0BOB', 'approve', 20), press(other, 'U0CAROL', 'approve', 20)]);
    await Promise.all([one.rest(), other.rest()]);
    expect(sent({ appliance })).toBe(1);
    const [action] = await other.journal.recent(1);
    expect(action).toMatchObject({
      state: 'done',
      person: 'U0DAVE',
      decidedBy: expect.stringMatching(/^U0(?:BOB|CAROL)$/),
    });
  });

  test('refuse clicks from another channel than that of the card', async () => {
    const { live } = await lives();
    const life = await live();
    await life.rest();
    ask(life, 'emergency enable --for 30m --reason "directory down"');
    await life.rest();
    await press(life, 'U0CAROL', 'approve', 1, 'C0INCIDENT');
    await life.rest();
    expect(await waitingIn(life.journal)).toHaveLength(1);
  });

  test('let nobody approve on one of them a request that they made on the other', async () => {
    const { live, appliance } = await lives();
    const [one, other] = [await live(), await live()];
    await Promise.all([one.rest(), other.rest()]);
    const line = 'emergency enable --for 30m --reason "directory down"';
    const carol = { team: 'T', channel: 'C0HELPDESK', person: 'U0CAROL' };
    one.actions.work.track(() => one.actions.ask({ ...carol, line }));
    await one.rest();
    await Promise.all([press(one, 'U0CAROL', 'approve', 5), press(other, 'U0CAROL', 'approve', 5)]);
    await Promise.all([one.rest(), other.rest()]);
    expect(enabled(appliance)).toBe(0);
    await press(other, 'U0CHRIS', 'approve', 1);
    await other.rest();
    expect(enabled(appliance)).toBe(1);
  });

  test('accept either the approval or the withdrawal of the same moment, and never both', async () => {
    const { live, appliance } = await lives();
    const [one, other] = [await live(), await live()];
    await Promise.all([one.rest(), other.rest()]);
    ask(one, 'emergency enable --for 30m --reason "directory down"');
    await one.rest();
    await Promise.all([press(one, 'U0CAROL', 'approve', 1), press(other, 'U0BOB', 'cancel', 1)]);
    await Promise.all([one.rest(), other.rest()]);
    const [action] = await one.journal.recent(1);
    const runs = enabled(appliance);
    expect([action?.state, runs]).toEqual(action?.state === 'done' ? ['done', 1] : ['cancelled', 0]);
  });
});
