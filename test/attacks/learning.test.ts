import { expect } from 'vitest';
import { sent, under } from '../approving.ts';
import { type Conversation, converse } from '../conversation.ts';
import { attacks } from './rows.ts';

/** @vic has no role, and whoever could do it is @bob. */
const withoutRole = () => under({}, { roles: { operator: ['U0BOB00001'] } });

/** @vic may do only this. */
const limited = (...commands: readonly object[]) =>
  under(
    { roles: { limited: { summary: 'does a part of it', commands } } },
    { roles: { operator: ['U0BOB00001'], limited: ['U0VIC00001'] } },
  );

/** The same with a branch beside the headquarters. */
const withBranch = (...commands: readonly object[]) =>
  converse({
    branches: 1,
    policy: {
      roles: { limited: { summary: 'does a part of it', commands } },
      channels: {
        C0HELPDESK: {
          ...{ name: 'helpdesk', appliance: 'hq', appliances: 'all' },
          roles: { limited: ['U0VIC00001'], operator: ['U0BOB00001'], admin: ['U0DANA0001'] },
        },
      },
    },
  });

const objectsIn = ({ appliance }: Conversation) => appliance.state.acl.objects;

function rename(house: Conversation, id: number, name: string): void {
  const object = objectsIn(house).get(id);
  if (object === undefined) throw new Error(`There is no ACL object ${id}`);
  objectsIn(house).set(id, { ...object, name });
}

/** The newest message that this person sees. */
const newest = (said: string): string => said.split('\n\n').at(-1) ?? '';

/** The answer to an access request, without the requested line. */
async function accessRequest(house: Conversation, line: string): Promise<string> {
  await house.type(`/appliance ${line}`, 'vic');
  const said = newest(await house.press('Ask for approval', 'vic'));
  await house.press('Withdraw', 'vic');
  return said.replaceAll(line, '…').replace(/expires \d\d:\d\d/, '');
}

/** All that reaches somebody’s computer, seen or not. */
const everythingOf = ({ workspace }: Conversation, id: string): string =>
  JSON.stringify([workspace.snapshot(id).messages, workspace.snapshot(id).views]);

attacks('what requests and refusals tell', [
  {
    attack: 'somebody without any role asks for approvals to find out what an appliance has',
    must: 'each request stands, whether there is such a thing or not',
    tryIt: async () => {
      const house = await withoutRole();
      rename(house, 6, 'twin');
      rename(house, 7, 'twin');
      const there = await accessRequest(house, 'rdp disconnect 12');
      expect(there).toContain('Let @vic run “…”?');
      expect(await accessRequest(house, 'rdp disconnect 99')).toBe(there);
      const records = await accessRequest(house, 'acl records google_sni');
      expect(records).toContain('Look this up for @vic: “…”?');
      expect(await accessRequest(house, 'acl records bank')).toBe(records);
      house.wait(60 * 60_000);
      expect(await accessRequest(house, 'acl records twin')).toBe(records);
    },
  },
  {
    attack: 'somebody without any role asks for approvals to find out in what state things are',
    must: 'each request stands, whether there is something to do or not',
    tryIt: async () => {
      const house = await withoutRole();
      const toDo = await accessRequest(house, 'acl object disable 3');
      for (const line of ['acl object enable 3', 'emergency disable']) {
        expect([line, await accessRequest(house, line)]).toEqual([line, toDo]);
      }
      const dryRun = await accessRequest(house, 'acl object disable 3 --dry-run');
      expect(await accessRequest(house, 'acl object disable 999 --dry-run')).toBe(dryRun);
      expect(everythingOf(house, 'U0VIC00001')).not.toMatch(/google_sni|enabled already/);
    },
  },
  {
    attack:
      'somebody asks for approval by name where the policy has a role, and an approval, for one thing alone',
    must: 'the card needs the same whatever the name means, and no less than that thing does',
    tryIt: async () => {
      const one = { commands: [{ phrase: 'acl records', where: { object: [3] } }] };
      const house = await under(
        {
          roles: { limited: { summary: 'does a part of it', ...one } },
          approvals: [{ ...one, by: 'approver' }],
        },
        { roles: { operator: ['U0BOB00001'], limited: ['U0ALICE001'], approver: ['U0CAROL001'] } },
      );
      const needs = async (word: string) =>
        /Needs {2}.*/.exec(await accessRequest(house, `acl records ${word}`))?.[0];
      const named = await needs('google_sni');
      expect(named).toMatch(/1 approval by operator.* or limited.* and 1 approval by approver/);
      expect(await needs('office365_domains')).toBe(named);
      expect(await needs('bank')).toBe(named);
      house.wait(60 * 60_000);
      // A number is known for what it is.
      expect(await needs('3')).toBe(named);
      const other = await needs('6');
      expect(other).toMatch(/^Needs {2}1 approval by operator[^,]*$/);
      expect(await needs('999')).toBe(other);
    },
  },
  {
    attack: 'somebody asks for approval of what is not there, and it is approved',
    must: 'whoever may run it is shown why, alone, and nothing is sent after their yes',
    tryIt: async () => {
      const house = await withoutRole();
      await house.type('/appliance rdp disconnect 99', 'vic');
      await house.press('Ask for approval', 'vic');
      expect(newest(await house.press('Approve', 'bob'))).toContain('hq lists no open session 99.');
      expect(house.read('vic')).not.toContain('no open session');
      await house.press('Yes, approve', 'bob');
      expect(house.read('vic')).toContain('hq lists no open session 99. No changes were made.');
      expect(sent(house)).toBe(0);
    },
  },
  {
    attack: 'what could not be done when it was approved can be done a moment later',
    must: 'nothing is run: what there is now was not shown to whoever approved',
    tryIt: async () => {
      const house = await withoutRole();
      await house.type('/appliance acl object enable 3', 'vic');
      await house.press('Ask for approval', 'vic');
      expect(newest(await house.press('Approve', 'bob'))).toContain('already enabled');
      const object = objectsIn(house).get(3);
      if (object === undefined) throw new Error('There is no ACL object 3');
      objectsIn(house).set(3, { ...object, enabled: false });
      await house.press('Yes, approve', 'bob');
      expect(objectsIn(house).get(3)?.enabled).toBe(false);
      expect(newest(house.read('vic'))).toContain('Let @vic run “acl object enable 3”?');
      expect(house.read('vic')).not.toContain('google_sni');
    },
  },
  {
    attack: 'somebody asks for approval on two appliances, of which one does not have it',
    must: 'the card does not tell, and whoever may run it is told alone',
    tryIt: async () => {
      const house = await withBranch({ phrase: 'help' }, { phrase: 'status' });
      house.branches.get('branch-2')?.state.acl.objects.delete(3);
      await house.type('/appliance acl records 3 --on all', 'vic');
      expect(newest(await house.press('Ask for approval', 'vic'))).toContain('Look this up for @vic');
      expect(house.read('vic')).not.toContain('lists no ACL object');
      expect(newest(await house.press('Approve', 'bob'))).toContain('branch-2 lists no ACL object 3');
    },
  },
  {
    attack: 'the session that a request is about becomes somebody else’s between the look and the yes',
    must: 'it is asked anew, and its asker is told neither name in any part of a message',
    tryIt: async () => {
      const house = await withoutRole();
      await house.type('/appliance rdp disconnect 12', 'vic');
      await house.press('Ask for approval', 'vic');
      await house.press('Approve', 'bob');
      const { sessions } = house.appliance.state.rdp;
      const session = sessions.get(12);
      if (session === undefined) throw new Error('There is no session 12');
      sessions.set(12, { ...session, username: 'eva.stone' });
      await house.press('Yes, approve', 'bob');
      expect(sent(house)).toBe(0);
      expect(newest(house.read('vic'))).toContain('[Approve]');
      expect(everythingOf(house, 'U0VIC00001')).not.toMatch(/bob\.miller|eva\.stone|srv-files|10\.20\.6/);
    },
  },
  {
    attack: 'somebody who may see one thing types names and numbers to find out what else there is',
    must: 'the answer is the same whether it is there or not',
    tryIt: async () => {
      const house = await limited(
        { phrase: 'acl records', where: { object: [3] } },
        { phrase: 'acl object disable', where: { object: [3] } },
      );
      for (const phrase of ['acl records', 'acl object disable']) {
        const answer = async (word: string) =>
          newest(await house.type(`/appliance ${phrase} ${word}`, 'vic')).replaceAll(word, '…');
        const there = await answer('office365_domains');
        expect(there).toContain(`You may run ${phrase} only with object 3.`);
        for (const word of ['6', '999', 'bank', 'office365']) {
          expect([word, await answer(word)]).toEqual([word, there]);
        }
      }
    },
  },
  {
    attack:
      'somebody who may see one thing types words near its name, of which one is the whole name of something else',
    must: 'the answer is the same as when nothing has that name, and says what they may run',
    tryIt: async () => {
      const house = await limited(
        { phrase: 'acl records', where: { object: [3] } },
        { phrase: 'acl object disable', where: { object: [3] } },
      );
      const lines = [
        'acl records google',
        'acl records sni',
        'acl object disable google',
        'acl object disable google --dry-run',
      ];
      const answers = async () => {
        const said = [];
        for (const line of lines) said.push([line, newest(await house.type(`/appliance ${line}`, 'vic'))]);
        return said;
      };
      const before = await answers();
      for (const [line, said] of before) {
        expect([line, said]).toEqual([
          line,
          expect.stringMatching(/only with object 3\.[\s\S]*google_sni \(3\)/),
        ]);
        expect(said).not.toContain('lists no ACL object');
        expect(said).toContain('[Ask for approval]');
      }
      rename(house, 6, 'google');
      rename(house, 7, 'SNI');
      expect(await answers()).toEqual(before);
      expect(objectsIn(house).get(6)?.enabled).toBe(true);
    },
  },
  {
    attack: 'they type the name of their thing, which others have as well by now',
    must: 'theirs is meant, whatever else there is, and nothing tells of the others',
    tryIt: async () => {
      const house = await limited({ phrase: 'acl records', where: { object: [3] } });
      const answer = async (word: string) =>
        newest(await house.type(`/appliance acl records ${word}`, 'vic'));
      const before = await answer('google_sni');
      expect(before).toContain('25 records');
      rename(house, 6, 'google_sni');
      rename(house, 7, 'GOOGLE_SNI');
      expect(await answer('google_sni')).toBe(before);
      expect(await answer('Google_SNI')).toBe(before.replace('records google_sni`', 'records Google_SNI`'));
    },
  },
  {
    attack: 'they name it on two appliances, of which one has something else under that name',
    must: 'that one answers as it does when it has nothing of that name',
    tryIt: async () => {
      const house = await withBranch({ phrase: 'acl records', where: { object: [3] } });
      const there = house.branches.get('branch-2')?.state.acl.objects;
      const [mine, other] = [there?.get(3), there?.get(6)];
      if (there === undefined || mine === undefined || other === undefined)
        throw new Error('branch-2 has no such ACL objects');
      there.set(3, { ...mine, name: 'mine' });
      const answer = async () =>
        newest(await house.type('/appliance acl records google_sni --on all', 'vic'));
      const before = await answer();
      expect(before).toContain('branch-2');
      there.set(6, { ...other, name: 'google_sni' });
      expect(await answer()).toBe(before);
    },
  },
  {
    attack:
      'two things of one name are named by somebody who may see neither, and by somebody who may see one',
    must: 'the first is told what they may see, for the second theirs is meant',
    tryIt: async () => {
      const house = await limited({ phrase: 'acl records', where: { object: [3] } });
      rename(house, 6, 'twin');
      rename(house, 7, 'twin');
      const said = newest(await house.type('/appliance acl records twin', 'vic'));
      expect(said).toContain('You may run acl records only with object 3.');
      rename(house, 3, 'twin');
      const answered = newest(await house.type('/appliance acl records twin', 'vic'));
      expect(answered).toContain('25 records');
      expect(answered).not.toMatch(/several|\(6\)|\(7\)/);
    },
  },
  {
    attack:
      'somebody who may read the audit of one branch reads and takes away what was done there and elsewhere',
    must: 'they are told that it is left out, and get nothing of it',
    tryIt: async () => {
      const house = await withBranch(
        { phrase: 'audit', appliance: 'branch-2' },
        { phrase: 'timeline', appliance: 'branch-2' },
      );
      await house.type('/appliance acl records 3 --on all', 'bob');
      await house.type('/appliance categorize example.com --on branch-2', 'bob');
      const said = newest(await house.type('/appliance audit --on branch-2', 'vic'));
      expect(said).toContain('1 action on branch-2');
      expect(said).toContain('1 action is not shown');
      expect(said).not.toContain('acl records');
      await house.press('JSON Lines', 'vic');
      const file = house.person('vic').file('helpdesk', 'audit-on-branch-2.jsonl').toString();
      expect(file).toContain('categorize');
      expect(file).not.toContain('acl records');
      const told = newest(await house.type('/appliance timeline --on branch-2', 'vic'));
      expect(told).toContain('1 action is not shown');
      expect(told).not.toContain('acl records');
    },
  },
  {
    attack: 'they press the buttons of somebody else’s answer, in which it stands',
    must: 'it is refused; whoever may read all of it is told all of it',
    tryIt: async () => {
      const house = await withBranch({ phrase: 'audit', appliance: 'branch-2' });
      await house.type('/appliance acl records 3 --on all', 'bob');
      expect(newest(await house.type('/appliance audit --on branch-2', 'dana'))).toContain('acl records 3');
      for (const button of ['JSON Lines', 'CSV', 'Filter…']) {
        await house.press(button, 'vic');
        expect([button, newest(house.read('vic'))]).toEqual([
          button,
          expect.stringContaining('You may run audit only on branch-2.'),
        ]);
      }
      await house.press('JSON Lines', 'dana');
      expect(house.person('dana').file('helpdesk', 'audit-on-branch-2.jsonl').toString()).toContain('hq');
    },
  },
  {
    attack: 'somebody who may read the audit of one person asks for that of others, and without saying whose',
    must: 'they are told whose they may read',
    tryIt: async () => {
      const house = await limited({ phrase: 'audit', where: { by: ['U0VIC00001'] } });
      await house.type('/appliance rdp sessions', 'bob');
      for (const whose of ['', ' --by <@U0BOB00001>', ' --by <@U0BOB00001|vic>', ' --by U0BOB00001']) {
        const said = newest(await house.type(`/appliance audit${whose}`, 'vic'));
        expect([whose, said]).toEqual([whose, expect.stringContaining('You may run audit only with by')]);
      }
      expect(newest(await house.type('/appliance audit --by <@U0VIC00001>', 'vic'))).not.toContain(
        'rdp sessions',
      );
    },
  },
  {
    attack: 'somebody without a role asks who may do what, what happened, and for help about the audit',
    must: 'help tells what there is, and everything else is refused',
    tryIt: async () => {
      const house = await withoutRole();
      await house.type('/appliance rdp disconnect 12', 'bob');
      const lines = [
        'who can rdp disconnect',
        'can <@U0BOB00001> rdp disconnect',
        'audit',
        'timeline --since 1h',
      ];
      for (const line of [...lines, 'audit everywhere', 'audit --on hq', 'audit --by <@U0VIC00001>']) {
        const said = newest(await house.type(`/appliance ${line}`, 'vic'));
        expect([line, said]).toEqual([
          line,
          expect.stringMatching(/You have no role here|is for nobody|Nobody/),
        ]);
        expect(said).not.toContain('[');
      }
      expect(everythingOf(house, 'U0VIC00001')).not.toContain('only visible to bob');
    },
  },
  {
    attack: 'somebody without a role uses the menu of a message: its links, and the file in it',
    must: 'nothing is asked of the appliance, and nothing is fetched',
    tryIt: async () => {
      const house = await withoutRole();
      const vic = house.person('vic');
      await vic.attach('helpdesk', 'see https://example.com', {
        name: 'hotfix.tgz',
        content: 'x'.repeat(600),
      });
      await vic
        .shortcut('helpdesk', 'Look up links')
        .catch((error: unknown) => expect(String(error)).toBe(''));
      expect(newest(house.read('vic'))).toContain('You have no role here');
      await vic
        .shortcut('helpdesk', 'Send to appliance')
        .catch((error: unknown) => expect(String(error)).toBe(''));
      expect(newest(house.read('vic'))).toContain('You have no role here');
      expect(house.appliance.requests).toEqual([]);
    },
  },
]);
