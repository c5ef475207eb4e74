import { describe, expect, test } from 'vitest';
import { personIn } from '../sandbox/person.ts';
import { sandboxRoles } from '../sandbox/sandbox.ts';
import { needing, sent, under } from './approving.ts';
import { type Conversation, converse } from './conversation.ts';

const minute = 60_000;

describe('asking for approval of a refused command', () => {
  test('shows the exact command to the people who may run it, and one of them runs it in the requester’s name', async () => {
    const house = await converse();
    const { type, press, bot } = house;
    await type('/appliance rdp disconnect 12', 'vic');
    const card = await press('Ask for approval', 'vic');
    // Only the approvers see which session it would hit.
    expect(card).toContain('Let @vic run “rdp disconnect 12”?');
    expect(card).not.toContain('bob.miller');
    expect(card).toContain('Asked by  @vic');
    expect(card).toMatch(
      /Needs {2}1 approval by helpdesk, operator or admin \(@helpdesk, @operators or @admins\)/,
    );
    expect(await press('Approve', 'bob')).toContain(
      'Disconnect session 12 of bob.miller on srv-files-01? Only you see',
    );
    expect(sent(house)).toBe(0);
    const done = await press('Yes, approve', 'bob');
    expect(done).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
    expect(done).toContain('Approved by  @bob');
    expect(done).toContain('You have approved this.');
    expect(done).toContain('@vic  ·  `/appliance rdp disconnect 12`');
    expect(sent(house)).toBe(1);
    const [action] = await bot.journal.recent(1);
    expect(action).toMatchObject({ person: 'U0VIC00001', decidedBy: 'U0BOB00001', state: 'done' });
  });

  test('does not bypass the rules: neither the requester nor somebody without the role can approve it', async () => {
    const house = await converse();
    const { type, press } = house;
    await type('/appliance rdp disconnect 12', 'vic');
    await press('Ask for approval', 'vic');
    expect(await press('Approve', 'vic')).toContain('Somebody else has to approve or deny it');
    expect(await press('Approve', 'carol')).toContain(
      'This requires the helpdesk, operator or admin role to approve or deny. Your click did nothing.',
    );
    expect(sent(house)).toBe(0);
  });

  test('works for lookups, too', async () => {
    const { type, press } = await under({}, { roles: { operator: ['U0BOB00001'] } });
    expect(await type('/appliance rdp sessions', 'alice')).toContain('[Ask for approval]');
    const card = await press('Ask for approval', 'alice');
    expect(card).toContain('Look this up for @alice: “rdp sessions”?');
    expect(card).not.toContain('bob.miller');
    const answer = await press('Approve', 'bob');
    expect(answer).toContain('bob.miller');
    expect(answer).toContain('@bob approved this for @alice.');
    expect(answer).not.toContain('[Approve]');
  });

  test('lets the requester turn the pages of the approved answer, and nobody else without the role', async () => {
    const { type, press } = await under({}, { roles: { operator: ['U0BOB00001'] } });
    await type('/appliance categories', 'alice');
    await press('Ask for approval', 'alice');
    await press('Approve', 'bob');
    expect(await press('Next ▶', 'alice')).toMatch(/Rows 1[0-9]–/);
    expect(await press('Next ▶', 'vic')).toContain('category list requires the operator');
  });

  test('is not offered where nobody could run the command, nor for a command with a password', async () => {
    const { type } = await under({}, { roles: { viewer: 'everyone' } });
    expect(await type('/appliance rdp disconnect 12')).not.toContain('[Ask for approval]');
    expect(await type('/appliance sql user add reports', 'vic')).not.toContain('[Ask for approval]');
  });

  test('can be withdrawn by the requester, and by nobody else', async () => {
    const { type, press } = await converse();
    await type('/appliance rdp disconnect 12', 'vic');
    await press('Ask for approval', 'vic');
    expect(await press('Withdraw', 'bob')).toContain(
      'Only @vic, who asked for it, can withdraw it. Your click did nothing. An approver can deny it instead.',
    );
    expect(await press('Withdraw', 'vic')).toContain('Withdrawn by @vic. No changes were made.');
  });

  test('also needs the approval that the policy requires', async () => {
    const house = await needing({});
    await house.type('/appliance rdp disconnect 12', 'vic');
    await house.press('Ask for approval', 'vic');
    for (const by of ['bob', 'carol']) {
      expect(sent(house)).toBe(0);
      await house.press('Approve', by);
      await house.press('Yes, approve', by);
    }
    expect(house.read()).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
  });
});

describe('a command that the policy wants approved', () => {
  test('waits for so many people, shows the approvers so far, and the last one runs it', async () => {
    const house = await under({
      approvals: [
        { commands: [{ phrase: 'rdp disconnect' }], by: ['approver', 'operator'], count: 2, open: '10m' },
      ],
    });
    const { type, press } = house;
    expect(await type('/appliance rdp disconnect 12')).toContain('2 approvals by approver or operator');
    expect(await press('Approve', 'carol')).toMatch(/Approved by {2}@carol at/);
    expect(await press('Approve', 'carol')).toContain('You have approved this already.');
    expect(sent(house)).toBe(0);
    expect(await press('Approve', 'bob')).toMatch(/Approved by {2}@carol at .+ and @bob at/);
    expect(sent(house)).toBe(1);
  });

  test('is not approved twice by one human with two accounts', async () => {
    const house = await under(
      { approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: 'approver', count: 2 }] },
      { roles: { ...sandboxRoles, approver: ['U0CAROL001', 'U0CARLA001'] } },
    );
    await house.type('/appliance rdp disconnect 12');
    await house.press('Approve', 'carol');
    expect(await house.press('Approve', 'carla')).toContain(
      'You have approved this already with your other account.',
    );
    expect(sent(house)).toBe(0);
  });

  test('is not approved by the requester, with their other account either', async () => {
    const house = await under(
      { approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: 'approver' }] },
      { roles: { ...sandboxRoles, helpdesk: ['U0CARLA001'], approver: ['U0CAROL001', 'U0CARLA001'] } },
    );
    await house.type('/appliance rdp disconnect 12', 'carla');
    expect(await house.press('Approve', 'carla')).toContain('You asked for this yourself.');
    expect(await house.press('Approve', 'carol')).toContain('You asked for this with your other account');
    expect(sent(house)).toBe(0);
  });

  test('may be approved by the requester where the policy says so', async () => {
    const house = await under({
      approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: 'helpdesk', requester: true }],
    });
    await house.type('/appliance rdp disconnect 12');
    expect(await house.press('Approve')).toContain(
      '✅ Session 12 of bob.miller on srv-files-01 disconnected',
    );
  });

  test('is denied with a reason, which everybody reads', async () => {
    const house = await needing({});
    const { type, press, person, read } = house;
    await type('/appliance rdp disconnect 12');
    await press('Deny…', 'carol');
    await person('carol').fill({ Reason: 'not before the change window' });
    await person('carol').submit();
    expect(read()).toContain('Denied by @carol: not before the change window');
    expect(read()).not.toContain('[Approve]');
    expect(sent(house)).toBe(0);
    // The form that asked why was opened after it.
    const [, action] = await house.bot.journal.recent(2);
    expect(action).toMatchObject({
      state: 'cancelled',
      outcome: { code: 'denied' },
      decidedBy: 'U0CAROL001',
    });
  });

  test('runs once when two click at the same time, and the other is told who was first', async () => {
    const house = await under({
      approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: ['approver', 'admin'] }],
    });
    await house.type('/appliance rdp disconnect 12');
    await Promise.all([house.press('Approve', 'carol'), house.press('Approve', 'dana')]);
    expect(sent(house)).toBe(1);
    expect([house.read('carol'), house.read('dana')].join()).toMatch(
      /This was already approved by @(?:carol|dana)/,
    );
  });

  test('waits no longer than the policy says', async () => {
    const house = await needing({ open: '10m' });
    await house.type('/appliance rdp disconnect 12');
    house.wait(11 * minute);
    await house.press('Approve', 'carol');
    expect(house.read()).toContain('Nobody approved it in time, so no changes were made.');
    expect(house.read('carol')).toMatch(
      /This card expired at .*, before it was approved\. No changes were made\. @alice can request it again/,
    );
    expect(sent(house)).toBe(0);
  });

  test('requires a reason that looks like a ticket, and says how to give it', async () => {
    const house = await needing({ reason: { pattern: '^INC-[0-9]+', example: 'INC-4711' } });
    expect(await house.type('/appliance rdp disconnect 12')).toContain(
      'This needs a reason that looks like INC-4711. No changes were made. Type it with one: /appliance rdp disconnect 12 --reason INC-4711.',
    );
    expect(await house.type('/appliance rdp disconnect 12 --reason stuck')).toContain(
      'stuck is not a reason',
    );
    const card = await house.type('/appliance rdp disconnect 12 --reason "INC-7 hangs"');
    expect(card).toContain('Reason  INC-7 hangs');
    expect(card).toContain('[Approve]');
  });

  test('needs no approval in exempt hours, and cannot be approved in closed ones', async () => {
    const free = await needing({ not_needed: ['00:00-24:00'] });
    expect(await free.type('/appliance rdp disconnect 12')).toContain('[Disconnect] [Cancel]');
    const shut = await needing({ not_possible: ['00:00-24:00'] });
    expect(await shut.type('/appliance rdp disconnect 12')).toContain('at this hour nobody can give one');
  });

  test('cannot be approved in closed hours, though it was asked before', async () => {
    const house = await needing({ not_possible: ['13:00-14:00'] }, Date.UTC(2026, 10, 20, 12, 58));
    await house.type('/appliance rdp disconnect 12');
    house.wait(3 * minute);
    expect(await house.press('Approve', 'carol')).toContain('at this hour nobody can give one');
    expect(sent(house)).toBe(0);
  });

  test('needs the approval also when it needed none at the preview', async () => {
    const house = await needing({ not_needed: ['12:00-13:00'] }, Date.UTC(2026, 10, 20, 12, 58));
    expect(await house.type('/appliance rdp disconnect 12')).toContain('[Disconnect]');
    house.wait(3 * minute);
    expect(await house.press('Disconnect')).toContain('The approval rule changed');
    expect(sent(house)).toBe(0);
  });

  test('needs none from people who may run it by another role', async () => {
    const rule = { requesters: ['helpdesk'] };
    const house = await needing(rule);
    expect(await house.type('/appliance rdp disconnect 12')).toContain('[Approve]');
    expect(await house.type('/appliance rdp disconnect 12', 'bob')).toContain('[Disconnect] [Cancel]');
  });

  test('shows the approvers what it hits: when that changes, the same card asks again and earlier approvals count no more', async () => {
    const house = await under({
      approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: ['approver', 'admin'], count: 2 }],
    });
    const { type, press, appliance } = house;
    await type('/appliance rdp disconnect 12');
    await press('Approve', 'carol');
    const session = appliance.state.rdp.sessions.get(12);
    if (session === undefined) throw new Error('The company has a session 12');
    appliance.state.rdp.sessions.set(12, { ...session, username: 'carla.jones' });
    const again = await press('Approve', 'dana');
    expect(again).toContain(
      'This is not what you were shown a moment ago. No changes were made. Look again before you press. Whoever approved it before must approve it again.',
    );
    expect(again).not.toMatch(/Approved by/);
    expect(sent(house)).toBe(0);
  });

  test('is not run when an approver has lost the role by the time it runs', async () => {
    const house = await under({
      approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: ['approver', 'admin'], count: 2 }],
    });
    await house.type('/appliance rdp disconnect 12');
    await house.press('Approve', 'carol');
    await house.workspace.changeUserGroup('S0APPROVER', { users: [] });
    await house.press('Approve', 'dana');
    expect(sent(house)).toBe(0);
    expect(house.read()).toContain('[Approve]');
  });

  test('is not run when the requester has lost the role meanwhile', async () => {
    const house = await needing({});
    await house.type('/appliance rdp disconnect 12');
    await house.workspace.changeUserGroup('S0HELPDESK', { users: [] });
    expect(await house.press('Approve', 'carol')).toContain(
      '@alice, who asked for this, can no longer run it: rdp disconnect requires the helpdesk, operator or admin role in #helpdesk, and their role here is viewer.',
    );
    expect(sent(house)).toBe(0);
  });

  test('names the channels with approvers when nobody here can approve it', async () => {
    const { C0HELPDESK, C0INCIDENT } = {
      C0HELPDESK: { appliance: 'hq', roles: { operator: 'everyone' } },
      C0INCIDENT: { appliance: 'hq', roles: sandboxRoles },
    };
    const { type } = await converse({ policy: { channels: { C0HELPDESK, C0INCIDENT } } });
    expect(await type('/appliance emergency enable --for 30m --reason "directory down"')).toContain(
      'nobody has it in this channel. No changes were made. It can be asked for in #incident.',
    );
  });
});

describe('limits of a role', () => {
  const policy = {
    roles: {
      'news-editor': {
        summary: 'keeps category 252',
        commands: [{ phrase: 'category add', where: { category: [252] } }],
      },
    },
  };
  const house = () =>
    under(policy, { roles: { ...sandboxRoles, helpdesk: [], 'news-editor': ['U0ALICE001'] } });

  test('apply to the object behind a name, and lead to the people who may', async () => {
    const { type, press } = await house();
    expect(await type('/appliance category add new-press.example to 252')).toContain('✅');
    expect(await type('/appliance who can category add')).toContain(
      'news-editor  @alice, only with category `252`',
    );
    const refused = await type('/appliance category add new-press.example to 23');
    expect(refused).toContain('You may run category add only with category 252.');
    expect(refused).toContain('[Ask for approval]');
    expect(await press('Ask for approval')).toContain('Needs  1 approval');
    expect(await type('/appliance can @alice category add x.example to 23')).toContain(
      'They may run category add only with category 252. Anything else requires the operator or admin role. Their roles here are viewer and news-editor.',
    );
  });

  test('are explained by the object’s name, which only the appliance knows', async () => {
    const { type } = await under(
      {
        ...policy,
        approvals: [
          { commands: [{ phrase: 'category add', where: { category: [23] } }], by: 'approver' },
          { commands: [{ phrase: 'category show' }], by: 'approver' },
        ],
      },
      { roles: { ...sandboxRoles, helpdesk: [], 'news-editor': ['U0ALICE001'] } },
    );
    expect(await type('/appliance can @alice category add x.example to news')).toContain(
      'It depends for @alice. They may run category add only with category 252. Anything else requires the operator or admin role. Their roles here are viewer and news-editor. news is looked up when it runs.',
    );
    const bob = await type('/appliance can @bob category add x.example to news');
    expect(bob).toContain('Yes. @bob can run category add on hq in #helpdesk as operator.');
    expect(bob).toContain('Approval  may be needed before it runs');
    expect(await type('/appliance can @vic category add x.example to news')).toContain('No. @vic cannot run');
    expect(await type('/appliance can @bob category show news')).toContain('Approval  needed before it runs');
    expect(await type('/appliance who can category add x.example to news')).toContain(
      'category add requires the operator, admin or news-editor role on hq in #helpdesk',
    );
  });
});

describe('the command can', () => {
  test('shows by role who may run a command, with the approval that it takes', async () => {
    const { type } = await converse();
    const said = await type('/appliance who can emergency enable --for 30m');
    expect(said).toContain('emergency enable requires the operator or admin role on hq in #helpdesk');
    expect(said).toContain('operator  @operators');
    expect(said).toContain(
      'Approval  needed before it runs, from somebody with the role approver (@approvers)',
    );
  });

  test('tells whether one person may, and why not', async () => {
    const { type } = await converse();
    expect(await type('/appliance can @bob emergency enable')).toContain(
      'Yes. @bob can run emergency enable on hq in #helpdesk as operator.',
    );
    expect(await type('/appliance can @vic rdp disconnect 12')).toContain(
      'No. @vic cannot run rdp disconnect on hq in #helpdesk. rdp disconnect requires the helpdesk, operator or admin role in #helpdesk. Their role here is viewer.',
    );
    expect(await type('/appliance can @gus rdp sessions')).toContain(
      'guests hold only roles granted to them by name',
    );
    expect(await type('/appliance can bob rdp sessions')).toContain('Yes. @bob can run rdp sessions');
  });
});

describe('the way to an approval', () => {
  const reason = { pattern: '^INC-[0-9]+', example: 'INC-4711' };

  test('is explained by the help of a command, with the reason that it requires', async () => {
    const { type } = await needing({ reason, requesters: ['helpdesk'] });
    expect(await type('/appliance help rdp disconnect')).toContain(
      'Approval  needed before it runs, from somebody with the role approver (@approvers), for whoever may run it only as helpdesk, with --reason INC-4711',
    );
    expect(await type('/appliance help rdp sessions', 'bob')).not.toContain('Approval');
  });

  test('is a form that asks for the reason as well, and refuses an invalid one', async () => {
    const { type, person, read } = await needing({ reason });
    await type('/appliance rdp disconnect');
    const alice = person('alice');
    await alice.fill({ 'Open session': '12', Reason: 'stuck' });
    await alice.submit();
    expect(alice.form()?.errors).toEqual({ Reason: 'It must look like INC-4711.' });
    await alice.fill({ Reason: 'INC-5 hangs' });
    await alice.submit();
    expect(read()).toContain('Reason  INC-5 hangs');
  });

  test('is explained with the closed hours, and whose hours they are', async () => {
    const { type } = await under({
      approvals: [
        {
          commands: [{ phrase: 'rdp disconnect' }],
          by: 'approver',
          not_possible: ['00:00-23:59', '23:59-00:00'],
        },
      ],
      time_zone: 'Europe/Berlin',
    });
    expect(await type('/appliance rdp disconnect 12')).toContain(
      'Nobody can approve it in these hours: 00:00–23:59; 23:59–00:00 (Europe/Berlin).',
    );
  });

  test('ends in a form that names the denied command', async () => {
    const { type, press, person } = await needing({});
    await type('/appliance rdp disconnect 12');
    await press('Deny…', 'carol');
    expect(person('carol').form()?.text).toContain('@alice asked for “rdp disconnect 12”.');
  });

  test('names everybody who approved a lookup', async () => {
    const house = await under(
      { approvals: [{ commands: [{ phrase: 'rdp sessions' }], by: ['approver', 'admin'], count: 2 }] },
      {},
    );
    await house.type('/appliance rdp sessions');
    await house.press('Approve', 'carol');
    expect(await house.press('Approve', 'dana')).toContain('@carol and @dana approved this for @alice.');
  });

  test('is the same for a dry run, which shows the objects that the order would hit', async () => {
    const { type, press } = await needing({ reason });
    const line = '/appliance rdp disconnect 12 --dry-run';
    expect(await type(line)).toContain('This needs a reason that looks like INC-4711.');
    expect(await type(`${line} --reason INC-4711`)).toContain('Show @alice what this would send:');
    expect(await press('Approve', 'carol')).toContain('Dry run: 1 request would be sent.');
  });

  test('names break-glass where only that is left, and refuses it to others', async () => {
    const { type } = await under({ emergency: { break_glass: 'admin' } });
    const line = 'emergency enable --for 10m --reason down --break-glass';
    expect(await type(`/appliance can @dana ${line}`)).toContain('Approval  not needed with --break-glass');
    expect(await type(`/appliance can @bob ${line}`)).toContain(
      'No. @bob can’t use break-glass in #helpdesk. Break-glass requires the admin role here.',
    );
  });

  test('tells a late Deny that the request was withdrawn', async () => {
    const { type, press, person, read } = await needing({});
    await type('/appliance rdp disconnect 12');
    await press('Deny…', 'carol');
    await press('Withdraw');
    await person('carol').fill({ Reason: 'not now' });
    await person('carol').submit();
    expect(read('carol')).toContain('This was already withdrawn by @alice');
  });
});

describe('a channel that another organisation reads', () => {
  const shared = (more: Readonly<Record<string, unknown>> = {}) =>
    converse({ policy: { channels: { C0PARTNERS: { appliance: 'hq', roles: sandboxRoles, ...more } } } });

  test('can run lookups, and no changes', async () => {
    const { type } = await shared();
    expect(await type('/appliance rdp sessions', 'bob', 'partners')).toContain('bob.miller');
    expect(await type('/appliance rdp disconnect 12', 'bob', 'partners')).toContain(
      'Changes are blocked in #partners, because it is shared with another organization',
    );
  });

  test('offers no approval that nobody could give, and names nobody as able to', async () => {
    const { type } = await shared();
    const refused = await type('/appliance rdp disconnect 12', 'vic', 'partners');
    expect(refused).toContain('No role in #partners may run rdp disconnect.');
    expect(refused).not.toMatch(/Ask for approval|to run it/);
    expect(await type('/appliance who can rdp disconnect', 'vic', 'partners')).toContain(
      'Nobody can run rdp disconnect: changes are blocked in #partners, because it is shared with another organization',
    );
    expect(await type('/appliance help rdp disconnect', 'bob', 'partners')).toContain(
      'cannot run it here. Changes are blocked in #partners, because it is shared with another organization',
    );
  });

  test('can run changes where the policy allows it', async () => {
    const { type } = await shared({ shared: 'write' });
    expect(await type('/appliance rdp disconnect 12', 'bob', 'partners')).toContain('[Disconnect] [Cancel]');
  });
});

describe('the requester', () => {
  const replies = ({ workspace }: Conversation, by = 'U0ALICE001') =>
    workspace
      .snapshot(by)
      .messages.filter(({ thread_ts, ts }) => thread_ts !== undefined && thread_ts !== ts)
      .map(({ text }) => text);
  const asking = (phrase: string, from?: number) =>
    under({ approvals: [{ commands: [{ phrase }], by: 'approver' }], time_zone: 'UTC' }, {}, from);

  test('is mentioned once when somebody else approved the change and it is done', async () => {
    const house = await needing({});
    await house.type('/appliance rdp disconnect 12');
    await house.press('Approve', 'carol');
    expect(replies(house)).toEqual([
      expect.stringMatching(
        /^<@U0ALICE001>: Approved by <@U0CAROL001>\. .*Session 12 of bob\.miller on srv-files-01\*? disconnected/,
      ),
    ]);
  });

  test('is mentioned once for a change with a compile, when it is live', async () => {
    const house = await asking('acl object disable');
    await house.type('/appliance acl object disable google_sni', 'bob');
    await house.press('Approve', 'carol');
    expect(replies(house)).toEqual([
      expect.stringMatching(
        /^<@U0BOB00001>: Approved by <@U0CAROL001>\. ACL object google_sni disabled\. .*Compiled/,
      ),
    ]);
  });

  test('is mentioned when it cannot be compiled, and once more when it is live after all', async () => {
    const house = await asking('acl object disable');
    house.appliance.faults.set('- /proxy/acls/compile', { kind: 'status', status: 500, times: 1 });
    await house.type('/appliance acl object disable google_sni', 'bob');
    await house.press('Approve', 'carol');
    await house.type('/appliance apply', 'bob');
    const mentions = replies(house).filter((text) => text.startsWith('<@U0BOB00001>'));
    expect(mentions).toEqual([
      expect.stringMatching(/Approved by .*google_sni disabled\. .*Not known to be live:/),
      expect.stringMatching(/Approved by <@U0CAROL001>\. .*Compile accepted/),
    ]);
  });

  test('is mentioned once where the bot was stopped between the change and the compile', async () => {
    const longestPause = 3_000;
    const house = await converse({
      policy: {
        channels: { C0HELPDESK: { name: 'helpdesk', appliance: 'hq', roles: sandboxRoles } },
        approvals: [{ commands: [{ phrase: 'acl object disable' }], by: 'approver' }],
      },
      world: {
        sleep: (milliseconds) =>
          milliseconds > longestPause ? new Promise(() => undefined) : Promise.resolve(),
      },
    });
    const idle = () => house.bot.answered();
    await house.type('/appliance acl object disable google_sni', 'bob');
    await personIn(house.workspace, { idle }, 'carol').press('helpdesk', 'Approve');
    expect(replies(house)).toEqual([]);
    await house.restart(async () => house.wait(6_000));
    await expect
      .poll(() => replies(house))
      .toEqual([expect.stringMatching(/^<@U0BOB00001>: Approved by .*Compiled/)]);
    await house.restart();
    expect(replies(house)).toHaveLength(1);
  });

  test('is mentioned when it failed, with the appliance’s answer in the same message', async () => {
    const house = await needing({});
    await house.type('/appliance rdp disconnect 12');
    house.appliance.faults.set('POST /rdpproxy/sessions/{id}/disconnect', {
      kind: 'status',
      status: 500,
      times: 9,
    });
    await house.press('Approve', 'carol');
    expect(house.read()).toContain('❌');
    expect(replies(house)).toEqual([expect.stringMatching(/^<@U0ALICE001>: Approved by <@U0CAROL001>\. /)]);
  });

  test('is mentioned when it was approved and did not run after all', async () => {
    const house = await needing({});
    await house.type('/appliance rdp disconnect 12');
    house.appliance.state.rdp.sessions.delete(12);
    await house.press('Approve', 'carol');
    expect(sent(house)).toBe(0);
    expect(replies(house)).toEqual([
      expect.stringMatching(/^<@U0ALICE001>: Approved by <@U0CAROL001>\. .*No changes were made/),
    ]);
  });

  test('is mentioned once for a plan, whose lines are listed in the same message', async () => {
    const house = await asking('acl object disable');
    await house.type('/appliance plan acl object disable google_sni\nacl object disable apple_sni', 'bob');
    await house.press('Approve', 'carol');
    const mentions = replies(house).filter((text) => text.includes('<@U0BOB00001>'));
    expect(mentions).toEqual([
      expect.stringMatching(/^<@U0BOB00001>: Approved by <@U0CAROL001>\. Plan done: .*Compiled/),
    ]);
  });

  test('is notified of a planned change when it is approved, and when it runs', async () => {
    const house = await asking('acl object disable', Date.UTC(2026, 10, 20, 13));
    await house.type('/appliance acl object disable google_sni --at 15:00', 'bob');
    await house.press('Approve', 'carol');
    expect(replies(house)).toEqual([
      expect.stringMatching(/^<@U0BOB00001>: Approved by <@U0CAROL001>\. It is planned for /),
    ]);
    await house.pass(2 * 60 * minute + minute);
    expect(replies(house).slice(1)).toEqual([
      expect.stringMatching(/^<@U0BOB00001> and <@U0CAROL001>: Done as planned\. .*Compiled/),
    ]);
  });

  test('is not mentioned where they pressed the last button themselves', async () => {
    const house = await under({
      approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: 'helpdesk', requester: true }],
    });
    await house.type('/appliance rdp disconnect 12');
    await house.press('Approve');
    expect(sent(house)).toBe(1);
    expect(replies(house)).toEqual([]);
  });
});

describe('the answer to a line while something waits for a decision', () => {
  const emergency = '/appliance emergency enable --for 30m --reason "directory down"';
  const waitsForOne = '1 request waits for you. Words approve and deny nothing: press a button.';
  const isOn = ({ appliance }: Conversation) => appliance.state.directory.emergency;
  /** The bot's answer to somebody's own line. */
  const saidTo = async (house: Conversation, line: string, by: string, channel = 'helpdesk') => {
    const before = house.read(by, channel);
    const after = await house.type(`/appliance ${line}`, by, channel);
    return after.slice(before.length);
  };

  test('is the same whatever an approver types, with the buttons that count', async () => {
    const house = await converse();
    await house.type(emergency, 'bob');
    for (const line of [
      'approve',
      'no',
      'deny',
      'lgtm',
      '👍',
      'requests',
      'anything to approve?',
      'ok',
      'reject it',
    ]) {
      const said = await saidTo(house, line, 'carol');
      expect(said, line).toContain(waitsForOne);
      expect(said, line).toContain('Enable emergency mode on hq for 30 min?');
      expect(said, line).toContain('[Approve] [Deny…]');
    }
    expect(isOn(house)).toBe(false);
    await house.press('Approve', 'carol');
    expect(isOn(house)).toBe(true);
    expect(house.read('carol')).toContain(
      'You have approved emergency enable --for 30m --reason "directory down". /appliance approvals shows what else waits for you.',
    );
    expect(await saidTo(house, 'approve', 'carol')).toContain(
      'Nothing waits for your approval or confirmation.',
    );
  });

  test('lists it in every channel of theirs and in a direct message, where it can be pressed', async () => {
    const house = await converse();
    await house.type(emergency, 'bob');
    expect(await saidTo(house, 'what needs my approval', 'carol', 'incident')).toContain(waitsForOne);
    expect(await house.write('approve', 'carol', 'appliance-bot')).toContain(waitsForOne);
    expect(isOn(house)).toBe(false);
    await house.press('Approve', 'carol', 'incident');
    expect(isOn(house)).toBe(true);
  });

  test('names the possible approvers to the requester and to people who may not approve', async () => {
    const house = await converse();
    await house.type(emergency, 'bob');
    const own = await saidTo(house, 'approve', 'bob');
    expect(own).toContain('Your own request has to be approved by somebody else.');
    expect(own).toMatch(/Waits for 1 approval by approver \(@approvers\), expires/);
    expect(own).toContain('[Withdraw]');
    expect(own).not.toContain('[Approve]');
    const other = await saidTo(house, 'approve', 'vic');
    expect(other).toContain('Nothing waits for your approval or confirmation.');
    expect(other).toContain(
      'asked by @bob: it waits for 1 approval by approver (@approvers), and you can’t approve it',
    );
    expect(other).not.toContain('[');
    expect(isOn(house)).toBe(false);
  });

  test('shows the card of the thread first, also where that waits for nobody any more', async () => {
    const house = await under({
      approvals: [
        { commands: [{ phrase: 'rdp disconnect' }, { phrase: 'acl object disable' }], by: 'approver' },
      ],
    });
    await house.type('/appliance rdp disconnect 12');
    await house.type('/appliance acl object disable google_sni', 'bob');
    const [older] = (await house.bot.journal.recent(2)).toReversed();
    const thread = older?.card;
    const before = house.read('carol');
    const there = await house.write('@appliance-bot approve', 'carol', 'helpdesk', thread);
    expect(before).not.toContain('2 requests wait for you');
    const list = there.slice(there.indexOf('2 requests wait for you'));
    expect(list.indexOf('Disconnect session 12')).toBeLessThan(list.indexOf('Disable ACL object google_sni'));
    await house.type('/appliance approve');
    await house.press('Withdraw');
    expect(await house.write('@appliance-bot approve', 'carol', 'helpdesk', thread)).toContain(
      'The request of this thread waits for nobody: Withdrawn by @alice. No changes were made.',
    );
  });

  test('leaves out what they have approved already, while it waits for another', async () => {
    const house = await under({
      approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: ['approver', 'operator'], count: 2 }],
    });
    await house.type('/appliance rdp disconnect 12');
    await house.press('Approve', 'carol');
    expect(await saidTo(house, 'approve', 'carol')).toMatch(
      /Nothing waits for your approval or confirmation\.[\s\S]*you approved it, and it waits for 2 approvals/,
    );
    expect(await saidTo(house, 'approve', 'bob')).toContain(waitsForOne);
  });

  test('does not show what a card withholds, and a click on its Approve shows it first', async () => {
    const house = await converse();
    await house.type('/appliance rdp disconnect 12', 'vic');
    await house.press('Ask for approval', 'vic');
    const said = await saidTo(house, 'lgtm', 'bob');
    expect(said).toContain('Let @vic run “rdp disconnect 12”?'.replace(/[“”]/g, ''));
    expect(said).not.toContain('bob.miller');
    expect(await house.press('Approve', 'bob')).toContain(
      'Disconnect session 12 of bob.miller on srv-files-01? Only you see',
    );
    expect(sent(house)).toBe(0);
    await house.press('Yes, approve', 'bob');
    expect(sent(house)).toBe(1);
  });

  test('lists the requests for sites as well', async () => {
    const house = await converse();
    await house.type('/appliance ask live-betting.example --for 2h --reason "booking for customer"', 'vic');
    const said = await saidTo(house, 'anything to approve?', 'bob');
    expect(said).toContain(waitsForOne);
    expect(said).toMatch(/@vic asks for live-betting\.example for 2 h[\s\S]*\[Approve\]/);
    expect(await saidTo(house, 'approve', 'vic')).toContain(
      'Your own request has to be approved by somebody else.',
    );
  });

  test('hides it from people in none of the channels, and from people without a role there', async () => {
    const house = await under({}, { roles: { ...sandboxRoles, viewer: [] } });
    await house.type(emergency, 'bob');
    const said = await saidTo(house, 'approve', 'vic');
    expect(said).toContain('Nothing waits for your approval or confirmation.');
    expect(said).not.toContain('emergency');
    expect(await house.write('approve', 'vic', 'appliance-bot')).not.toContain('emergency');
  });

  test('does not claim that nothing waits where Slack could not tell who somebody is', async () => {
    const house = await converse();
    await house.type(emergency, 'bob');
    house.workspace.faults.next('usergroups.users.list', { kind: 'error', error: 'internal_error' }, 50);
    house.wait(10 * minute);
    expect(await saidTo(house, 'approve', 'carol')).not.toContain('Nothing waits');
  });
});
