import { expect, test } from 'vitest';
import { converse } from './conversation.ts';
import { withBob } from './planning-lines.ts';

test('a line that skips an appliance which has it already can be undone where it does something, and its card says so', async () => {
  const { ask, plan, click, isIn } = await withBob(converse({ branches: 1 }));
  const line = 'category add one.example.net to 252';
  await ask(`${line} --on branch-2`);
  const shown = await plan(`${line} --on all`, 'acl object disable google_sni --on hq');
  expect(shown).toMatch(/branch-2 is skipped/);
  expect(shown).not.toMatch(/No way back|can’t be undone/i);
  await click('Run plan');
  expect(isIn('one.example.net')).toBe(true);
});
