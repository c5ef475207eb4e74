import { expect } from 'vitest';
import { rewrite, sent, under } from '../approving.ts';
import { type Conversation, converse } from '../conversation.ts';
import { attacks } from './rows.ts';

const approvedRecords = { approvals: [{ commands: [{ phrase: 'acl records' }], by: 'approver' }] };

const newest = (said: string): string => said.split('\n\n').at(-1) ?? '';

const filesIn = ({ workspace }: Conversation, id: string) =>
  workspace.snapshot(id).messages.flatMap(({ files = [] }) => files);

/** @bob has a page, an undo, a question, a filter and a form before him. */
async function everythingOpen(): Promise<Conversation> {
  const house = await under({}, { roles: { operator: ['U0BOB00001'], viewer: ['U0ALICE001'] } });
  await house.type('/appliance acl object disable 3', 'bob');
  await house.type('/appliance rdp disconnect 12', 'bob');
  await house.type('/appliance acl records 6', 'bob');
  return house;
}

/** Presses all of it, which must do nothing. */
async function pressAll(house: Conversation, answers = 6): Promise<void> {
  const before = house.appliance.requests.length;
  for (const button of ['Next ▶', 'CSV', 'JSON', 'Filter…', 'Undo', 'Disconnect']) {
    await house.press(button, 'bob');
  }
  expect(house.read('bob').split('only visible to bob').length - 1).toBe(answers);
  expect(house.person('bob').form()).toBeUndefined();
  expect(filesIn(house, 'U0BOB00001')).toEqual([]);
  expect(house.read('alice')).toContain('Rows 1–');
  expect(house.read('alice')).not.toMatch(/Rows 1[0-9]–/);
  expect(house.appliance.requests.slice(before)).toEqual([]);
  expect(sent(house)).toBe(0);
}

attacks('what was allowed before', [
  {
    attack: 'the policy file takes a role away, and every button that was there before is pressed',
    must: 'each is refused, and the appliance is not asked',
    tryIt: async () => {
      const house = await everythingOpen();
      await rewrite(house, 'U0BOB00001', 'U0DANA0001');
      await pressAll(house);
    },
  },
  {
    attack: 'the account is deactivated, and every button that was there before is pressed',
    must: 'each is refused, and the appliance is not asked',
    tryIt: async () => {
      const house = await everythingOpen();
      await house.workspace.changePerson('U0BOB00001', { deleted: true });
      // The deactivated people read no answers.
      await pressAll(house, 0);
    },
  },
  {
    attack: 'the channel leaves the policy, and every button that was there before is pressed',
    must: 'each is refused, and the appliance is not asked',
    tryIt: async () => {
      const house = await everythingOpen();
      await rewrite(house, /C0HELPDESK/g, 'C0INCIDENT');
      await pressAll(house);
    },
  },
  {
    attack:
      'the channel may not name an appliance any more, and what is left of it there is read on, taken away and undone',
    must: 'each is refused, and the appliance is not asked',
    tryIt: async () => {
      const channel = { name: 'helpdesk', appliance: 'hq', appliances: ['branch-2'] };
      const house = await converse({
        branches: 1,
        policy: { channels: { C0HELPDESK: { ...channel, roles: { operator: ['U0BOB00001'] } } } },
      });
      const branch = house.branches.get('branch-2');
      await house.type('/appliance category add-site 252 example.org --on branch-2', 'bob');
      await house.type('/appliance rdp disconnect 12 --on branch-2', 'bob');
      await house.type('/appliance acl object disable --on branch-2', 'bob');
      await house.type('/appliance acl records 6 --on branch-2', 'bob');
      await rewrite(house, /appliances:\s*\n?\s*(?:- branch-2|\[\s*branch-2\s*\])/, 'appliances: []');
      const before = branch?.requests.length;
      for (const button of ['Next ▶', 'CSV', 'JSON', 'Filter…', 'Disconnect'])
        await house.press(button, 'bob');
      expect(house.person('bob').form()?.title).toBe('ACL object disable');
      expect(await house.person('bob').search('ACL object', '')).toEqual([]);
      expect(house.read('bob')).not.toMatch(/Rows 1[0-9]–/);
      expect(filesIn(house, 'U0BOB00001')).toEqual([]);
      expect(branch?.requests.length).toBe(before);
    },
  },
  {
    attack: 'an approved lookup is read on by its asker, whose role is gone since',
    must: 'it is refused: only a role that was lent outlasts that',
    tryIt: async () => {
      const roles = { viewer: ['S0HELPDESK'], approver: ['U0CAROL001'] };
      const house = await under(approvedRecords, { roles });
      await house.type('/appliance acl records 3');
      await house.press('Approve', 'carol');
      expect(await house.press('Next ▶')).toContain('Rows 16–25 of 25');
      await house.press('◀ Previous');
      await house.workspace.changeUserGroup('S0HELPDESK', { users: [] });
      for (const button of ['Next ▶', 'CSV', 'Filter…']) {
        const said = newest(await house.press(button));
        expect([button, said]).toEqual([button, expect.stringContaining('You have no role here')]);
      }
      expect(house.read()).not.toContain('Rows 16–25');
      expect(filesIn(house, 'U0ALICE001')).toEqual([]);
    },
  },
  {
    attack: 'a lookup that was free becomes one that takes an approval, and others read on in it',
    must: 'they are told to ask for their own',
    tryIt: async () => {
      const house = await under(
        { approvals: [] },
        { roles: { viewer: 'everyone', approver: ['U0CAROL001'] } },
      );
      await house.type('/appliance acl records 3');
      expect(await house.press('Next ▶', 'vic')).toContain('Rows 16–25');
      await rewrite(
        house,
        'approvals: []',
        'approvals: [{ commands: [{ phrase: acl records }], by: approver }]',
      );
      await house.press('◀ Previous', 'vic');
      expect(newest(house.read('vic'))).toContain('somebody else');
      expect(house.read('bob')).toContain('Rows 16–25');
    },
  },
  {
    attack: 'a member becomes a guest between the question and the click, the form and its sending',
    must: 'a role that everyone has is not theirs any more',
    tryIt: async () => {
      const house = await under({}, { roles: { operator: 'everyone' } });
      await house.type('/appliance rdp disconnect 12', 'vic');
      await house.type('/appliance acl object disable', 'vic');
      const vic = house.person('vic');
      await vic.fill({ 'ACL object': 'google_sni' });
      await house.workspace.changePerson('U0VIC00001', { isGuest: true });
      const before = house.appliance.requests.length;
      await vic.submit();
      await house.press('Disconnect', 'vic');
      expect(newest(house.read('vic'))).toContain('guest');
      expect(house.appliance.requests.slice(before)).toEqual([]);
    },
  },
  {
    attack: 'the channel is shared with others between the change and Undo, the question and the click',
    must: 'nothing is changed from there any more, and what was answered can still be read',
    tryIt: async () => {
      const house = await under({}, { roles: { operator: ['U0BOB00001'] } });
      await house.type('/appliance acl object disable 3', 'bob');
      await house.type('/appliance rdp disconnect 12', 'bob');
      await house.type('/appliance acl records 3', 'bob');
      const orders = () => house.appliance.requests.filter(({ method }) => method !== 'GET').length;
      const before = orders();
      await house.workspace.changeChannel('C0HELPDESK', { isExtShared: true });
      for (const button of ['Undo', 'Disconnect']) {
        const said = newest(await house.press(button, 'bob'));
        expect([button, said]).toEqual([button, expect.stringContaining('another organization')]);
      }
      expect(orders()).toBe(before);
      expect(await house.press('Next ▶', 'bob')).toContain('Rows 16–25');
    },
  },
  {
    attack:
      'somebody who approved one of two needed times loses the role by the user group, and gets it back on the side',
    must: 'their yes counts as long as they have the say, and once',
    tryIt: async () => {
      const approvals = [{ commands: [{ phrase: 'rdp disconnect' }], by: 'approver', count: 2 }];
      const roles = { operator: ['U0BOB00001'], approver: ['S0APPROVER'] };
      const house = await under({ approvals }, { roles });
      await house.workspace.changeUserGroup('S0APPROVER', {
        users: ['U0CAROL001', 'U0DANA0001', 'U0CARLA001'],
      });
      await house.type('/appliance rdp disconnect 12', 'bob');
      await house.press('Approve', 'carol');
      await house.press('Approve', 'carla');
      await house.press('Approve', 'carol');
      expect(sent(house)).toBe(0);
      await house.workspace.changeUserGroup('S0APPROVER', { users: ['U0DANA0001'] });
      await house.press('Approve', 'dana');
      expect(sent(house)).toBe(0);
    },
  },
  {
    attack:
      'a bot account that holds the role by name presses Approve, and shows itself what a request would hit',
    must: 'what needs a second pair of eyes is not approved by it, and it is shown nothing',
    tryIt: async () => {
      const approvals = [{ commands: [{ phrase: 'acl object delete' }], by: 'approver' }];
      const roles = { operator: ['U0BOB00001', 'U0VIC00001'], approver: ['U0VIC00001', 'U0CAROL001'] };
      const house = await under({ approvals }, { roles });
      await house.workspace.changePerson('U0VIC00001', { isBot: true });
      await house.type('/appliance acl object delete 3', 'bob');
      expect(house.read('bob')).toContain('Needs');
      expect(newest(house.read('bob'))).not.toContain('@vic');
      await house.press('Approve', 'vic');
      expect(house.appliance.state.acl.objects.has(3)).toBe(true);
      await house.type('/appliance rdp disconnect 12', 'alice');
      await house.press('Ask for approval', 'alice');
      await house.press('Approve', 'vic');
      expect(newest(house.read('vic'))).not.toContain('bob.miller');
      expect(sent(house)).toBe(0);
    },
  },
  ...Object.entries({
    'the channel is shared': ({ workspace }) => workspace.changeChannel('C0HELPDESK', { isExtShared: true }),
    'the rule wants two approvals': (house) =>
      rewrite(house, /^( +)by: approver$/m, '$1by: approver\n$1count: 2'),
    'the approver’s account is deactivated': ({ workspace }) =>
      workspace.changePerson('U0CAROL001', { deleted: true }),
    'the role of the approver is somebody else’s': (house) => rewrite(house, 'U0CAROL001', 'U0DANA0001'),
    'the account of whoever asked is deactivated': ({ workspace }) =>
      workspace.changePerson('U0BOB00001', { deleted: true }),
  } satisfies Record<string, (house: Conversation) => unknown>).map(([what, happens]) => ({
    attack: `${what} between Approve and the time for which a change is planned`,
    must: 'it does not run, and whoever asked is told why',
    tryIt: async () => {
      const house = await under(
        { approvals: [{ commands: [{ phrase: 'category add' }], by: 'approver' }] },
        { roles: { operator: ['U0BOB00001'], approver: ['U0CAROL001'] } },
      );
      await house.type('/appliance category add one.example.net to 252 --at "in 30m"', 'bob');
      await house.press('Approve', 'carol');
      await happens(house);
      await house.pass(31 * 60_000);
      const [ended] = await house.bot.journal.recent(1);
      expect([ended?.state, ended?.outcome?.says]).toEqual([
        'cancelled',
        expect.stringMatching(/can no longer run it|The approval rule changed|may no longer do so/),
      ]);
      expect(house.appliance.state.categories.all.get(252)?.live.has('one.example.net')).toBe(false);
    },
  })),
  {
    attack: 'the role goes to another channel between the question and the click',
    must: 'it is decided by the channel in which the card stands',
    tryIt: async () => {
      const house = await under({
        channels: {
          C0HELPDESK: { name: 'helpdesk', appliance: 'hq', roles: { operator: ['U0VIC00001'] } },
          C0INCIDENT: { name: 'incident', appliance: 'hq', roles: { viewer: ['U0VIC00001'] } },
        },
      });
      await house.type('/appliance rdp disconnect 12', 'vic');
      await rewrite(house, 'operator', 'viewer');
      await rewrite(house, /viewer(?![\s\S]*viewer)/, 'operator');
      await house.press('Disconnect', 'vic');
      expect(newest(house.read('vic'))).toContain('You can run it in #incident');
      expect(sent(house)).toBe(0);
    },
  },
]);

/** The channel that the organization shares with @eve's. */
const partners = (channel: object) =>
  under({ channels: { C0PARTNERS: { name: 'partners', appliance: 'hq', ...channel } } });

attacks('a channel with another organisation in it', [
  {
    attack: 'somebody of the other organisation presses every button of an answer, a change and a question',
    must: 'each is refused, also where everyone has the role and changes may be made from there',
    tryIt: async () => {
      const house = await partners({ shared: 'write', roles: { operator: 'everyone' } });
      await house.type('/appliance acl object disable 3', 'bob', 'partners');
      await house.type('/appliance acl records 6', 'bob', 'partners');
      await house.type('/appliance rdp disconnect 12', 'bob', 'partners');
      const before = house.appliance.requests.length;
      for (const button of ['Next ▶', 'CSV', 'JSON', 'Filter…', 'Undo', 'Disconnect', 'Cancel']) {
        await house.press(button, 'eve', 'partners');
      }
      expect(house.person('eve').form()).toBeUndefined();
      expect(filesIn(house, 'U0EVE00001')).toEqual([]);
      expect(house.read('bob', 'partners')).toContain('[Disconnect]');
      expect(house.appliance.requests.slice(before)).toEqual([]);
    },
  },
  {
    attack: 'somebody of the other organisation mentions the bot, and uses the menu of a message',
    must: 'nothing is asked of the appliance, and they are told nothing of it',
    tryIt: async () => {
      const house = await partners({ shared: 'write', roles: { operator: 'everyone' } });
      const eve = house.person('eve');
      await house.person('bob').type('partners', 'see https://example.com');
      await eve.shortcut('partners', 'Look up links');
      for (const line of ['rdp sessions', 'acl object disable 3', 'audit']) {
        await eve.type('partners', `<@${house.workspace.botUserId}> ${line}`);
      }
      expect(house.read('eve', 'partners')).not.toMatch(
        /is in \d+ categor|open session|\[Ask for approval\]/,
      );
      expect(house.appliance.requests).toEqual([]);
    },
  },
  {
    attack:
      'somebody of the house asks for approval of a change in a channel that is shared, where none may be made',
    must: 'nobody is asked: no role could be lent there',
    tryIt: async () => {
      const house = await partners({ roles: { viewer: 'everyone', operator: ['U0BOB00001'] } });
      const said = await house.type('/appliance rdp disconnect 12', 'vic', 'partners');
      expect(said).not.toContain('[Ask for approval]');
      const own = await house.type('/appliance rdp disconnect 12', 'bob', 'partners');
      expect(own).not.toMatch(/\[Disconnect\]|\[Ask for approval\]/);
      expect(house.appliance.requests).toEqual([]);
    },
  },
]);
