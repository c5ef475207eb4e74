import { describe, expect, test } from 'vitest';
import { match } from '../../registry.ts';
import { lineOf } from '../asked.ts';
import { cleanLine } from '../line.ts';

/** What a line is taken for: the line that runs, or what is wrong with it. */
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
    // What can be several is asked about when it is known what day it is (`starts.ts`).
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
  ])('is never left out, and never a value: %s', (line, wrong) => expect(read(line)).toBe(wrong));

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
  ])('is none: %s', (line, meant) => expect(read(line)).toBe(meant));
});

describe('the other way round', () => {
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
    // As it is written, where that can be meant.
    ['category add example.com shop.example', 'category add example.com to shop.example'],
    ['category add 252 253', 'invalid'],
    ['acl record add -1 example.com', 'invalid'],
    ['category move example.com to 257', 'category move example.com from to 257 …'],
  ])('and not: %s', (line, meant) => expect(read(line)).toBe(meant));
});
