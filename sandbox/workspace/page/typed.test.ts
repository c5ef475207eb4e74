import { expect, test } from 'vitest';
import { typed } from './typed.ts';
import type { Directory } from './workspace.ts';

// Completions read only these parts of the directory.
const directory = {
  app: { botUser: 'U0BOT' },
  people: [{ id: 'U0BOB', name: 'bob' }],
  groups: { S0OPS: 'ops' },
  channels: [{ id: 'C0HELP', name: 'helpdesk' }],
} as unknown as Directory;

test.each([
  ['<@U0BOB>, see <#C0HELP|helpdesk>', '@bob, see #helpdesk'],
  [
    '<http://example.com|example.com> and <https://a.example/?b&amp;c>',
    'example.com and https://a.example/?b&c',
  ],
  ['<!subteam^S0OPS> 1 &lt; 2, <!here>', '@ops 1 < 2, <!here>'],
  ['<@U0GONE> in <#C0PRIVATE|>', '@U0GONE in #'],
])('%s is edited as %s', (text, edited) => {
  expect(typed(text, directory)).toBe(edited);
});
