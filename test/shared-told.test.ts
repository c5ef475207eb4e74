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

describe('what somebody else has put the end of off, or kept', () => {
  test('is asked about with their name when the first person undoes it, and they are told', async () => {
    const { say, press, read, isIn } = await withBoth(`${site} --for 1h`);
    await press('Extend by 1 h', 'dana');
    expect(await say('undo', 'bob')).toContain('Wanted by others  until 16:00, by @dana');
    expect(isIn()).toBe(true);
    await press('Remove', 'bob');
    expect(isIn()).toBe(false);
    expect(read('bob')).toContain('@dana: Over, and undone: q1.example added to category shopping');
  });

  test('is asked about when it was extended by a line, and is ended by one or by the button', async () => {
    const { say, press, read, isLinked } = await withBoth(`${link} --for 1h`);
    await say('extend yuki until 18:00', 'dana', 'Extend');
    expect(await say('end yuki', 'bob')).toContain('Wanted by others  until 18:00, by @dana');
    await press('Cancel', 'bob');
    expect(isLinked()).toBe(true);
    await press('End now', 'bob');
    expect(isLinked()).toBe(true);
    await press('End now', 'bob');
    expect(isLinked()).toBe(false);
    expect(read('bob')).toContain('@dana: Over, and undone:');
  });

  test('for good is asked about by its Undo, and whoever kept it is told', async () => {
    const { say, press, read, isIn } = await withBoth(`${site} --for 1h`);
    await say('keep q1.example', 'dana', 'Keep');
    expect(await say('undo', 'bob')).toContain('Wanted by others  for good, by @dana');
    await press('Remove', 'bob');
    expect(isIn()).toBe(false);
    expect(read('bob')).toContain('@dana: it is not on any more. @bob ran category delete q1.example');
  });

  test('by the same person is undone without a question', async () => {
    const { say, press, isIn } = await withBoth(`${site} --for 1h`);
    await press('Extend by 1 h', 'bob');
    await say('undo', 'bob');
    expect(isIn()).toBe(false);
  });
});

describe('what somebody else wants for longer, and is taken away for all', () => {
  test.each([
    ['a site', site, 'category delete q1.example from 252', 'Remove'],
    ['a link', link, 'rdp policy unlink member yuki.tanaka from 5', 'Unlink'],
  ] as const)('is named before, and they are told in their thread: %s', async (_, line, taking, verb) => {
    const { say, press, read, isIn, isLinked, bot } = await withBoth(`${line} --for 1h`);
    await say(`${line} --for 3h`, 'dana');
    expect(await say(taking, 'bob')).toMatch(/Wanted by others {2}.*until 17:00, by @dana with/);
    await press(verb, 'bob');
    expect(line === site ? isIn() : isLinked()).toBe(false);
    expect(read('dana')).toContain('@dana: Over, and undone:');
    expect(await bot.journal.timedChanges()).toEqual([]);
  });

  test('by whoever has made it alone is no question', async () => {
    const { say, isLinked } = await withBoth(`${link} --for 1h`);
    await say('rdp policy unlink member yuki.tanaka from 5', 'bob');
    expect(isLinked()).toBe(false);
  });
});

test('whose change somebody else ends is told with their name', async () => {
  const { say, read, isIn } = await withBoth(`${site} --for 1h`);
  await say('end q1.example', 'dana', 'End now');
  expect(isIn()).toBe(false);
  expect(read('bob')).toContain('@bob: Over, and undone: q1.example');
});
