import { expect } from 'vitest';
import { sent, under } from '../approving.ts';
import { type Conversation, converse } from '../conversation.ts';
import { attacks } from './rows.ts';

const roles = {
  ...{ viewer: 'everyone', helpdesk: ['S0HELPDESK'], operator: ['U0BOB00001'] },
  ...{ approver: ['U0CAROL001'], admin: ['U0DANA0001'] },
};
const approved = (phrase: string, more = {}) => ({
  approvals: [{ commands: [{ phrase }], by: 'approver', ...more }],
});

/** @vic may do only this. */
const limited = (...commands: readonly object[]) =>
  under(
    { roles: { limited: { summary: 'does a part of it', commands } } },
    { roles: { operator: ['U0BOB00001'], limited: ['U0VIC00001'] } },
  );

/** The same with a branch beside the headquarters, which is tagged prod. */
const withBranch = (settings: object, own: readonly object[] = []) =>
  converse({
    branches: 1,
    policy: {
      ...settings,
      roles: { limited: { summary: 'does a part of it', commands: [{ effect: 'read' }, ...own] } },
      channels: {
        C0HELPDESK: {
          ...{ name: 'helpdesk', appliance: 'hq', appliances: 'all' },
          roles: { limited: ['U0VIC00001'], operator: ['U0BOB00001'], approver: ['U0CAROL001'] },
        },
      },
    },
  });

/** The messages that only this person sees. */
const aloneTo = ({ read }: Conversation, by: string): string =>
  read(by)
    .split('\n\n')
    .filter((said) => said.includes(`only visible to ${by}`))
    .join('\n\n');

const filesIn = ({ workspace }: Conversation) =>
  workspace.snapshot('U0VIC00001').messages.flatMap(({ files = [] }) => files);

const records = '/appliance acl records';

attacks('authority', [
  {
    attack: 'a lookup that takes an approval is typed with --dry-run',
    must: 'it is refused, and the appliance is not asked',
    tryIt: async () => {
      const house = await under(approved('category show'), { roles });
      const said = await house.type('/appliance category show shopping --dry-run');
      expect(said).toContain(
        '--dry-run is for commands that change something, and category show only looks something up.',
      );
      expect(house.appliance.requests).toEqual([]);
    },
  },
  {
    attack: 'an order that takes an approval is typed with --dry-run',
    must: 'what it would send is told after the approval only',
    tryIt: async () => {
      const house = await under(approved('rdp disconnect'), { roles });
      const waiting = await house.type('/appliance rdp disconnect 12 --dry-run');
      expect(waiting).toContain('Show @alice what this would send: “rdp disconnect 12 --dry-run”?');
      expect(waiting).not.toContain('would be sent');
      const told = await house.press('Approve', 'carol');
      expect(told).toContain('Dry run: 1 request would be sent. No changes were made.');
      expect(sent(house)).toBe(0);
    },
  },
  {
    attack: 'the audit is asked for although it takes an approval',
    must: 'it waits for it, and then tells whoever asked',
    tryIt: async () => {
      const house = await under(approved('audit'), { roles });
      await house.type('/appliance categorize example.com');
      const waiting = await house.type('/appliance audit');
      expect(waiting).toContain('Tell @alice this: “audit”?');
      expect(waiting).not.toContain('1 action');
      expect(await house.press('Approve', 'carol')).toMatch(/\d actions? in this channel/);
    },
  },
  {
    attack: 'the audit of all channels is asked for although it takes an approval',
    must: 'after it the answer is for whoever asked alone',
    tryIt: async () => {
      const house = await under(approved('audit everywhere'), { roles });
      await house.type('/appliance categorize example.com');
      await house.type('/appliance audit everywhere', 'dana');
      await house.press('Approve', 'carol');
      expect(aloneTo(house, 'dana')).toContain('in all channels');
      expect(house.read('carol')).toContain('Answered privately to the person who asked.');
      expect(house.read('carol')).not.toContain('in all channels');
    },
  },
  {
    attack: 'a timeline is asked for without the reason that it takes',
    must: 'it is refused, and says how to give one',
    tryIt: async () => {
      const house = await under(approved('timeline', { reason: true }), { roles });
      expect(await house.type('/appliance timeline')).toContain('This needs a reason. No changes were made.');
    },
  },
  {
    attack: 'a lookup is typed in hours in which nobody can approve it',
    must: 'it is refused',
    tryIt: async () => {
      const always = ['Mon-Sun'];
      const house = await under(approved('category show', { not_possible: always }), { roles });
      expect(await house.type('/appliance category show shopping')).toContain(
        'at this hour nobody can give one',
      );
      expect(house.appliance.requests.filter(({ path }) => path.includes('sites'))).toEqual([]);
    },
  },
  ...(['CSV', 'JSON', 'Next ▶', 'Filter…'] as const).map((button) => ({
    attack: `somebody who may list the records of one object presses ${button} under those of another`,
    must: 'it is refused, and says whose they may list',
    tryIt: async () => {
      const house = await limited({ phrase: 'acl records', where: { object: [3] } });
      await house.type(`${records} 6`, 'bob');
      const before = house.read('bob');
      await house.press(button, 'vic');
      expect(aloneTo(house, 'vic')).toContain('You may run acl records only with object 3.');
      expect(house.read('bob')).toBe(before);
      expect(filesIn(house)).toEqual([]);
      expect(house.person('vic').form()).toBeUndefined();
      // Under those of their own it is theirs.
      await house.type(`${records} 3`, 'bob');
      await house.press(button, 'vic');
      const isTheirs = house.read('bob') !== before || house.person('vic').form() !== undefined;
      expect(isTheirs || filesIn(house).length > 0).toBe(true);
    },
  })),
  {
    attack: 'a filter form is sent when the role is gone since it was opened',
    must: 'nothing more is shown',
    tryIt: async () => {
      const house = await under({}, { roles: { viewer: ['S0HELPDESK'] } });
      await house.type(`${records} 3`);
      const before = house.read();
      await house.press('Filter…');
      await house.workspace.changeUserGroup('S0HELPDESK', { users: [] });
      const alice = house.person('alice');
      await alice.fill({ Words: 'google' });
      await alice.submit();
      expect(house.read()).toContain('You have no role here.');
      expect(house.read('bob').replaceAll('appliance-bot', '')).not.toContain('match google');
      expect(before).not.toContain('match google');
    },
  },
  {
    attack: 'a lookup that takes an approval was approved for somebody, and somebody else turns its pages',
    must: 'they are told to ask for their own',
    tryIt: async () => {
      const house = await under(approved('acl records'), { roles });
      await house.type(`${records} 3`);
      await house.press('Approve', 'carol');
      await house.press('Next ▶', 'vic');
      expect(aloneTo(house, 'vic')).toContain('the one that was given was for somebody else');
      expect(house.read('bob')).toContain('Rows 1–15 of 25');
      // The requester may turn the page.
      expect(await house.press('Next ▶')).toContain('Rows 16–25 of 25');
    },
  },
  {
    attack: 'a picker is opened by somebody who may do it with one value only',
    must: 'it offers that one and no other',
    tryIt: async () => {
      const house = await limited({ phrase: 'acl records', where: { object: [3] } });
      await house.type(records, 'vic');
      const offered = await house.person('vic').search('ACL object', '');
      expect(offered).toEqual(['google_sni (3), ssl_sni']);
    },
  },
  {
    attack: 'a picker is searched when the role is gone since the form was opened',
    must: 'it stays empty',
    tryIt: async () => {
      const house = await under({}, { roles: { viewer: ['S0HELPDESK'] } });
      await house.type(records);
      const alice = house.person('alice');
      expect(await alice.search('ACL object', 'google')).not.toEqual([]);
      await house.workspace.changeUserGroup('S0HELPDESK', { users: [] });
      expect(await alice.search('ACL object', 'apple')).toEqual([]);
    },
  },
  {
    attack: 'a name is mistyped by somebody who may see one thing only',
    must: 'what may have been meant names nothing else',
    tryIt: async () => {
      const house = await limited({ phrase: 'acl records', where: { object: [3] } });
      const said = await house.type(`${records} office365`, 'vic');
      expect(said).toContain('You may run acl records only with object 3.');
      expect(said).not.toContain('office365_domains');
      expect(await house.type(`${records} google`, 'vic')).toContain('[google_sni (3), ssl_sni]');
    },
  },
  {
    attack: 'a word is mistyped by somebody who may not run what was meant',
    must: 'it is named with what it takes, and has no button',
    tryIt: async () => {
      const house = await under({}, { roles });
      const said = await house.type('/appliance acl compil', 'vic');
      expect(said).toContain('(requires another role)');
      expect(said).not.toContain('[acl compile]');
    },
  },
  {
    attack: 'the next page of a whispered audit of all channels is turned when the role is gone',
    must: 'it is refused',
    tryIt: async () => {
      const house = await under({}, { roles: { ...roles, admin: ['S0ADMINS01'] } });
      for (let count = 0; count < 16; count += 1) await house.type('/appliance help', 'alice');
      await house.type('/appliance audit everywhere', 'dana');
      expect(aloneTo(house, 'dana')).toContain('Next ▶');
      await house.workspace.changeUserGroup('S0ADMINS01', { users: [] });
      await house.press('Next ▶', 'dana');
      expect(aloneTo(house, 'dana')).toContain('audit everywhere requires the admin');
      expect(aloneTo(house, 'dana')).not.toContain('Rows 16');
    },
  },
  {
    attack: 'somebody without any role asks for an approval to read names and addresses from its card',
    must: 'the card shows what they typed; those who may approve see the rest alone',
    tryIt: async () => {
      const house = await under({}, { roles: { operator: ['U0BOB00001'] } });
      await house.type('/appliance rdp disconnect 12', 'vic');
      const card = await house.press('Ask for approval', 'vic');
      expect(card).toContain('Let @vic run “rdp disconnect 12”?');
      expect(card).not.toContain('bob.miller');
      await house.press('Approve', 'bob');
      expect(aloneTo(house, 'bob')).toContain('bob.miller');
      expect(house.read('vic')).not.toContain('bob.miller');
      expect(sent(house)).toBe(0);
      await house.press('Yes, approve', 'bob');
      expect(sent(house)).toBe(1);
      await house.type('/appliance audit', 'bob');
      await house.press('JSON Lines', 'bob');
      const file = house.person('bob').file('helpdesk', 'audit.jsonl').toString();
      expect(file).toContain('"revealed":[{"person":"U0BOB00001"');
    },
  },
  {
    attack:
      'whoever waits for an approval, or withdrew what they asked for, takes the audit away to read what it would hit',
    must: 'the file has their line each time, and nothing that the card withholds',
    tryIt: async () => {
      const commands = [{ area: 'audit' }];
      const house = await under(
        { roles: { auditor: { summary: 'reads the audit', commands } } },
        { roles: { operator: ['U0BOB00001'], auditor: ['U0VIC00001'] } },
      );
      await house.type('/appliance rdp disconnect 12', 'vic');
      await house.press('Ask for approval', 'vic');
      await house.type('/appliance audit', 'vic');
      await house.press('JSON Lines', 'vic');
      const file = house.person('vic').file('helpdesk', 'audit.jsonl').toString();
      expect(file).toContain('"underWay"');
      expect(file).not.toContain('bob.miller');
      await house.press('Withdraw', 'vic');
      await house.type('/appliance audit', 'vic');
      await house.press('JSON Lines', 'vic');
      const record = house.person('vic').file('helpdesk', 'audit.jsonl').toString();
      expect(record).toContain('"state":"cancelled"');
      expect(record).toContain('rdp disconnect 12');
      expect(record).not.toContain('bob.miller');
    },
  },
  {
    attack: 'somebody who may not approve presses Approve to see what a request would hit',
    must: 'they are told who may, and see nothing',
    tryIt: async () => {
      const house = await under({}, { roles: { operator: ['U0BOB00001'], viewer: 'everyone' } });
      await house.type('/appliance rdp disconnect 12', 'vic');
      await house.press('Ask for approval', 'vic');
      for (const by of ['vic', 'alice']) {
        await house.press('Approve', by);
        expect(aloneTo(house, by)).not.toContain('bob.miller');
      }
      expect(aloneTo(house, 'alice')).toContain('This requires the operator');
    },
  },
  {
    attack: 'a role of one branch is used on the headquarters, by the default, by name and by all',
    must: 'it is refused each time, and does its work on the branch',
    tryIt: async () => {
      const house = await withBranch({}, [{ phrase: 'rdp disconnect', appliance: 'branch-2' }]);
      for (const on of ['', ' --on hq', ' --on all', ' --on hq,branch-2']) {
        const said = await house.type(`/appliance rdp disconnect 12${on}`, 'vic');
        expect(said, on).toContain('You may run rdp disconnect only on branch-2.');
      }
      expect(await house.type('/appliance rdp disconnect 12 --on branch-2', 'vic')).toContain(
        'Disconnect session 12 of jonas.weber on srv-files-03?',
      );
      expect(sent(house)).toBe(0);
    },
  },
  {
    attack: 'what takes an approval on appliances tagged prod is aimed at several, or at another one first',
    must: 'it waits wherever one of them has the tag, and nowhere else',
    tryIt: async () => {
      const house = await withBranch(approved('rdp disconnect', { tag: 'prod' }));
      expect(await house.type('/appliance rdp disconnect 12 --on branch-2', 'bob')).not.toContain('Needs');
      expect(await house.type('/appliance rdp disconnect 12', 'bob')).toContain(
        'Needs  1 approval by approver',
      );
      const both = await house.type('/appliance rdp disconnect 12 --on branch-2,hq', 'bob');
      expect(both.match(/Needs {2}1 approval/g)).toHaveLength(2);
    },
  },
  {
    attack:
      'somebody asks what they may do on which appliance, to find a gap between the answer and the deed',
    must: 'can and who can say what happens',
    tryIt: async () => {
      const house = await withBranch(approved('rdp disconnect', { tag: 'prod' }), [
        { phrase: 'rdp disconnect', appliance: 'branch-2' },
      ]);
      const can = (line: string) => house.type(`/appliance can @vic ${line}`, 'vic');
      expect(await can('rdp disconnect 12')).toContain(
        'cannot run rdp disconnect on hq in #helpdesk. They may run rdp disconnect only on branch-2.',
      );
      expect(await can('rdp disconnect 12 --on branch-2')).toContain(
        '@vic can run rdp disconnect on branch-2',
      );
      expect(await house.type('/appliance who can rdp disconnect --on hq', 'vic')).toContain(
        'requires the operator',
      );
      expect(await house.type('/appliance who can rdp disconnect --on branch-2', 'vic')).toContain(
        'requires the operator or limited',
      );
    },
  },
  {
    attack: 'somebody whose role is gone presses Undo on the card of a change',
    must: 'it is refused, and the change stays',
    tryIt: async () => {
      const house = await under({}, { roles: { operator: ['S0OPERATOR'] } });
      await house.type('/appliance acl object disable 3', 'bob');
      await house.workspace.changeUserGroup('S0OPERATOR', { users: [] });
      const before = house.appliance.requests.length;
      await house.press('Undo', 'bob');
      expect(aloneTo(house, 'bob')).toContain('You have no role here.');
      expect(house.appliance.requests.slice(before)).toEqual([]);
    },
  },
  {
    attack: 'somebody without a role opens the page of the app',
    must: 'it names no channel and no appliance',
    tryIt: async () => {
      const house = await under({}, { roles: { operator: ['U0BOB00001'] } });
      await house.workspace.act({ act: 'open_home', as: 'U0VIC00001' });
      await house.bot.idle();
      const home = JSON.stringify(house.workspace.snapshot('U0VIC00001').home ?? '');
      expect(home).toContain('You have no role');
      expect(home).not.toMatch(/hq|C0HELPDESK/);
    },
  },
  {
    attack: 'a role for one number is used with other ways to write it, and with a name that reads like it',
    must: 'only that very thing is theirs',
    tryIt: async () => {
      const house = await limited({ phrase: 'acl object disable', where: { object: [3] } });
      const { objects } = house.appliance.state.acl;
      const other = objects.get(6);
      if (other === undefined) throw new Error('There is no ACL object 6');
      objects.set(6, { ...other, name: '3 ' });
      for (const word of [
        '#6',
        '06',
        '0x3',
        '3.0',
        '+3',
        '３',
        '٣',
        '"3 "',
        "'3 '",
        '3,6',
        '3\u200b',
        '3;6',
        '[3]',
      ]) {
        await house.type(`/appliance acl object disable ${word}`, 'vic');
        expect([word, objects.get(6)?.enabled]).toEqual([word, true]);
      }
      for (const one of [{ id: 3 }, { id: 6 }]) objects.set(6, { ...other, name: JSON.stringify(one) });
      await house.type(`/appliance acl object disable '{"id":3}'`, 'vic');
      expect(objects.get(6)?.enabled).toBe(true);
      await house.type('/appliance acl object disable #3', 'vic');
      expect(objects.get(3)?.enabled).toBe(false);
    },
  },
  {
    attack:
      'a role for one of several values is used with that one beside others, and with a dry run of others',
    must: 'it is refused, and nothing is told of the others',
    tryIt: async () => {
      const house = await limited({ phrase: 'acl record delete', where: { record: [101] } });
      for (const line of ['101 142', '142,101', '101 101 142', '142 --dry-run', '101 142 --dry-run']) {
        const said = await house.type(`/appliance acl record delete ${line}`, 'vic');
        const alone = aloneTo(house, 'vic').split('\n\n').at(-1);
        expect([line, alone]).toEqual([line, expect.stringContaining('only with record 101')]);
        expect(said).not.toMatch(/office|would be sent/);
      }
      expect(house.appliance.state.acl.objects.get(6)?.records.has(142)).toBe(true);
    },
  },
  {
    attack: 'somebody who may disable one object presses Undo under the change of another one',
    must: 'it is refused, and the button stays for whoever may',
    tryIt: async () => {
      const house = await limited({ phrase: 'acl object enable', where: { object: [3] } });
      const { objects } = house.appliance.state.acl;
      await house.type('/appliance acl object disable 6', 'bob');
      await house.press('Undo', 'vic');
      expect(aloneTo(house, 'vic')).toContain('You may run acl object enable only with object 3.');
      expect(objects.get(6)?.enabled).toBe(false);
      await house.press('Undo', 'bob');
      expect(objects.get(6)?.enabled).toBe(true);
    },
  },
  {
    attack: 'somebody who holds the role that was asked, but not for this, presses Approve under a request',
    must: 'nobody lends what they do not have: they are shown nothing, and it does not count',
    tryIt: async () => {
      const commands = [{ phrase: 'rdp disconnect', where: { session: [14] } }];
      const house = await under(
        { roles: { limited: { summary: 'does a part of it', commands } } },
        { roles: { operator: ['U0BOB00001'], limited: ['U0VIC00001'] } },
      );
      await house.type('/appliance rdp disconnect 12', 'alice');
      await house.press('Ask for approval');
      await house.press('Approve', 'vic');
      expect(aloneTo(house, 'vic')).not.toContain('bob.miller');
      expect(sent(house)).toBe(0);
    },
  },
  {
    attack: 'somebody who may run it on one appliance approves a request for two',
    must: 'they are shown nothing, and it does not count',
    tryIt: async () => {
      const house = await withBranch({}, [{ phrase: 'rdp disconnect', appliance: 'branch-2' }]);
      await house.type('/appliance rdp disconnect 12 --on hq,branch-2', 'carol');
      await house.press('Ask for approval', 'carol');
      await house.press('Approve', 'vic');
      expect(aloneTo(house, 'vic')).not.toContain('jonas.weber');
      expect(sent(house)).toBe(0);
    },
  },
  {
    attack: 'a picker for one branch is opened, and searched, by somebody who may do it there only',
    must: 'it offers what is on that branch; for the headquarters no form opens',
    tryIt: async () => {
      const house = await withBranch({}, [{ phrase: 'acl object disable', appliance: 'branch-2' }]);
      const own = house.branches.get('branch-2')?.state.acl.objects;
      const object = own?.get(3);
      if (object === undefined) throw new Error('There is no ACL object 3');
      own?.set(3, { ...object, name: 'only_here' });
      await house.type('/appliance acl object disable --on hq', 'vic');
      expect(house.person('vic').form()).toBeUndefined();
      await house.type('/appliance acl object disable --on branch-2,hq', 'vic');
      expect(house.person('vic').form()).toBeUndefined();
      await house.type('/appliance acl object disable --on branch-2', 'vic');
      expect(await house.person('vic').search('ACL object', 'only_here')).toEqual(['only_here (3), ssl_sni']);
      expect(await house.person('vic').search('ACL object', 'google_sni')).not.toContain(
        'google_sni (3), ssl_sni',
      );
    },
  },
  {
    attack: 'somebody asks which appliances there are by naming one that there is not',
    must: 'they are told of those that they may name here, and of no other',
    tryIt: async () => {
      const house = await converse({
        branches: 2,
        policy: {
          channels: {
            C0HELPDESK: {
              ...{ name: 'helpdesk', appliance: 'hq', appliances: ['branch-2'] },
              roles: { viewer: 'everyone' },
            },
          },
        },
      });
      for (const on of ['nowhere', 'branch-4', 'tag:x', '","', 'branch']) {
        const said = await house.type(`/appliance acl objects --on ${on}`, 'vic');
        expect([on, said.includes('branch-3')]).toEqual([on, false]);
      }
      expect(await house.type('/appliance acl objects --on branch-3', 'vic')).toContain(
        'isn’t available in this channel',
      );
      expect(house.appliance.requests).toEqual([]);
    },
  },
  {
    attack:
      'the reason that an approval wants is given as spaces, invisible letters, or one that only looks like it',
    must: 'it is refused, and nobody is asked',
    tryIt: async () => {
      const reason = { pattern: '^INC-[0-9]{4}$', example: 'INC-4711' };
      const house = await under(approved('rdp disconnect', { reason }), { roles });
      for (const given of [
        '" "',
        '"\u3164"',
        '"\u200b"',
        'INC-471',
        '"INC-4711\nx"',
        '"INC-４７１１"',
        '"ІNC-4711"',
        'XINC-4711',
      ]) {
        const said = await house.type(`/appliance rdp disconnect 12 --reason ${given}`, 'bob');
        expect([given, said.includes('[Approve]')]).toEqual([given, false]);
      }
      expect(await house.type('/appliance rdp disconnect 12 --reason INC-4711', 'bob')).toContain(
        '[Approve]',
      );
    },
  },
  {
    attack:
      'somebody approves what they asked for by asking again under their second account, and by withdrawing the first',
    must: 'no yes of theirs counts for either',
    tryIt: async () => {
      const house = await under(approved('rdp disconnect'), {
        roles: { ...roles, operator: ['U0CAROL001', 'U0CARLA001'], approver: ['U0CAROL001', 'U0CARLA001'] },
      });
      await house.type('/appliance rdp disconnect 12', 'carol');
      await house.press('Approve', 'carla');
      await house.type('/appliance rdp disconnect 12', 'carla');
      await house.press('Approve', 'carol');
      await house.press('Approve', 'carla');
      await house.press('Withdraw', 'carol');
      await house.press('Approve', 'carol');
      expect(sent(house)).toBe(0);
    },
  },
  {
    attack:
      'things, commands, appliances and topics are named after what every object has: constructor, toString',
    must: 'there are none of that name, and no appliance is asked',
    tryIt: async () => {
      const house = await under({}, { roles: { operator: ['U0BOB00001'] } });
      for (const word of ['__proto__', 'constructor', 'toString']) {
        await house.type(`/appliance acl records ${word} --on ${word}`, 'bob');
        await house.type(`/appliance ${word} ${word}`, 'bob');
        await house.type(`/appliance help ${word}`, 'bob');
      }
      // Names are looked up to understand what was meant; nothing is asked with these words.
      const asked = house.appliance.requests.filter(({ path }) => /proto|constructor|toString/i.test(path));
      expect(asked).toEqual([]);
    },
  },
  {
    attack:
      'somebody without the role breaks the glass: as an order, as a dry run, and by asking others for approval of it',
    must: 'nothing is enabled, and nobody is asked in its place',
    tryIt: async () => {
      const house = await under(
        { emergency: { break_glass: 'admin' } },
        { roles: { operator: ['U0BOB00001'], approver: ['U0CAROL001'], admin: ['U0DANA0001'] } },
      );
      const line = '/appliance emergency enable --for 10m --reason "directory down" --break-glass';
      expect(await house.type(line, 'bob')).toContain('admin');
      await house.type(`${line} --dry-run`, 'bob');
      await house.type(line, 'vic');
      const said = await house.press('Ask for approval', 'vic');
      expect(said.match(/Break-glass requires the admin role here/g)).toHaveLength(1);
      for (const by of ['bob', 'carol', 'dana']) expect(house.read(by)).not.toContain('[Approve]');
      expect(house.appliance.state.directory.emergency).toBe(false);
      expect(house.read('carol')).not.toContain('would be sent');
    },
  },
  {
    attack: 'the page of the app is opened by somebody with a role for one thing, and again when it is gone',
    must: 'it shows lines that they may run, and none any more',
    tryIt: async () => {
      const house = await under(
        { roles: { limited: { summary: 'does a part of it', commands: [{ phrase: 'acl records' }] } } },
        { roles: { operator: ['U0BOB00001'], limited: ['S0HELPDESK'] } },
      );
      const page = async () => {
        await house.workspace.act({ act: 'open_home', as: 'U0ALICE001' });
        await house.bot.idle();
        return JSON.stringify(house.workspace.snapshot('U0ALICE001').home ?? '');
      };
      const before = await page();
      expect(before).toContain('acl records');
      expect(before).not.toMatch(/rdp|audit|categorize/);
      await house.workspace.changeUserGroup('S0HELPDESK', { users: [] });
      expect(await page()).not.toMatch(/acl records|C0HELPDESK/);
    },
  },
]);
