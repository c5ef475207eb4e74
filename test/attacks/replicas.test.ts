import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { sent } from '../approving.ts';
import { replicas, times } from '../replicas.ts';
import { attacks } from './rows.ts';

type House = Awaited<ReturnType<typeof replicas>>;

/** Two bots on one database; a disconnect takes so many approvals. */
const two = (count: number, roles: object = {}) =>
  replicas(2, {
    policy: {
      approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: ['approver', 'admin'], count }],
      channels: {
        C0HELPDESK: {
          ...{ name: 'helpdesk', appliance: 'hq' },
          roles: {
            operator: ['U0BOB00001'],
            approver: ['U0CAROL001'],
            admin: ['U0DANA0001'],
            ...roles,
          },
        },
      },
    },
  });

/** The same deed at both replicas at the same moment. */
async function atBoth({ at, hastily, idle }: House, ...deeds: readonly (readonly [string, string])[]) {
  const done: Promise<unknown>[] = [];
  for (const [number, [name, button]] of deeds.entries()) {
    at(number % 2);
    done.push(hastily(name).press('helpdesk', button));
  }
  await Promise.all(done);
  await idle();
}

/** The policy file as somebody has changed it, which only one of the two has read so far. */
async function reloadedAt({ bots, data }: House, number: number, change: (text: string) => string) {
  const file = join(dirname(data), 'appliance-bot.yml');
  const before = readFileSync(file, 'utf8');
  const after = change(before);
  expect(after).not.toBe(before);
  writeFileSync(`${file}.new`, after);
  renameSync(`${file}.new`, file);
  bots[number]?.reload();
  await bots[number]?.idle();
}

const newest = async ({ bot }: House) => {
  const [action] = await bot.journal.recent(1);
  if (action === undefined) throw new Error('Nothing was asked');
  return action;
};

attacks('two replicas', [
  {
    attack: 'one person approves at both of them at once what takes two people, again and again',
    must: 'it counts once, and runs when somebody else has approved it',
    tryIt: async () => {
      const house = await two(2);
      await house.type('/appliance rdp disconnect 12', 'bob');
      const carol = ['carol', 'Approve'] as const;
      await atBoth(house, carol, carol, carol, carol);
      const { id, state, token = '' } = await newest(house);
      expect(state).toBe('waiting');
      expect(await house.bot.journal.approvalsOf(id, token)).toHaveLength(1);
      expect(sent(house)).toBe(0);
      await house.press('Approve', 'dana');
      expect(sent(house)).toBe(1);
    },
  },
  {
    attack: 'somebody approves at the one that does not know yet that the policy has taken their role away',
    must: 'their approval does not count at the one that knows, and nothing runs without another one',
    tryIt: async () => {
      const house = await two(2, { approver: ['U0CAROL001', 'U0VIC00001'] });
      await house.type('/appliance rdp disconnect 12', 'bob');
      await reloadedAt(house, 0, (text) => text.replace('U0CAROL001', 'U0ALICE001'));
      house.at(1);
      await house.press('Approve', 'carol');
      house.at(0);
      await house.press('Approve', 'vic');
      expect(sent(house)).toBe(0);
      expect((await newest(house)).state).toBe('waiting');
      await house.press('Approve', 'carol');
      expect(house.read('carol')).toContain('role to approve or deny.');
      await house.press('Approve', 'alice');
      expect(sent(house)).toBe(1);
    },
  },
  {
    attack: 'one presses Approve at the one while whoever asked presses Withdraw at the other',
    must: 'one of them is first, and it runs once or not at all, as the card says',
    tryIt: async () => {
      for (const order of [0, 1]) {
        const house = await two(1);
        await house.type('/appliance rdp disconnect 12', 'bob');
        const deeds = [['carol', 'Approve'] as const, ['bob', 'Withdraw'] as const];
        await atBoth(house, ...(order === 0 ? deeds : deeds.toReversed()));
        const { state } = await newest(house);
        expect(['done', 'cancelled']).toContain(state);
        expect(sent(house)).toBe(state === 'done' ? 1 : 0);
        const endings = [
          'Session 12 of bob.miller on srv-files-01 disconnected',
          'Withdrawn by @bob',
        ] as const;
        const [told, untold] = state === 'done' ? endings : endings.toReversed();
        // The second replica may have drawn the card last, and draws it again with the outcome.
        await expect.poll(() => house.read('alice')).toContain(told);
        expect(house.read('alice')).not.toContain(untold);
      }
    },
  },
  {
    attack: 'one token of an offer is used at both of them at once: Undo, and Ask for approval',
    must: 'it is taken once, and the other click is told who was first',
    tryIt: async () => {
      const house = await two(1);
      await house.type('/appliance acl object disable 3', 'dana');
      await atBoth(house, ['dana', 'Undo'], ['dana', 'Undo']);
      const undone = (await house.bot.journal.recent(20)).filter(
        ({ phrase, state }) => phrase?.startsWith('acl object enable') && state === 'done',
      );
      expect(undone).toHaveLength(1);
      expect(house.appliance.state.acl.objects.get(3)?.enabled).toBe(true);
      expect(times('already pressed that button', house.read('dana'))).toBe(1);
      await house.type('/appliance acl records 3', 'vic');
      await atBoth(house, ['vic', 'Ask for approval'], ['vic', 'Ask for approval']);
      expect(times('[Approve]', house.read('bob'))).toBe(1);
      expect(times('already pressed that button', house.read('vic'))).toBe(1);
    },
  },
  {
    attack: 'somebody without a role asks for approval of one thing after the other, at either in turn',
    must: 'what stands open is counted by both together',
    tryIt: async () => {
      const house = await two(1);
      for (const [number, session] of [12, 14, 7, 9].entries()) {
        house.at(number % 2);
        await house.type(`/appliance rdp disconnect ${session}`, 'vic');
        await house.press('Ask for approval', 'vic');
      }
      expect(times('[Approve]', house.read('bob'))).toBe(3);
      expect(house.read('vic')).toContain('3 requests of yours wait for approval');
    },
  },
  {
    attack:
      'whoever asked has lost the role, which each of the two learns at another moment, and presses the button at both',
    must: 'it is refused at the one that knows, and at the other as soon as it does',
    tryIt: async () => {
      const house = await two(1, { operator: ['U0BOB00001', 'U0ALICE001'] });
      await house.type('/appliance acl object delete 3', 'alice');
      await reloadedAt(house, 0, (text) => text.replace('U0ALICE001', 'U0VIC00001'));
      house.at(0);
      expect(await house.press('Delete', 'alice')).toContain('acl object delete requires');
      expect(house.appliance.state.acl.objects.has(3)).toBe(true);
      await reloadedAt(house, 1, (text) => `${text}\n`);
      house.at(1);
      await house.press('Delete', 'alice');
      expect(house.appliance.state.acl.objects.has(3)).toBe(true);
    },
  },
]);
