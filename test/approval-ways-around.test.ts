import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Conversation, converse } from './conversation.ts';
import { ask, type Life, lives } from './lives.ts';

const roles = {
  viewer: 'everyone',
  helpdesk: ['S0HELPDESK'],
  operator: ['S0OPERATOR'],
  approver: ['S0APPROVER'],
  admin: ['S0ADMINS01'],
};
const minute = 60_000;
const disconnect = '/appliance rdp disconnect 12';

/** A helpdesk whose policy has these settings, and these for the channel. */
const under = (policy: Readonly<Record<string, unknown>>, channel: Readonly<Record<string, unknown>> = {}) =>
  converse({
    policy: {
      channels: { C0HELPDESK: { name: 'helpdesk', appliance: 'hq', roles, ...channel } },
      ...policy,
    },
  });
const needing = (rule: Readonly<Record<string, unknown>> = {}) =>
  under({ approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: 'approver', ...rule }] });

const sent = ({ appliance }: Conversation) =>
  appliance.requests.filter(({ path }) => path.endsWith('/disconnect')).length;
const newest = async ({ bot }: Conversation) => (await bot.journal.recent(1))[0];

/** What is said to somebody since they last looked. */
const error = { kind: 'error', error: 'internal_error' } as const;

describe('a petition', () => {
  test('is not the way to a dry run, which nobody would have to approve', async () => {
    const house = await under({}, { roles: { operator: ['S0OPERATOR'] } });
    const refused = await house.type(`${disconnect} --dry-run`, 'vic');
    expect(refused).toContain('rdp disconnect takes operator');
    expect(refused).not.toContain('[Ask for approval]');
    expect(refused).not.toContain('Dry run');
  });

  test('for a look-up beyond the limits of a role waits for its approval like any other', async () => {
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
    expect(await house.press('Ask for approval')).toContain('Look this up for @alice: category show 23?');
    expect(await house.press('Approve', 'bob')).toContain('@bob approved this for @alice.');
    expect(await newest(house)).toMatchObject({ state: 'done', decidedBy: 'U0BOB00001' });
  });

  test('is not offered where the groups that could approve it are empty', async () => {
    const house = await under({}, { roles: { operator: ['S0OPERATOR'] } });
    await house.workspace.changeUserGroup('S0OPERATOR', { users: [] });
    expect(await house.type(disconnect, 'vic')).not.toContain('[Ask for approval]');
  });

  test('tells those who approve that the asker could not do it alone', async () => {
    const house = await converse();
    await house.type(disconnect, 'vic');
    expect(await house.press('Ask for approval', 'vic')).toContain(
      'Asked by  @vic, who may not run it alone',
    );
  });

  test('ends with the account of whoever asked', async () => {
    const house = await converse();
    await house.type(disconnect, 'vic');
    await house.press('Ask for approval', 'vic');
    await house.workspace.changePerson('U0VIC00001', { deleted: true });
    expect(await house.press('Approve', 'bob')).toContain(
      '@vic, who asked for this, cannot run it any more: the account is deactivated',
    );
    expect(sent(house)).toBe(0);
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
    expect(house.read('bob')).toContain('People of another organisation are in #helpdesk');
  });
});

describe('several things in one line', () => {
  test('need what each of them needs alone, so naming one more takes no approval away', async () => {
    const rule = (category: number, by: string) => ({
      commands: [{ phrase: 'acl record delete', where: { record: [category] } }],
      by,
    });
    const house = await under({ approvals: [rule(1, 'approver'), rule(2, 'admin')] });
    const card = await house.type('/appliance acl record delete 2 1', 'bob');
    expect(card).toContain('approver');
    expect(card).toContain('1 approval by admin');
  });
});

describe('a look-up of people that fails', () => {
  test('while the last one approves is named, and the approval stands', async () => {
    const house = await needing({ count: 2, by: ['approver', 'admin'] });
    await house.type(disconnect);
    await house.press('Approve', 'carol');
    house.wait(6 * minute);
    await house.press('Approve', 'alice');
    house.workspace.faults.next('users.info', error, 2);
    console.log(await house.press('Approve', 'dana'));
  });
});

describe('the form of Deny', () => {
  test('that is sent when the time is over or it has been approved denies nothing', async () => {
    const house = await needing();
    await house.type(disconnect);
    await house.press('Deny…', 'carol');
    await house.workspace.changeUserGroup('S0APPROVER', { users: ['U0DANA0001'] });
    await house.person('carol').fill({ Reason: 'no' });
    await house.person('carol').submit();
    expect(house.read('carol')).toContain('This waits for somebody who is approver here, and you are not.');
    await house.press('Deny…', 'dana');
    await house.workspace.changeUserGroup('S0APPROVER', { users: ['U0DANA0001', 'U0CAROL001'] });
    await house.press('Approve', 'carol');
    await house.person('dana').fill({ Reason: 'no' });
    await house.person('dana').submit();
    expect(house.read('dana')).toContain('This was already approved by @carol');
    expect(await newest(house)).toMatchObject({ state: 'done', decidedBy: 'U0CAROL001' });
  });
});

describe('people who have no say', () => {
  test('press Approve, Deny and Withdraw for nothing', async () => {
    const house = await converse({
      policy: {
        channels: { C0PARTNERS: { appliance: 'hq', roles, shared: 'write' } },
        approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: 'approver' }],
      },
    });
    await house.type(disconnect, 'alice', 'partners');
    for (const who of ['gus', 'eve', 'vic']) {
      for (const label of ['Approve', 'Deny…']) {
        expect(await house.press(label, who, 'partners')).toContain('and you are not.');
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
  expect(await house.bot.journal.inState('waiting')).toHaveLength(1);
});

describe('a policy that changes while a request waits', () => {
  const change = async (house: Conversation, from: string | RegExp, to: string) => {
    const file = join(dirname(house.data), 'appliance-bot.yml');
    writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
    house.bot.reload();
    await house.bot.idle();
  };

  test('and wants another reason now is not satisfied by the old one', async () => {
    const house = await needing({ reason: true });
    await house.type(`${disconnect} --reason stuck`);
    await change(house, 'reason: true', 'reason: { pattern: "^INC-", example: INC-1 }');
    expect(await house.press('Approve', 'carol')).toContain('By now the policy wants another approval');
    expect(sent(house)).toBe(0);
  });
});

describe('two replicas', () => {
  const press = async (
    life: Life,
    person: string,
    button: 'approve' | 'cancel',
    times: number,
  ): Promise<void> => {
    const [action] = await life.journal.inState('waiting');
    const { token = '', card = '', channel = '' } = action ?? {};
    for (let click = 0; click < times; click += 1) {
      life.actions.work.track(() =>
        life.actions.press({ team: 'T', channel, person, button, token, card }),
      );
    }
  };

  test('run once what two people approve on each of them at the same time, with many clicks', async () => {
    const { live, appliance } = await lives();
    const [one, other] = [await live(), await live()];
    ask(one, 'emergency enable --for 30m --reason "directory down"');
    await one.rest();
    await Promise.all([press(one, 'U0CAROL', 'approve', 20), press(other, 'U0CHRIS', 'approve', 20)]);
    await Promise.all([one.rest(), other.rest()]);
    expect(appliance.requests.filter(({ path }) => path.includes('emergency_enable'))).toHaveLength(1);
  });

  test('let nobody approve on one of them what they asked for on the other', async () => {
    const { live, appliance } = await lives();
    const [one, other] = [await live(), await live()];
    ask(one, 'emergency enable --for 30m --reason "directory down"');
    await one.rest();
    await Promise.all([press(one, 'U0BOB', 'approve', 5), press(other, 'U0BOB', 'approve', 5)]);
    await Promise.all([one.rest(), other.rest()]);
    expect(appliance.requests.filter(({ path }) => path.includes('emergency_enable'))).toHaveLength(0);
    expect(await other.journal.inState('waiting')).toHaveLength(1);
  });

  test('take either the approval or the withdrawal of the same moment, and never both', async () => {
    const { live, appliance } = await lives();
    const [one, other] = [await live(), await live()];
    ask(one, 'emergency enable --for 30m --reason "directory down"');
    await one.rest();
    await Promise.all([press(one, 'U0CAROL', 'approve', 1), press(other, 'U0BOB', 'cancel', 1)]);
    await Promise.all([one.rest(), other.rest()]);
    const [action] = await one.journal.recent(1);
    const runs = appliance.requests.filter(({ path }) => path.includes('emergency_enable')).length;
    expect([action?.state, runs]).toEqual(action?.state === 'done' ? ['done', 1] : ['cancelled', 0]);
  });
});
