import { expect, test } from 'vitest';
import { inOneWord } from './spoken.ts';

const spaced = (line: string) => inOneWord(line).replace(/\s+/g, ' ').trim();

test.each([
  ['turn off google_sni', 'disable google_sni'],
  ['turn google_sni off', 'disable google_sni'],
  ['switch on vlan3', 'enable vlan3'],
  ['log bob.miller off', 'disconnect bob.miller'],
  ['throw bob out', 'disconnect bob'],
  ['throw bob off the gateway', 'disconnect bob from the gateway'],
  ['kick maria lopez out, please', 'disconnect maria lopez , please'],
  ['take zoom.us out of video_conferences', 'remove zoom.us from video_conferences'],
  ['take it off google_sni', 'remove it from google_sni'],
  ['take statistics away from reports', 'remove statistics from reports'],
  ['locked out of 2fa', 'locked from 2fa'],
  ['shut vlan3 down', 'shutdown vlan3'],
  ['bring vlan3 up', 'start vlan3'],
  ['get rid of poker.com', 'remove poker.com'],
  ['the remote desktop', 'the rdp'],
  ['let me know when it is done', 'alert it is done'],
])('"%s" says "%s" in several words', (said, meant) => {
  expect(spaced(said)).toBe(meant);
});

test.each([
  ['logons in the last 2 hours', 'logons since 2h'],
  ['logons yesterday', 'logons since yesterday'],
  ['for half an hour', 'for 30m'],
  ['for an hour', 'for 1h'],
  ['for 45 minutes', 'for 45m'],
  ['what happened this week', 'what happened since 7d'],
])('"%s" says when as "%s"', (said, meant) => {
  expect(spaced(said)).toBe(meant);
});

test('a quoted word stays as it is', () => {
  expect(spaced('disable "turn off google" for an hour')).toBe('disable "turn off google" for 1h');
});
