import { expect, test } from 'vitest';
import type { PersonKind } from './decide.ts';
import { createMembers } from './members.ts';

const minute = 60_000;
const channel = {
  appliance: 'hq',
  appliances: [],
  roles: { viewer: ['S0NIGHT', 'U0BOB'], admin: ['S0DAY'] },
};

/** Slack, with a clock that the test turns and a list of what was asked. */
function chat() {
  const asked: string[] = [];
  const groups: Record<string, readonly string[]> = { S0NIGHT: ['U0ALICE', 'U0EVE'], S0DAY: ['U0BOB'] };
  const broken = new Set<string>();
  const kinds: Record<string, PersonKind> = {};
  const world = { at: 0 };
  const lookup = {
    kindOf: async (person: string) => {
      asked.push(person);
      if (broken.has(person)) throw new Error('no answer');
      return kinds[person] ?? 'member';
    },
    peopleIn: async (group: string) => {
      asked.push(group);
      if (broken.has(group)) throw new Error('no answer');
      return groups[group] ?? [];
    },
  };
  return { asked, groups, broken, kinds, world, members: createMembers(lookup, () => world.at) };
}

test('a person is known with the groups of this channel that they are in', async () => {
  const { members } = chat();
  expect(await members.identify('U0ALICE', channel)).toEqual({
    kind: 'member',
    id: 'U0ALICE',
    groups: new Set(['S0NIGHT']),
  });
});

test('in a channel that is not served no group is asked about', async () => {
  const { members, asked } = chat();
  expect(await members.identify('U0ALICE', undefined)).toMatchObject({ kind: 'member', groups: new Set() });
  expect(asked).toEqual(['U0ALICE']);
});

test('a group is believed for a minute, a person for five', async () => {
  const { members, asked, world, groups } = chat();
  await members.identify('U0ALICE', channel);
  asked.length = 0;
  world.at = minute - 1;
  await members.identify('U0ALICE', channel);
  expect(asked).toEqual([]);
  world.at = minute;
  groups.S0NIGHT = [];
  expect(await members.identify('U0ALICE', channel)).toMatchObject({ groups: new Set() });
  expect(asked.sort()).toEqual(['S0DAY', 'S0NIGHT']);
  asked.length = 0;
  world.at = 5 * minute;
  await members.identify('U0ALICE', channel);
  expect(asked).toContain('U0ALICE');
});

test('fifty questions at once are one', async () => {
  const { members, asked } = chat();
  await Promise.all(Array.from({ length: 50 }, () => members.identify('U0ALICE', channel)));
  expect(asked.sort()).toEqual(['S0DAY', 'S0NIGHT', 'U0ALICE']);
});

test('a failed look-up is an answer of its own, says which, and is not remembered', async () => {
  const { members, broken } = chat();
  broken.add('U0ALICE').add('S0DAY');
  expect(await members.identify('U0ALICE', channel)).toEqual({
    kind: 'lookup_failed',
    id: 'U0ALICE',
    lookup: 'person',
  });
  broken.delete('U0ALICE');
  expect(await members.identify('U0ALICE', channel)).toEqual({
    kind: 'lookup_failed',
    id: 'U0ALICE',
    lookup: 'group',
  });
  broken.clear();
  expect(await members.identify('U0ALICE', channel)).toMatchObject({ kind: 'member' });
});

test('one group that cannot be opened is enough to know nothing', async () => {
  const { members, broken } = chat();
  broken.add('S0DAY');
  expect((await members.identify('U0ALICE', channel)).kind).toBe('lookup_failed');
});

test('a change that Slack tells of counts at once', async () => {
  const { members, groups, kinds } = chat();
  await members.identify('U0ALICE', channel);
  groups.S0NIGHT = [];
  kinds.U0ALICE = 'deactivated';
  expect(await members.identify('U0ALICE', channel)).toMatchObject({ kind: 'member' });
  members.forgetGroup('S0NIGHT');
  members.forgetPerson('U0ALICE');
  expect(await members.identify('U0ALICE', channel)).toEqual({
    kind: 'deactivated',
    id: 'U0ALICE',
    groups: new Set(),
  });
});

test('an answer that was under way when its person was forgotten is not kept', async () => {
  const answers: ((kind: PersonKind) => void)[] = [];
  const members = createMembers(
    { kindOf: () => new Promise((resolve) => answers.push(resolve)), peopleIn: async () => [] },
    () => 0,
  );
  const before = members.identify('U0ALICE', undefined);
  members.forgetPerson('U0ALICE');
  const after = members.identify('U0ALICE', undefined);
  answers[0]?.('member');
  answers[1]?.('deactivated');
  expect((await before).kind).toBe('member');
  expect((await after).kind).toBe('deactivated');
  expect((await members.identify('U0ALICE', undefined)).kind).toBe('deactivated');
});

test('a failure that comes late does not take a newer answer away', async () => {
  const answers: { fail: (error: Error) => void; tell: (kind: PersonKind) => void }[] = [];
  const kindOf = () => new Promise<PersonKind>((tell, fail) => answers.push({ fail, tell }));
  const members = createMembers({ kindOf, peopleIn: async () => [] }, () => 0);
  const before = members.identify('U0ALICE', undefined);
  members.forgetPerson('U0ALICE');
  const after = members.identify('U0ALICE', undefined);
  answers[1]?.tell('guest');
  await after;
  answers[0]?.fail(new Error('late'));
  expect((await before).kind).toBe('lookup_failed');
  expect((await members.identify('U0ALICE', undefined)).kind).toBe('guest');
  expect(answers).toHaveLength(2);
});

test('groups among the holders of a role are opened, and nobody is named twice', async () => {
  const { members, broken } = chat();
  expect(await members.openGroups(['U0EVE', 'S0NIGHT', 'S0DAY'])).toEqual(['U0EVE', 'U0ALICE', 'U0BOB']);
  broken.add('S0GONE');
  expect(await members.openGroups(['S0GONE', 'U0EVE'])).toEqual(['U0EVE']);
});
