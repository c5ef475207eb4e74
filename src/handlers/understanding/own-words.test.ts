import { expect, test } from 'vitest';
import { ownWords } from './own-words.ts';

const expand = ownWords({
  kick: 'rdp disconnect',
  Freischalten: 'why',
  'throw <session> out': 'rdp disconnect <session>',
  'put <site> on the blue list': 'category add <site> to purchasing',
});

test.each([
  ['kick bob', 'rdp disconnect bob'],
  ['KICK 12 --on hq', 'rdp disconnect 12 --on hq'],
  ['please freischalten example.com', 'why example.com'],
  ['throw bob.miller out', 'rdp disconnect bob.miller'],
  ['throw "bob miller" out --on branch', 'rdp disconnect "bob miller" --on branch'],
  ['put example.com on the blue list', 'category add example.com to purchasing'],
])('"%s" is read as the team means it', (typed, line) => {
  expect(expand(typed)).toBe(line);
});

test.each(['kicker bob', '"kick" bob', 'throw bob', 'throw bob and alice out', 'rdp disconnect bob', ''])(
  '"%s" is none of the team’s words',
  (typed) => {
    expect(expand(typed)).toBeUndefined();
  },
);
