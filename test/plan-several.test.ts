import { expect, test } from 'vitest';
import { converse } from './conversation.ts';
import { withBob } from './planning-lines.ts';

test('a line that skips an unchanged appliance can be undone for the others, and its card says so', async () => {
  const { ask, plan, click, isIn } = await withBob(converse({ branches: 1 }));
  const line = 'category add one.example.net to 252';
  await ask(`${line} --on branch-2`);
  const shown = await plan(`${line} --on all`, 'acl object disable google_sni --on hq');
  expect(shown).toMatch(/branch-2 is skipped/);
  expect(shown).not.toMatch(/No way back|can’t be undone/i);
  expect(await click('Run plan')).toContain('Plan done: 2 lines, line 1 not on branch-2');
  expect(isIn('one.example.net')).toBe(true);
});

test('a line with more sites than a preview looks up can be undone, and its card says so', async () => {
  const { plan } = await withBob();
  const sites = Array.from({ length: 150 }, (_, index) => `s${index}.example.net`).join(' ');
  const shown = await plan(`category add 252 ${sites}`, 'acl object disable google_sni');
  expect(shown).toContain('Add 150 sites to category shopping');
  expect(shown).not.toMatch(/No way back|can’t be undone/i);
});
