import { expect, test } from 'vitest';
import { createMembers, type Who } from './members.ts';
import type { PersonKind } from './request.ts';

const minute = 60_000;
const bothGroups = ['S0NIGHT', 'S0DAY'];

const nobody = {
  peopleIn: async () => [],
  everybody: async () => [],
  isShared: async () => false,
  channelsOf: async () => new Map<string, string>(),
};

/** Slack, with a clock that the test turns and a list of requests. */
function chat() {
  const asked: string[] = [];
  const groups: Record<string, readonly string[] | 'unreadable'> = {
    S0NIGHT: ['U0ALICE', 'U0EVE'],
    S0DAY: ['U0BOB'],
  };
  const broken = new Set<string>();
  const kinds: Record<string, PersonKind> = {};
  const shared = new Set<string>();
  const world = { at: 0 };
  const lookup = {
    who: async (person: string) => {
      asked.push(person);
      if (broken.has(person)) throw new Error('no answer');
      return { kind: kinds[person] ?? 'member', human: `W${person}` };
    },
    peopleIn: async (group: string) => {
      asked.push(group);
      if (broken.has(group)) throw new Error('no answer');
      return groups[group] ?? [];
    },
    everybody: async () => [],
    isShared: async (channel: string) => {
      asked.push(channel);
      if (broken.has(channel)) throw new Error('no answer');
      return shared.has(channel);
    },
    channelsOf: async (person: string) => {
      asked.push(person);
      if (broken.has(person)) throw new Error('no answer');
      return new Map([['C0OPS', 'ops']]);
    },
  };
  return { asked, groups, broken, kinds, shared, world, members: createMembers(lookup, () => world.at) };
}

test('a person is known with the human behind the account, and with those of the groups that they are in', async () => {
  const { members } = chat();
  expect(await members.identify('U0ALICE', bothGroups)).toEqual({
    kind: 'member',
    id: 'U0ALICE',
    human: 'WU0ALICE',
    groups: new Set(['S0NIGHT']),
  });
});

test('groups that do not matter are not looked up', async () => {
  const { members, asked } = chat();
  expect(await members.identify('U0ALICE', [])).toMatchObject({ kind: 'member', groups: new Set() });
  expect(asked).toEqual(['U0ALICE']);
});

test('a group is believed for a minute, a person for five', async () => {
  const { members, asked, world, groups } = chat();
  await members.identify('U0ALICE', bothGroups);
  asked.length = 0;
  world.at = minute - 1;
  await members.identify('U0ALICE', bothGroups);
  expect(asked).toEqual([]);
  world.at = minute;
  groups.S0NIGHT = [];
  expect(await members.identify('U0ALICE', bothGroups)).toMatchObject({ groups: new Set() });
  expect(asked.sort()).toEqual(['S0DAY', 'S0NIGHT']);
  asked.length = 0;
  world.at = 5 * minute;
  await members.identify('U0ALICE', bothGroups);
  expect(asked).toContain('U0ALICE');
});

test('fifty questions at once are one', async () => {
  const { members, asked } = chat();
  await Promise.all(Array.from({ length: 50 }, () => members.identify('U0ALICE', bothGroups)));
  expect(asked.sort()).toEqual(['S0DAY', 'S0NIGHT', 'U0ALICE']);
});

test('a failed look-up of a person is an answer of its own, and is not remembered', async () => {
  const { members, broken } = chat();
  broken.add('U0ALICE').add('S0DAY');
  expect(await members.identify('U0ALICE', bothGroups)).toEqual({ kind: 'lookup_failed', id: 'U0ALICE' });
  broken.clear();
  expect(await members.identify('U0ALICE', bothGroups)).toMatchObject({ kind: 'member' });
});

test('a group that cannot be read takes nothing away that other groups give, and is looked up again', async () => {
  const { members, broken } = chat();
  broken.add('S0DAY');
  expect(await members.identify('U0ALICE', bothGroups)).toMatchObject({
    ...{ kind: 'member', groups: new Set(['S0NIGHT']), unread: new Set(['S0DAY']) },
  });
  broken.clear();
  expect(await members.identify('U0ALICE', bothGroups)).not.toHaveProperty('unread');
});

test('a group that Slack does not disclose is not looked up again with every decision', async () => {
  const { members, groups, asked } = chat();
  groups.S0DAY = 'unreadable';
  for (let times = 0; times < 3; times += 1) {
    expect(await members.identify('U0ALICE', bothGroups)).toMatchObject({ unread: new Set(['S0DAY']) });
  }
  expect(asked.filter((one) => one === 'S0DAY')).toHaveLength(1);
});

test('a change that Slack tells of counts at once', async () => {
  const { members, groups, kinds } = chat();
  await members.identify('U0ALICE', bothGroups);
  groups.S0NIGHT = [];
  kinds.U0ALICE = 'deactivated';
  expect(await members.identify('U0ALICE', bothGroups)).toMatchObject({ kind: 'member' });
  members.forgetGroup('S0NIGHT');
  members.forgetPerson('U0ALICE');
  expect(await members.identify('U0ALICE', bothGroups)).toEqual({
    kind: 'deactivated',
    id: 'U0ALICE',
    human: 'WU0ALICE',
    groups: new Set(),
  });
});

test('a channel is our own or shared, believed for five minutes, and asked about again when Slack tells of a change', async () => {
  const { members, asked, world, shared } = chat();
  expect(await members.placeOf('C0OPS')).toBe('own');
  shared.add('C0OPS');
  world.at = 5 * minute - 1;
  expect(await members.placeOf('C0OPS')).toBe('own');
  world.at = 5 * minute;
  expect(await members.placeOf('C0OPS')).toBe('shared');
  shared.clear();
  expect(await members.placeOf('C0OPS')).toBe('shared');
  members.forgetChannel('C0OPS');
  expect(await members.placeOf('C0OPS')).toBe('own');
  expect(asked).toEqual(['C0OPS', 'C0OPS', 'C0OPS']);
});

test('a channel that cannot be looked up is known as that, and is asked about again', async () => {
  const { members, broken, asked } = chat();
  broken.add('C0OPS');
  expect(await members.placeOf('C0OPS')).toBe('lookup_failed');
  broken.clear();
  expect(await members.placeOf('C0OPS')).toBe('own');
  expect(asked).toEqual(['C0OPS', 'C0OPS']);
});

test('the channels of a person are cached for ten seconds, and a failed lookup is not cached', async () => {
  const { asked, broken, members, world } = chat();
  broken.add('U0ALICE');
  expect(await members.channelsOf('U0ALICE')).toBe('lookup_failed');
  broken.clear();
  for (const at of [0, 9_999, 10_000]) {
    world.at = at;
    expect(await members.channelsOf('U0ALICE')).toEqual(new Map([['C0OPS', 'ops']]));
  }
  expect(asked).toHaveLength(3);
});

test('an answer that was under way when its person was forgotten is not kept', async () => {
  const answers: ((kind: PersonKind) => void)[] = [];
  const who = () => new Promise<Who>((resolve) => answers.push((kind) => resolve({ kind, human: 'W1' })));
  const members = createMembers({ ...nobody, who }, () => 0);
  const before = members.identify('U0ALICE', []);
  members.forgetPerson('U0ALICE');
  const after = members.identify('U0ALICE', []);
  answers[0]?.('member');
  answers[1]?.('deactivated');
  expect((await before).kind).toBe('member');
  expect((await after).kind).toBe('deactivated');
  expect((await members.identify('U0ALICE', [])).kind).toBe('deactivated');
});

test('a failure that comes late does not take a newer answer away', async () => {
  const answers: { fail: (error: Error) => void; tell: (kind: PersonKind) => void }[] = [];
  const who = () =>
    new Promise<Who>((resolve, fail) =>
      answers.push({ fail, tell: (kind) => resolve({ kind, human: 'W1' }) }),
    );
  const members = createMembers({ ...nobody, who }, () => 0);
  const before = members.identify('U0ALICE', []);
  members.forgetPerson('U0ALICE');
  const after = members.identify('U0ALICE', []);
  answers[1]?.tell('guest');
  await after;
  answers[0]?.fail(new Error('late'));
  expect((await before).kind).toBe('lookup_failed');
  expect((await members.identify('U0ALICE', [])).kind).toBe('guest');
  expect(answers).toHaveLength(2);
});

test('groups among the holders of a role are opened, and nobody is named twice', async () => {
  const { members, broken } = chat();
  expect(await members.openGroups(['U0EVE', 'S0NIGHT', 'S0DAY'])).toEqual(['U0EVE', 'U0ALICE', 'U0BOB']);
  broken.add('S0GONE');
  expect(await members.openGroups(['S0GONE', 'U0EVE'])).toEqual(['U0EVE']);
});
