import { describe, expect, test } from 'vitest';
import { personIn } from '../sandbox/person.ts';
import { sandboxRoles } from '../sandbox/sandbox.ts';
import { needing, sent, under } from './approving.ts';
import { type Conversation, converse } from './conversation.ts';

const minute = 60_000;

describe('asking for approval of what was refused', () => {
  test('puts the exact command before those who may run it, and one of them runs it in the asker’s name', async () => {
    const house = await converse();
    const { type, press, bot } = house;
    await type('/appliance rdp disconnect 12', 'vic');
    const card = await press('Ask for approval', 'vic');
    // What it would hit is for those who may agree to it.
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

  test('is no way around: neither whoever asked nor somebody without the role can approve it', async () => {
    const house = await converse();
    const { type, press } = house;
    await type('/appliance rdp disconnect 12', 'vic');
    await press('Ask for approval', 'vic');
    expect(await press('Approve', 'vic')).toContain('somebody else has to approve or deny it');
    expect(await press('Approve', 'carol')).toContain(
      'This requires the helpdesk, operator or admin role to approve or deny. Your click did nothing.',
    );
    expect(sent(house)).toBe(0);
  });

  test('works for what only looks, too', async () => {
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

  test('lets whoever asked turn the pages of what was approved for them, and nobody else without the role', async () => {
    const { type, press } = await under({}, { roles: { operator: ['U0BOB00001'] } });
    await type('/appliance categories', 'alice');
    await press('Ask for approval', 'alice');
    await press('Approve', 'bob');
    expect(await press('Next ▶', 'alice')).toMatch(/Rows 1[0-9]–/);
    expect(await press('Next ▶', 'vic')).toContain('category list requires the operator');
  });

  test('is not offered where nobody could run it, nor for what stands behind a form with a password', async () => {
    const { type } = await under({}, { roles: { viewer: 'everyone' } });
    expect(await type('/appliance rdp disconnect 12')).not.toContain('[Ask for approval]');
    expect(await type('/appliance sql user add reports', 'vic')).not.toContain('[Ask for approval]');
  });

  test('can be withdrawn by whoever asked, and by nobody else', async () => {
    const { type, press } = await converse();
    await type('/appliance rdp disconnect 12', 'vic');
    await press('Ask for approval', 'vic');
    expect(await press('Withdraw', 'bob')).toContain(
      'Only @vic, who asked for it, can withdraw it. An approver can deny it instead.',
    );
    expect(await press('Withdraw', 'vic')).toContain('Withdrawn by @vic. No changes were made.');
  });

  test('needs the approval that the policy wants besides', async () => {
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

describe('what the policy wants approved', () => {
  test('waits for so many people, shows who approved so far, and the last one runs it', async () => {
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

  test('is not approved by whoever asked, with their other account either', async () => {
    const house = await under(
      { approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: 'approver' }] },
      { roles: { ...sandboxRoles, helpdesk: ['U0CARLA001'], approver: ['U0CAROL001', 'U0CARLA001'] } },
    );
    await house.type('/appliance rdp disconnect 12', 'carla');
    expect(await house.press('Approve', 'carla')).toContain('You asked for this, so somebody else');
    expect(await house.press('Approve', 'carol')).toContain('You asked for this with your other account');
    expect(sent(house)).toBe(0);
  });

  test('may be approved by whoever asked where the policy says so', async () => {
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

  test('is run once when two click at the same time, and the other is told who was first', async () => {
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
      /This card expired at .*, before it was approved; no changes were made\. @alice can request it again/,
    );
    expect(sent(house)).toBe(0);
  });

  test('wants a reason that looks like a ticket, and says how to give it', async () => {
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

  test('needs nobody in the hours in which none is needed, and cannot be had where none is possible', async () => {
    const free = await needing({ not_needed: ['00:00-24:00'] });
    expect(await free.type('/appliance rdp disconnect 12')).toContain('[Disconnect] [Cancel]');
    const shut = await needing({ not_possible: ['00:00-24:00'] });
    expect(await shut.type('/appliance rdp disconnect 12')).toContain('at this hour nobody can give one');
  });

  test('cannot be given in an hour in which none is possible, though it was asked before', async () => {
    const house = await needing({ not_possible: ['13:00-14:00'] }, Date.UTC(2026, 10, 20, 12, 58));
    await house.type('/appliance rdp disconnect 12');
    house.wait(3 * minute);
    expect(await house.press('Approve', 'carol')).toContain('at this hour nobody can give one');
    expect(sent(house)).toBe(0);
  });

  test('is wanted as well where it was not when the card was shown', async () => {
    const house = await needing({ not_needed: ['12:00-13:00'] }, Date.UTC(2026, 10, 20, 12, 58));
    expect(await house.type('/appliance rdp disconnect 12')).toContain('[Disconnect]');
    house.wait(3 * minute);
    expect(await house.press('Disconnect')).toContain('The approval rule changed');
    expect(sent(house)).toBe(0);
  });

  test('holds only for those who may run it by no other role', async () => {
    const rule = { requesters: ['helpdesk'] };
    const house = await needing(rule);
    expect(await house.type('/appliance rdp disconnect 12')).toContain('[Approve]');
    expect(await house.type('/appliance rdp disconnect 12', 'bob')).toContain('[Disconnect] [Cancel]');
  });

  test('is of what was shown: when that changes, the same card asks again and earlier approvals count no more', async () => {
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
      'This is not what you were shown a moment ago, so no changes were made. Look again before you press. Whoever approved it before must approve it again.',
    );
    expect(again).not.toMatch(/Approved by/);
    expect(sent(house)).toBe(0);
  });

  test('is not run when who approved has lost the role by the time it runs', async () => {
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

  test('is not run when who asked has lost the role meanwhile', async () => {
    const house = await needing({});
    await house.type('/appliance rdp disconnect 12');
    await house.workspace.changeUserGroup('S0HELPDESK', { users: [] });
    expect(await house.press('Approve', 'carol')).toContain(
      '@alice, who asked for this, can no longer run it: their role there is viewer, and it requires',
    );
    expect(sent(house)).toBe(0);
  });

  test('says where it can be asked when nobody here can approve it', async () => {
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

  test('hold for what a name turns out to be, and lead to those who may', async () => {
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
      'only with category 252, and anything else requires the operator or admin role.',
    );
  });

  test('are told as they are of a name, which only the appliance can tell', async () => {
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
      'It depends. @alice can run category add on hq in #helpdesk only with category 252, and anything else requires the operator or admin role. What news is, is looked up when it runs.',
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

describe('who may do what', () => {
  test('is told by role, with the approval that it takes', async () => {
    const { type } = await converse();
    const said = await type('/appliance who can emergency enable --for 30m');
    expect(said).toContain('emergency enable requires the operator or admin role on hq in #helpdesk');
    expect(said).toContain('operator  @operators');
    expect(said).toContain(
      'Approval  needed before it runs, from somebody with the role approver (@approvers)',
    );
  });

  test('is told of one person, with the reason why not', async () => {
    const { type } = await converse();
    expect(await type('/appliance can @bob emergency enable')).toContain(
      'Yes. @bob can run emergency enable on hq in #helpdesk as operator.',
    );
    expect(await type('/appliance can @vic rdp disconnect 12')).toContain(
      'No. @vic cannot run rdp disconnect on hq in #helpdesk: their role there is viewer, and it requires the helpdesk, operator or admin role.',
    );
    expect(await type('/appliance can @gus rdp sessions')).toContain(
      'guests hold only roles granted to them by name',
    );
    expect(await type('/appliance can bob rdp sessions')).toContain('Yes. @bob can run rdp sessions');
  });
});

describe('the way to an approval', () => {
  const reason = { pattern: '^INC-[0-9]+', example: 'INC-4711' };

  test('is told by the help of a command, with the reason that it takes', async () => {
    const { type } = await needing({ reason, requesters: ['helpdesk'] });
    expect(await type('/appliance help rdp disconnect')).toContain(
      'Approval  needed before it runs, from somebody with the role approver (@approvers), for whoever may run it only as helpdesk, with --reason INC-4711',
    );
    expect(await type('/appliance help rdp sessions', 'bob')).not.toContain('Approval');
  });

  test('is a form that asks for the reason as well, and says when it is none', async () => {
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

  test('is told with the hours in which there is none, and whose hours they are', async () => {
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

  test('ends in a form that names what is denied', async () => {
    const { type, press, person } = await needing({});
    await type('/appliance rdp disconnect 12');
    await press('Deny…', 'carol');
    expect(person('carol').form()?.text).toContain('@alice asked for “rdp disconnect 12”.');
  });

  test('of a look-up names everybody who approved it', async () => {
    const house = await under(
      { approvals: [{ commands: [{ phrase: 'rdp sessions' }], by: ['approver', 'admin'], count: 2 }] },
      {},
    );
    await house.type('/appliance rdp sessions');
    await house.press('Approve', 'carol');
    expect(await house.press('Approve', 'dana')).toContain('@carol and @dana approved this for @alice.');
  });

  test('is the same for a dry run, which shows what the order would hit', async () => {
    const { type, press } = await needing({ reason });
    const line = '/appliance rdp disconnect 12 --dry-run';
    expect(await type(line)).toContain('This needs a reason that looks like INC-4711.');
    expect(await type(`${line} --reason INC-4711`)).toContain('Show @alice what this would send:');
    expect(await press('Approve', 'carol')).toContain('Dry run: 1 request would be sent.');
  });

  test('that is left with the glass broken is told as that, and to whom it is closed', async () => {
    const { type } = await under({ emergency: { break_glass: 'admin' } });
    const line = 'emergency enable --for 10m --reason down --break-glass';
    expect(await type(`/appliance can @dana ${line}`)).toContain('Approval  not needed with --break-glass');
    expect(await type(`/appliance can @bob ${line}`)).toContain(
      'No. @bob can’t use break-glass in #helpdesk: that requires the admin role.',
    );
  });

  test('that was withdrawn meanwhile is told as that', async () => {
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

  test('looks things up and changes nothing', async () => {
    const { type } = await shared();
    expect(await type('/appliance rdp sessions', 'bob', 'partners')).toContain('bob.miller');
    expect(await type('/appliance rdp disconnect 12', 'bob', 'partners')).toContain(
      'Changes are blocked in #partners: it is shared with another organization',
    );
  });

  test('offers no approval that nobody could give, and names nobody who could do it', async () => {
    const { type } = await shared();
    const refused = await type('/appliance rdp disconnect 12', 'vic', 'partners');
    expect(refused).toContain('No role in #partners may run rdp disconnect.');
    expect(refused).not.toMatch(/Ask for approval|to run it/);
    expect(await type('/appliance who can rdp disconnect', 'vic', 'partners')).toContain(
      'Nobody can run rdp disconnect in #partners: changes are blocked, because this channel is shared with another organization',
    );
    expect(await type('/appliance help rdp disconnect', 'bob', 'partners')).toContain(
      'cannot run it here. Changes are blocked: this channel is shared with another organization',
    );
  });

  test('changes things where the policy says so', async () => {
    const { type } = await shared({ shared: 'write' });
    expect(await type('/appliance rdp disconnect 12', 'bob', 'partners')).toContain('[Disconnect] [Cancel]');
  });
});

describe('whoever asked', () => {
  const replies = ({ workspace }: Conversation, by = 'U0ALICE001') =>
    workspace
      .snapshot(by)
      .messages.filter(({ thread_ts, ts }) => thread_ts !== undefined && thread_ts !== ts)
      .map(({ text }) => text);
  const asking = (phrase: string, from?: number) =>
    under({ approvals: [{ commands: [{ phrase }], by: 'approver' }], time_zone: 'UTC' }, {}, from);

  test('is mentioned once when somebody else approved it and it was done', async () => {
    const house = await needing({});
    await house.type('/appliance rdp disconnect 12');
    await house.press('Approve', 'carol');
    expect(replies(house)).toEqual([
      expect.stringMatching(
        /^<@U0ALICE001>: Approved by <@U0CAROL001>\. .*Session 12 of bob\.miller on srv-files-01\*? disconnected/,
      ),
    ]);
  });

  test('is mentioned once for what must be compiled, when it is live', async () => {
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

  test('is mentioned when it did not work, with what the appliance said in the same message', async () => {
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

  test('is mentioned where it was approved and did not run after all', async () => {
    const house = await needing({});
    await house.type('/appliance rdp disconnect 12');
    house.appliance.state.rdp.sessions.delete(12);
    await house.press('Approve', 'carol');
    expect(sent(house)).toBe(0);
    expect(replies(house)).toEqual([
      expect.stringMatching(/^<@U0ALICE001>: Approved by <@U0CAROL001>\. .*No changes were made/),
    ]);
  });

  test('is mentioned once of a plan, whose lines are told in the same message', async () => {
    const house = await asking('acl object disable');
    await house.type('/appliance plan acl object disable google_sni\nacl object disable apple_sni', 'bob');
    await house.press('Approve', 'carol');
    const mentions = replies(house).filter((text) => text.includes('<@U0BOB00001>'));
    expect(mentions).toEqual([
      expect.stringMatching(/^<@U0BOB00001>: Approved by <@U0CAROL001>\. Plan done: .*Compiled/),
    ]);
  });

  test('hears of what is planned when it is approved, and when its time has come', async () => {
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

describe('what waits for somebody', () => {
  const emergency = '/appliance emergency enable --for 30m --reason "directory down"';
  const waitsForOne = '1 request waits for you. Words approve and deny nothing: press a button.';
  const isOn = ({ appliance }: Conversation) => appliance.state.directory.emergency;
  /** What somebody reads of their own line. */
  const saidTo = async (house: Conversation, line: string, by: string, channel = 'helpdesk') => {
    const before = house.read(by, channel);
    const after = await house.type(`/appliance ${line}`, by, channel);
    return after.slice(before.length);
  };

  test('is the same answer whatever an approver types, with the buttons that count', async () => {
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

  test('is told in every channel of theirs and in a direct message, and pressed there', async () => {
    const house = await converse();
    await house.type(emergency, 'bob');
    expect(await saidTo(house, 'what needs my approval', 'carol', 'incident')).toContain(waitsForOne);
    expect(await house.write('approve', 'carol', 'appliance-bot')).toContain(waitsForOne);
    expect(isOn(house)).toBe(false);
    await house.press('Approve', 'carol', 'incident');
    expect(isOn(house)).toBe(true);
  });

  test('names who else could, to whoever asked and to who may not approve', async () => {
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

  test('is about the card of a thread first, also where that waits for nobody any more', async () => {
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

  test('is no longer theirs once they have approved it, while it waits for another', async () => {
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

  test('has the requests for sites as well', async () => {
    const house = await converse();
    await house.type('/appliance ask live-betting.example --for 2h --reason "booking for customer"', 'vic');
    const said = await saidTo(house, 'anything to approve?', 'bob');
    expect(said).toContain(waitsForOne);
    expect(said).toContain('[Allow for 2 h]');
    expect(await saidTo(house, 'approve', 'vic')).toContain('Your requests for sites');
  });

  test('is hidden from who is in none of the channels, and from who has no role there', async () => {
    const house = await under({}, { roles: { ...sandboxRoles, viewer: [] } });
    await house.type(emergency, 'bob');
    const said = await saidTo(house, 'approve', 'vic');
    expect(said).toContain('Nothing waits for your approval or confirmation.');
    expect(said).not.toContain('emergency');
    expect(await house.write('approve', 'vic', 'appliance-bot')).not.toContain('emergency');
  });

  test('is not said to be nothing where Slack could not be asked who somebody is', async () => {
    const house = await converse();
    await house.type(emergency, 'bob');
    house.workspace.faults.next('usergroups.users.list', { kind: 'error', error: 'internal_error' }, 50);
    house.wait(10 * minute);
    expect(await saidTo(house, 'approve', 'carol')).not.toContain('Nothing waits');
  });
});
