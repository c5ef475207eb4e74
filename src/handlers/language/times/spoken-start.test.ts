import { describe, expect, test } from 'vitest';
import { match } from '../../registry.ts';
import { lineOf } from '../asked.ts';

/** The line that it is, or that is offered for it; or what is wrong. */
function read(line: string): string {
  const found = match(line);
  if (found.kind === 'wrong_option') return `${found.option} ${found.problem}`;
  if (found.kind === 'command') return lineOf(found);
  return found.kind === 'unknown' ? `? ${found.nearest.map((one) => one.line).join(' | ')}` : found.kind;
}

describe('a time in words', () => {
  test.each([
    ['category add x.example to 252 at 22:00', 'category add x.example to 252 --at 22:00'],
    ['acl object disable google_sni at 10pm for 2h', 'acl object disable google_sni --for 2h --at 10pm'],
    ['acl object disable google_sni for 2h at 22:00', 'acl object disable google_sni --for 2h --at 22:00'],
    ['rdp disconnect 12 in 2h', 'rdp disconnect 12 --at "in 2h"'],
    ['rdp disconnect 12 in two hours', 'rdp disconnect 12 --at "in two hours"'],
    ['vlan stop 3 in window night', 'vlan stop 3 --window night'],
    ['vlan stop 3 in the night window', 'vlan stop 3 --window night'],
    ['vlan stop 3 tonight at 10', 'vlan stop 3 --at "tonight at 10"'],
    ['vlan stop 3 on friday at 22:00', 'vlan stop 3 --at "friday at 22:00"'],
    [
      'category add x.example to 252 tomorrow at 6:00',
      'category add x.example to 252 --at "tomorrow at 6:00"',
    ],
    [
      'category add x.example to 252 at 22:00 until friday at 18:00',
      'category add x.example to 252 --until "friday at 18:00" --at 22:00',
    ],
    [
      'category add x.example to 252 --at 22:00 ticket CHG-79',
      'category add x.example to 252 --at 22:00 --ticket CHG-79',
    ],
    [
      'category add x.example to 252 ticket CHG-79 at 22:00',
      'category add x.example to 252 --at 22:00 --ticket CHG-79',
    ],
    [
      'category add x.example to 252 --window night for ticket CHG-79',
      'category add x.example to 252 --window night --ticket CHG-79',
    ],
    ['vlan stop 3 at 10', '--at no_start'],
    ['category add x.example to 252 at 22:00 --at 23:00', '--at one_start'],
    ['category add x.example to 252 --reason upgrade at 22:00', '--reason start_in_text'],
  ])('%s', (line, meant) => expect(read(line)).toBe(meant));

  test.each([
    ['at 22:00 acl object disable 7', 'acl object disable 7 --at 22:00'],
    [
      'please add shop.example.net to category 252 at 22:00',
      'category add shop.example.net to 252 --at 22:00',
    ],
    [
      'tonight at 10 add shop.example.net to shopping',
      'category add shop.example.net to shopping --at "tonight at 10"',
    ],
    ['tomorrow at 6 disconnect session 12', 'rdp disconnect 12 --at "tomorrow at 6"'],
    ['catgory add s7.example to 252 --at 22:00', 'category add s7.example to 252 --at 22:00'],
    ['add s8.example to category shopping --at 22:00', 'category add s8.example to --at 22:00'],
    ['restart --at 22:00', '--at 22:00'],
    ['disable google_sni in window night', 'acl object disable google_sni --window night'],
  ])('%s is offered with it', (line, meant) => {
    const offered = read(line);
    expect(offered).toContain(meant);
    expect(offered).not.toContain('"--at"');
    const changes = offered
      .split(' | ')
      .filter((one) => !/^(?:\? )?(?:categorize|why|show|status)/.test(one));
    expect(changes.filter((one) => !/--(?:at|window)/.test(one))).toEqual([]);
  });

  test.each(['add shop.example.net to shopping tomorrow', 'tonight add shop.example.net to shopping'])(
    '%s lacks the hour',
    (line) => expect(read(line)).toBe('--at no_start'),
  );

  test.each([
    [
      'ask example.com for two hours --reason "a customer"',
      'ask example.com --for "two hours" --reason "a customer"',
    ],
    [
      'ask example.com until 18:00 --reason "a customer"',
      'ask example.com --for "until 18:00" --reason "a customer"',
    ],
    ['ask example.com --until 18:00 --reason x', 'ask example.com --for "until 18:00" --reason x'],
    ['ask example.com --for 2h --reason x', 'ask example.com --for 2h --reason x'],
  ])('%s is asked for so long', (line, meant) => expect(read(line)).toBe(meant));

  test('a reason in words goes along', () =>
    expect(read('please unblock example.com for 2 hours because a customer needs it')).toContain(
      'category add example.com to --for "2 hours" --reason "a customer needs it"',
    ));

  test.each(['what was blocked at 22:00', 'who was connected tonight'])('%s asks for no change', (line) =>
    expect(read(line)).not.toContain('--at'),
  );
});
