import { expect, test } from 'vitest';
import { converse } from './conversation.ts';
import { five, withBob } from './planning-lines.ts';

test('a plan takes its options in words, and several changes in one line are a plan without the word', async () => {
  const { ask, click, isIn, isUp, bot } = await withBob(converse({ from: Date.UTC(2026, 2, 5, 13, 30) }));
  const answer = async (line: string) => (await ask(line)).split('\nappliance-bot').at(-1) ?? '';
  expect(await answer(`plan tomorrow at 8:30 for 2h: ${five[0]}; ${five[2]}`)).toMatch(
    /Run this plan of 2 lines on hq\?[\s\S]*Runs {2}tomorrow 08:30[\s\S]*For: 2 h/,
  );
  expect(await answer(`plan at 15:00\n${five[0]}\n${five[3]}`)).toMatch(
    /Run this plan of 2 lines on hq\?[\s\S]*Runs {2}today 15:00/,
  );
  expect(await answer(`plan for a month\n${five[0]}`)).toContain('is not one that can be read');
  expect(await answer(`${five[0]}; ${five[2]}`)).toMatch(/Run this plan of 2 lines on hq\?/);
  expect([isIn('one.example.net'), isUp()]).toEqual([false, true]);
  await click('Run plan');
  expect([isIn('one.example.net'), isUp()]).toEqual([true, false]);
  expect(await answer('categories; vlans')).not.toContain('Run this plan');
  expect((await bot.journal.recent(1))[0]?.phrase).not.toBe('plan <lines>…');
});
