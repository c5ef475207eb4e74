import { expect, test } from 'vitest';
import { five, withBob } from './planning-lines.ts';

const minute = 60_000;

test('what a plan has made temporary ends as one: reminded once, undone from the last line, told once', async () => {
  const { ask, click, pass, read, bot, isIn, isEnabled, isUp, appliance } = await withBob();
  await ask(`plan --for 20m\n${five[0]}\n${five[1]}\n${five[2]}\n${five[3]} --for 2h`);
  await click('Run plan');
  const ends = (await bot.journal.timedChanges()).map(({ endsAt }) => endsAt);
  expect(new Set(ends).size).toBe(2);
  await pass(16 * minute);
  const reminded = read('bob');
  expect(reminded).toContain('(lines 1, 2 and 3 until ');
  expect(reminded.match(/⏳ Ends in/g)).toHaveLength(1);
  expect(reminded).toMatch(
    /⏳ Ends in 4 min[^\n]*3 changes of this plan are undone then, the last line first[^\n]*\n[^\n]*\[End all now\]/,
  );
  await pass(6 * minute);
  const over = read('bob');
  expect(over.match(/Over, and undone: all 3 changes of this plan/g)).toHaveLength(1);
  expect(read('bob', 'appliance-bot')).not.toContain('undone');
  expect([isIn('one.example.net'), isEnabled(), isUp(), isIn('two.example.net')]).toEqual([
    false,
    true,
    true,
    true,
  ]);
  const undos = appliance.requests
    .filter(({ path }) => /\/start\/|\/enable\//.test(path))
    .map(({ path }) => path);
  expect(undos).toEqual(['/system/network/vlan/start/3', '/proxy/acls/object/enable/3']);
  await pass(2 * 60 * minute);
  expect(isIn('two.example.net')).toBe(false);
  expect(read('bob')).toContain('Over, and undone: two.example.net added');
});
