import { expect } from 'vitest';
import { sent, under } from '../approving.ts';
import { type Conversation, converse } from '../conversation.ts';
import { attacks } from './rows.ts';

/** A person with a part of a permission, or with a permission lent once, tries to get the rest. */

/** @vic may do only this, @alice too; whoever may do all of it is @bob. */
const limited = (...commands: readonly object[]) =>
  under(
    { roles: { limited: { summary: 'does a part of it', commands } } },
    { roles: { operator: ['U0BOB00001'], limited: ['U0VIC00001', 'U0ALICE001'] } },
  );

const newest = (said: string): string => said.split('\n\n').at(-1) ?? '';
const asked = ({ appliance }: Conversation, path: string): number =>
  appliance.requests.filter((request) => request.path.includes(path)).length;
const filesIn = ({ workspace }: Conversation) =>
  workspace.snapshot('U0VIC00001').messages.flatMap(({ files = [] }) => files);

/** Something is asked for on somebody else's behalf, and @bob agrees to it. */
async function lent(house: Conversation, line: string): Promise<void> {
  await house.type(`/appliance ${line}`, 'vic');
  await house.press('Ask for approval', 'vic');
  await house.press('Approve', 'bob');
  if (house.read('bob').includes('[Yes, approve]')) await house.press('Yes, approve', 'bob');
}

attacks('what is only partly somebody’s', [
  {
    attack: 'a role for one domain is used with other ways to write it, with others beside it, and below it',
    must: 'that domain is looked up, however it is written, and no other',
    tryIt: async () => {
      const house = await limited({ phrase: 'categorize', where: { domain: ['example.com'] } });
      for (const word of [
        'example.com.evil.org',
        'www.example.com',
        'example.com evil.org',
        'evil.org example.com',
      ]) {
        const said = newest(await house.type(`/appliance categorize ${word}`, 'vic'));
        expect([word, said]).toEqual([word, expect.stringContaining('only with domain example.com.')]);
      }
      expect(asked(house, '/categories/query')).toBe(0);
      for (const word of ['EXAMPLE.com', 'https://example.com/a?b=evil.org', 'example.com.'])
        await house.type(`/appliance categorize ${word}`, 'vic');
      expect(house.appliance.requests.map(({ path }) => path)).not.toContainEqual(
        expect.stringContaining('evil'),
      );
      expect(asked(house, '/categories/query/example.com')).toBe(3);
    },
  },
  {
    attack: 'they look up the links of a message, in which there are others beside theirs',
    must: 'it is refused, and nothing is asked of the appliance',
    tryIt: async () => {
      const house = await limited({ phrase: 'categorize', where: { domain: ['example.com'] } });
      await house.person('bob').type('helpdesk', 'see https://example.com and https://evil.org');
      await house.person('vic').shortcut('helpdesk', 'Look up links');
      expect(newest(house.read('vic'))).toContain('only with domain example.com.');
      expect(house.appliance.requests).toEqual([]);
    },
  },
  {
    attack:
      'a form is opened and sent with the number, or a name, of something else in the place of what it offers',
    must: 'it is refused as the line would be, and nothing is told or changed',
    tryIt: async () => {
      const house = await limited({ phrase: 'acl record add', where: { object: [3] } });
      const vic = house.person('vic');
      for (const word of ['6', 'office365_domains', 'bank']) {
        await vic.type('helpdesk', `/appliance acl record add ${word}`);
        await vic.fill({ Pattern: '.example.org' });
        await vic.submit();
        expect([word, newest(house.read('vic'))]).toEqual([
          word,
          expect.stringContaining('You may run acl record add only with object 3.'),
        ]);
      }
      const records = house.appliance.state.acl.objects.get(6)?.records ?? new Map();
      expect([...records.values()].map(({ pattern }) => pattern)).not.toContain('.example.org');
    },
  },
  {
    attack: 'whoever may approve one thing alone approves what was asked for by the name of another',
    must: 'it is refused, and the card still needs somebody who may',
    tryIt: async () => {
      const house = await limited({ phrase: 'acl object disable', where: { object: [3] } });
      await house.type('/appliance acl object disable office365_domains', 'carol');
      await house.press('Ask for approval', 'carol');
      expect(newest(house.read('vic'))).toContain('limited');
      for (const by of ['vic', 'alice']) {
        expect(newest(await house.press('Approve', by))).toContain('only with object 3');
        expect(house.read(by)).not.toContain('[Yes, approve]');
      }
      expect(house.appliance.state.acl.objects.get(6)?.enabled).toBe(true);
      await house.press('Deny…', 'vic');
      expect(house.person('vic').form()).toBeUndefined();
    },
  },
  {
    attack: 'somebody was lent a change once, and presses Undo, types it again, and asks what they can do',
    must: 'nothing of it is theirs any more',
    tryIt: async () => {
      const house = await under({}, { roles: { operator: ['U0BOB00001'] } });
      const { objects } = house.appliance.state.acl;
      await lent(house, 'acl object disable 3');
      expect(objects.get(3)?.enabled).toBe(false);
      expect(newest(await house.press('Undo', 'vic'))).toContain('requires the operator role');
      expect(objects.get(3)?.enabled).toBe(false);
      for (const line of ['acl object disable 6', 'acl object enable 3', 'can @vic acl object enable 3']) {
        expect([line, newest(await house.type(`/appliance ${line}`, 'vic'))]).toEqual([
          line,
          expect.stringContaining('You have no role here.'),
        ]);
      }
      expect(objects.get(6)?.enabled).toBe(true);
    },
  },
  {
    attack:
      'a lookup was lent to somebody, and another one without the role takes its rows away and reads on',
    must: 'each click is refused, and whoever it was lent to reads on',
    tryIt: async () => {
      const house = await under({}, { roles: { operator: ['U0BOB00001'] } });
      await lent(house, 'acl records 3');
      const before = house.read('bob');
      for (const button of ['CSV', 'JSON', 'Next ▶', 'Filter…']) {
        await house.press(button, 'alice');
        expect([button, newest(house.read('alice'))]).toEqual([
          button,
          expect.stringContaining('You have no role here.'),
        ]);
      }
      expect(filesIn(house)).toEqual([]);
      expect(house.read('bob')).toBe(before);
      expect(await house.press('Next ▶', 'vic')).toContain('Rows 16–25 of 25');
    },
  },
  {
    attack: 'the answer of two appliances is taken away by somebody who may read one of them',
    must: 'it is refused, whatever the button',
    tryIt: async () => {
      const commands = [{ phrase: 'acl records', appliance: 'branch-2' }];
      const house = await converse({
        branches: 1,
        policy: {
          roles: { limited: { summary: 'does a part of it', commands } },
          channels: {
            C0HELPDESK: {
              ...{ name: 'helpdesk', appliance: 'hq', appliances: 'all' },
              roles: { limited: ['U0VIC00001'], operator: ['U0BOB00001'] },
            },
          },
        },
      });
      await house.type('/appliance acl records 3 --on all', 'bob');
      for (const button of ['CSV', 'JSON', 'Next ▶', 'Filter…']) {
        await house.press(button, 'vic');
        expect([button, newest(house.read('vic'))]).toEqual([
          button,
          expect.stringContaining('You may run acl records only on branch-2.'),
        ]);
      }
      expect(filesIn(house)).toEqual([]);
    },
  },
  {
    attack: 'a role for the audit of one command is used with shorter, longer and other ways to write it',
    must: 'nothing of other commands is told',
    tryIt: async () => {
      const house = await limited({ phrase: 'audit', where: { command: ['categorize'] } });
      await house.type('/appliance rdp sessions', 'bob');
      await house.type('/appliance categorize example.com', 'bob');
      for (const more of [
        '',
        ' --command rdp',
        ' --command "categorize rdp"',
        ' --command ""',
        ' --command c',
        ' --denied',
      ]) {
        const said = newest(await house.type(`/appliance audit${more}`, 'vic'));
        expect([more, said]).toEqual([more, expect.not.stringContaining('rdp sessions')]);
      }
      expect(newest(await house.type('/appliance audit --command categorize', 'vic'))).toContain('1 action');
    },
  },
  {
    attack: 'the thing that is theirs is renamed to what they may not have, and that to theirs',
    must: 'it is known by its number, whatever it is called',
    tryIt: async () => {
      const house = await limited({ phrase: 'acl object disable', where: { object: [3] } });
      const { objects } = house.appliance.state.acl;
      const [mine, other] = [objects.get(3), objects.get(6)];
      if (mine === undefined || other === undefined) throw new Error('There are no such ACL objects');
      objects.set(3, { ...mine, name: other.name });
      objects.set(6, { ...other, name: mine.name });
      await house.type(`/appliance acl object disable ${mine.name}`, 'vic');
      expect([objects.get(3)?.enabled, objects.get(6)?.enabled]).toEqual([true, true]);
      await house.type(`/appliance acl object disable ${other.name}`, 'vic');
      expect([objects.get(3)?.enabled, objects.get(6)?.enabled]).toEqual([false, true]);
    },
  },
  {
    attack: 'something else is given the name, and then the number, of the thing that is theirs',
    must: 'a name that is a number is not that number: only what has it is theirs',
    tryIt: async () => {
      const house = await limited({ phrase: 'acl object disable', where: { object: [3] } });
      const { objects } = house.appliance.state.acl;
      const [mine, other] = [objects.get(3), objects.get(6)];
      if (mine === undefined || other === undefined) throw new Error('There are no such ACL objects');
      objects.set(6, { ...other, name: '3' });
      objects.delete(3);
      const said = newest(await house.type('/appliance acl object disable 3', 'vic'));
      expect(said).toContain('hq lists no ACL object 3.');
      expect(objects.get(6)?.enabled).toBe(true);
      objects.set(3, mine);
      await house.type('/appliance acl object disable 3', 'vic');
      expect([objects.get(3)?.enabled, objects.get(6)?.enabled]).toEqual([false, true]);
    },
  },
  {
    attack:
      'somebody asks for approval of their own colleague’s line, by pressing the button that was offered to them alone',
    must: 'nobody else sees such a button, and nothing is asked for twice',
    tryIt: async () => {
      const house = await under({}, { roles: { operator: ['U0BOB00001'] } });
      await house.type('/appliance rdp disconnect 12', 'vic');
      expect(house.read('alice')).not.toContain('[Ask for approval]');
      await house.press('Ask for approval', 'vic');
      await expect(house.press('Ask for approval', 'alice')).rejects.toThrow();
      expect(sent(house)).toBe(0);
    },
  },
  {
    attack: 'somebody asks in a channel without a policy for what they may do elsewhere',
    must: 'nothing is asked of the appliance, and nothing is told of the other channel’s things',
    tryIt: async () => {
      const house = await under({}, { roles: { operator: ['U0BOB00001'] } });
      for (const line of [
        'rdp sessions',
        'rdp disconnect 12',
        'audit',
        'acl records 3 --on hq',
        'can @bob audit',
      ]) {
        const said = await house.type(`/appliance ${line}`, 'bob', 'random');
        expect([line, newest(said)]).toEqual([line, expect.stringContaining('isn’t enabled')]);
      }
      expect(house.appliance.requests).toEqual([]);
    },
  },
]);
