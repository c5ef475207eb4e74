import { describe, expect, test } from 'vitest';
import { match } from '../../registry.ts';
import { lineOf } from '../asked.ts';
import { cleanLine } from '../line.ts';

/** The line that runs or is offered, or the problem. */
function read(line: string): string {
  const found = match(line);
  if (found.kind === 'wrong_option') return `${found.option} ${found.problem}`;
  if (found.kind === 'command') return lineOf(found);
  return found.kind === 'unknown' ? `? ${found.nearest.map((one) => one.line).join(' | ')}` : found.kind;
}

describe('a start in words', () => {
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
  ])('%s is offered with its start', (line, meant) => {
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
  ])('%s is read as a duration', (line, meant) => expect(read(line)).toBe(meant));

  test('a reason in words is carried along', () =>
    expect(read('please unblock example.com for 2 hours because a customer needs it')).toContain(
      'category add example.com to --for "2 hours" --reason "a customer needs it"',
    ));

  test.each(['what was blocked at 22:00', 'who was connected tonight'])('%s requests no change', (line) =>
    expect(read(line)).not.toContain('--at'),
  );
});

describe('spoken end', () => {
  /** The reading of a line: the line that runs, or the problem. */
  function read(line: string): string {
    const found = match(cleanLine(line));
    if (found.kind === 'command') return lineOf(found);
    if (found.kind === 'wrong_option') return `${found.option} ${found.problem}`;
    return found.kind === 'missing' ? `${lineOf(found)} …` : found.kind;
  }

  const suite = 'TLS_AES_256_GCM_SHA384';

  describe('an end in words', () => {
    test.each([
      ['category add example.com to 252 for 2h', 'category add example.com to 252 --for 2h'],
      ['category add example.com to 252 for two hours', 'category add example.com to 252 --for "two hours"'],
      [
        'category add example.com to 252 for the next 30 minutes, please',
        'category add example.com to 252 --for "the next 30 minutes"',
      ],
      ['category add example.com for 2h to 252', 'category add example.com to 252 --for 2h'],
      ['category add example.com to 252 until 6pm', 'category add example.com to 252 --until 6pm'],
      ['category add example.com to 252 till friday', 'category add example.com to 252 --until friday'],
      ['category add example.com to 252 --till friday', 'category add example.com to 252 --until friday'],
      ['vlan stop 3 for half an hour --on hq', 'vlan stop 3 --for "half an hour" --on hq'],
      [`rdp ciphers set ${suite} until tomorrow`, `rdp ciphers set ${suite} --until tomorrow`],
      ['acl record delete 3,4 for 2h', 'acl record delete 3 4 --for 2h'],
      ['emergency enable for two hours', 'emergency enable --for 120m …'],
      ['vlan stop 3 until monday morning', 'vlan stop 3 --until "monday morning"'],
      ['vlan stop 3 until 28.11.', 'vlan stop 3 --until 28.11.'],
      ['vlan stop 3 until 28 nov 18:00', 'vlan stop 3 --until "28 nov 18:00"'],
      ['vlan stop 3 until 24:00', 'vlan stop 3 --until 24:00'],
      // Ambiguous times are settled when the current day is known (`starts.ts`).
      ['vlan stop 3 until next friday', 'vlan stop 3 --until "next friday"'],
      ['vlan stop 3 until 3/4', 'vlan stop 3 --until 3/4'],
      ['vlan stop 3 until 18h', 'vlan stop 3 --until 18h'],
      ['vlan stop 3 until 28/11', 'vlan stop 3 --until 28/11'],
      ['vlan stop 3 until eod', 'vlan stop 3 --until eod'],
      ['vlan stop 3 until 2230', 'vlan stop 3 --until 2230'],
      ['vlan stop 3 until the end of friday', 'vlan stop 3 --until "the end of friday"'],
      ['vlan stop 3 until end of the weekend', 'vlan stop 3 --until "end of the weekend"'],
      ['vlan stop 3 for 2h30', 'vlan stop 3 --for 2h30'],
    ])('is one: %s', (line, meant) => expect(read(line)).toBe(meant));

    test.each([
      [`rdp ciphers set ${suite} for 2 months`, '--for no_term'],
      [`rdp ciphers set ${suite} --for 2 months`, '--for no_term'],
      [`rdp ciphers set ${suite} for 91d`, '--for no_term'],
      [`rdp ciphers set ${suite} for now`, '--for no_term'],
      [`rdp ciphers set ${suite} until`, '--until no_term'],
      ['acl record add google_sni .a.com today', '--until no_term'],
      ['category add example.com to 252 for 2h until 18:00', '--for one_end'],
      ['category add example.com to 252 for 2h --until 18:00', '--for one_end'],
      ['category add example.com to 252 --reason booking for 2h', '--reason end_in_text'],
      ['rdp disconnect 12 for 2h', '--for undoable_only'],
      ['category compile 252 until friday', '--until undoable_only'],
      ['acl object disable google_sni today', 'surplus'],
      ['category add example.com to 252 over the weekend', '--until no_term'],
      ['acl object disable google_sni for the weekend', '--for no_term'],
      ['acl object disable google_sni for a while', '--for no_term'],
      ['acl object disable google_sni until 31.2.', '--until no_term'],
    ])('is never dropped, and never a value: %s', (line, wrong) => expect(read(line)).toBe(wrong));

    test.each([
      ['category add example.com to "for 2h"', 'category add example.com to "for 2h"'],
      [
        'category add example.com to 252 --reason "booking for 2h"',
        'category add example.com to 252 --reason "booking for 2h"',
      ],
      [
        'category add example.com to 252 --for 1h --reason booking for 2h',
        'category add example.com to 252 --for 1h --reason "booking for 2h"',
      ],
      ['can @bob category add example.com to 252 for 2h', 'can @bob category add example.com to 252 for 2h'],
      ['mfa reset for bob.miller', 'mfa reset bob.miller'],
    ])('is no end: %s', (line, meant) => expect(read(line)).toBe(meant));
  });

  describe('the reverse order', () => {
    test.each([
      ['category add 252 example.com --for 2h', 'category add example.com to 252 --for 2h'],
      ['category add 252 a.example b.example', 'category add a.example b.example to 252'],
      ['category add shopping example.com', 'category add example.com to shopping'],
      ['category add to "Online Shops" example.com', 'category add example.com to "Online Shops"'],
      ['category delete 252 example.com', 'category delete example.com from 252'],
      ['category delete from 252 example.com', 'category delete example.com from 252'],
      ['category move 252 257 example.com', 'category move example.com from 252 to 257'],
      ['category move from 252 to 257 example.com', 'category move example.com from 252 to 257'],
      ['sql database grant to bob crm', 'sql database grant crm to bob'],
      ['acl record add to google_sni .example.com', 'acl record add google_sni .example.com'],
    ])('%s', (line, meant) => expect(read(line)).toBe(meant));

    test.each([
      // In the written order, if that is possible.
      ['category add example.com shop.example', 'category add example.com to shop.example'],
      ['category add 252 253', 'invalid'],
      ['acl record add -1 example.com', 'invalid'],
      ['category move example.com to 257', 'category move example.com from to 257 …'],
    ])('is not accepted: %s', (line, meant) => expect(read(line)).toBe(meant));
  });
});
