import { expect, test } from 'vitest';
import { match } from '../registry.ts';

function offered(line: string): readonly string[] {
  const found = match(line);
  if (found.kind === 'wrong_option') return [`${found.option} ${found.problem}`];
  return found.kind === 'unknown' ? found.nearest.map((one) => one.line) : [found.kind];
}

test.each([
  [
    'move example.com from 252 to 257 for two hours',
    'category move example.com from 252 to 257 --for "two hours"',
  ],
  ['add example.com to shopping until friday', 'category add example.com to shopping --until friday'],
  ['for 2h category add example.com to 252', 'category add example.com to 252 --for 2h'],
  ['disable google_sni for 30m', 'acl object disable google_sni --for 30m'],
  ['temporarily add example.com to shopping', 'category add example.com to shopping --for 1h'],
  ['put example.com into shopping --dry-run', 'category add example.com to shopping --dry-run'],
  [
    'add example.com to shopping for 2h --reason "a customer"',
    'category add example.com to shopping --for 2h --reason "a customer"',
  ],
  ['add example.com to shopping until whenever', '--until no_term'],
])('%s is offered with everything that was said', (line, meant) => expect(offered(line)).toContain(meant));

test('a permanent change is not offered instead of a temporary one', () => {
  const all = offered('remove example.com from shopping for an hour');
  expect(all.length).toBeGreaterThan(0);
  expect(all.filter((line) => !line.includes('--for "an hour"'))).toEqual(['categorize example.com']);
});

test('a question about a time stays one', () =>
  expect(match('is example.com blocked for 2h?')).toMatchObject({ understoodAs: 'why example.com' }));
