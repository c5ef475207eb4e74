import { expect, test } from 'vitest';
import { match } from '../registry.ts';
import { withoutManners } from './manners.ts';

test.each([
  ['please why example.com', 'why example.com'],
  ['why is example.com blocked?', 'why is example.com blocked'],
  ['hey, can you please rdp disconnect 12, thanks!', 'rdp disconnect 12'],
  ['apply now', 'apply'],
  ['category add example.com to 252 --now', 'category add example.com to 252 --now'],
  ['please', 'please'],
])('"%s" says "%s"', (typed, said) => {
  expect(withoutManners(typed)).toBe(said);
});

test.each([
  ['please why example.com', 'why <domain>'],
  ['why example.com please', 'why <domain>'],
  ['is example.com blocked?', 'why <domain>'],
  ['rdp restart, please!', 'rdp restart'],
])('"%s" is understood as it is meant', (typed, phrase) => {
  expect(match(typed)).toMatchObject({ kind: 'command', command: { phrase } });
});

test('what belongs to a line is not taken for manners', () => {
  expect(match('acl record add 12 please')).toMatchObject({
    kind: 'command',
    typed: { pattern: ['please'] },
  });
});
