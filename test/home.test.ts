import { expect, test } from 'vitest';
import { transcript } from '../sandbox/workspace/transcript.ts';
import { areaOf } from '../src/handlers/command-name.ts';
import { commands } from '../src/handlers/registry.ts';
import { converse } from './conversation.ts';

const blocksOf = (blocks: unknown): string => JSON.stringify(blocks);

test('App Home shows a person where they hold which roles, and lines they may try', async () => {
  const { workspace, bot } = await converse();
  await workspace.act({ act: 'open_home', as: 'U0VIC00001' });
  await bot.idle();
  const home = blocksOf(workspace.snapshot('U0VIC00001').home?.blocks);
  expect(home).toContain('C0HELPDESK');
  expect(home).not.toContain('C0RANDOM01');
  expect(home).toContain('viewer');
  expect(home).toContain('/appliance rdp sessions');
  expect(home).not.toContain('/appliance rdp disconnect 12');
  expect(transcript(workspace.snapshot('U0VIC00001'))).toBe('');
});

test('App Home has a line of each area and the way to the others, not all that an admin may run', async () => {
  const { workspace, bot } = await converse();
  await workspace.act({ act: 'open_home', as: 'U0DANA0001' });
  await bot.idle();
  const home = workspace.snapshot('U0DANA0001').home?.blocks ?? [];
  const list = home.find((block) => blocksOf(block).includes('rich_text_list'));
  const lines = (list as { elements: { elements: unknown[] }[] } | undefined)?.elements[0]?.elements ?? [];
  const areas = new Set(commands.map(areaOf));
  expect(lines).toHaveLength(areas.size);
  expect(commands.length).toBeGreaterThan(3 * areas.size);
  expect(blocksOf(lines)).toMatch(/ more: "\},\{[^}]*"\/appliance help acl"/);
  expect(blocksOf(home)).not.toContain('not shown');
});

test('App Home tells a guest that they hold no role', async () => {
  const { workspace, bot } = await converse();
  await workspace.act({ act: 'open_home', as: 'U0GUS00001' });
  await bot.idle();
  const home = blocksOf(workspace.snapshot('U0GUS00001').home?.blocks);
  expect(home).toContain('You have no role');
  expect(home).not.toContain('Run a command');
});
