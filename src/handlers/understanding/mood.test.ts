import { expect, test } from 'vitest';
import { withoutManners } from '../language/line.ts';
import { moodOf } from './mood.ts';

const mood = (line: string) => moodOf(withoutManners(line), /\?\s*$/.test(line));

test.each([
  'is example.com blocked',
  'who is connected',
  'show me the log',
  'can people reach ebay.de',
  'bob.miller connected?',
  'wie geht es dem mirror',
  'i want to see the sessions',
  'eth1.31 is down',
  'acls changed but nothing happens',
  'under which category is example.com filed',
])('"%s" asks', (line) => {
  expect(mood(line)).toBe('question');
});

test.each([
  'blcok instagram.com',
  'the directory is back, stop the emergency',
  'AD is down, let everybody surf for 1h',
  'disconnect bob',
  'please kick bob',
  'can you disconnect bob?',
  'could you please block tiktok.com',
  'i need you to restart the mirror',
  'how do i unblock example.com',
  'turn off google_sni',
  'do not inspect commerzbank.de',
])('"%s" orders', (line) => {
  expect(mood(line)).toBe('order');
});

test.each(['bob.miller', 'sessions', ''])('"%s" is neither', (line) => {
  expect(mood(line)).toBe('unclear');
});
