import { describe, expect, test } from 'vitest';
import { withBob } from './with-bob.ts';

const from = Date.UTC(2026, 2, 31, 14, 0);

async function withBoth(first: string) {
  const conversation = await withBob({ from });
  const { type, press, read, category, appliance } = conversation;
  await type(`/appliance ${first}`, 'bob');
  return {
    ...conversation,
    isIn: () => category(252).sites.has('q1.example'),
    isLinked: () => appliance.state.rdp.policies.get(5)?.links.members.has(10),
    say: async (line: string, by: string, ...verbs: readonly string[]) => {
      await type(`/appliance ${line}`, by);
      for (const verb of verbs) await press(verb, by);
      return read(by);
    },
  };
}

const site = 'category add q1.example to 252';
const link = 'rdp policy link member yuki.tanaka to 5';

describe('a temporary change that somebody else extended or kept', () => {
  test('asks with their name when the first person undoes it, and they are told', async () => {
    const { say, press, read, isIn } = await withBoth(`${site} --for 1h`);
    await press('Extend by 1 h', 'dana');
    expect(await say('undo', 'bob')).toContain('Wanted by others  until 16:00, by @dana');
    expect(isIn()).toBe(true);
    await press('Remove', 'bob');
    expect(isIn()).toBe(false);
    expect(read('bob')).toContain('@dana: Ended and undone: q1.example added to category shopping');
  });

  test('asks when it was extended by a line, and is ended by one or by the button', async () => {
    const { say, press, read, isLinked } = await withBoth(`${link} --for 1h`);
    await say('extend yuki until 18:00', 'dana', 'Extend');
    expect(await say('end yuki', 'bob')).toContain('Wanted by others  until 18:00, by @dana');
    await press('Cancel', 'bob');
    expect(isLinked()).toBe(true);
    await press('End now', 'bob');
    expect(isLinked()).toBe(true);
    await press('End now', 'bob');
    expect(isLinked()).toBe(false);
    expect(read('bob')).toContain('@dana: Ended and undone:');
  });

  test('asks before its Undo when it was kept for good, and its keeper is told', async () => {
    const { say, press, read, isIn } = await withBoth(`${site} --for 1h`);
    await say('keep q1.example', 'dana', 'Keep');
    expect(await say('undo', 'bob')).toContain('Wanted by others  for good, by @dana');
    await press('Remove', 'bob');
    expect(isIn()).toBe(false);
    expect(read('bob')).toContain('@dana: it is not on any more. @bob ran category delete q1.example');
  });

  test('is undone without a question by the same person', async () => {
    const { say, press, isIn } = await withBoth(`${site} --for 1h`);
    await press('Extend by 1 h', 'bob');
    await say('undo', 'bob');
    expect(isIn()).toBe(false);
  });
});

describe('taking a change away from somebody who wants it for longer', () => {
  test.each([
    ['a site', site, 'category delete q1.example from 252', 'Remove'],
    ['a link', link, 'rdp policy unlink member yuki.tanaka from 5', 'Unlink'],
  ] as const)('names them before, and tells them in their thread: %s', async (_, line, taking, verb) => {
    const { say, press, read, isIn, isLinked, bot } = await withBoth(`${line} --for 1h`);
    await say(`${line} --for 3h`, 'dana');
    await press('Extend by 2 h', 'dana');
    expect(await say(taking, 'bob')).toMatch(/Wanted by others {2}.*until 17:00, by @dana with/);
    await press(verb, 'bob');
    expect(line === site ? isIn() : isLinked()).toBe(false);
    expect(read('dana')).toMatch(/@dana(?: and @bob)?: Ended and undone:/);
    expect(await bot.journal.timedChanges()).toEqual([]);
  });

  test('asks nothing of the only person who made it', async () => {
    const { say, isLinked } = await withBoth(`${link} --for 1h`);
    await say('rdp policy unlink member yuki.tanaka from 5', 'bob');
    expect(isLinked()).toBe(false);
  });
});

test('the requester reads who ended their change', async () => {
  const { say, read, isIn } = await withBoth(`${site} --for 1h`);
  await say('end q1.example', 'dana', 'End now');
  expect(isIn()).toBe(false);
  expect(read('bob')).toContain('@bob: Ended and undone: q1.example');
});
