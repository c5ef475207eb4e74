import { expect, test } from 'vitest';
import { openEnvelope } from './envelope.ts';
import { isForWantOfLicence, obstacleIn, obstacleOf } from './obstacles.ts';

test.each([
  ['Your IP address [203.0.113.9] is not allowed to perform this operation', 'address'],
  ['Category service disabled on this server', 'service_off'],
  ['Proxy Service is not enabled', 'service_off'],
  ['Fatal error while checking security accesses ( see syslog messages ).', 'access_check'],
  ['Process crashed! size:0 bytes', 'crashed'],
  ['Feature not enabled, Aborting', 'feature_off'],
  ['The directory feature is disabled!', 'feature_off'],
  ['NTLM Authentication Disabled!', 'feature_off'],
  ['Unable to understand foo command', 'unknown_call'],
  ['unable to understand order [None]', 'unknown_call'],
  ['Proxy in Emergency mode!', 'global_emergency'],
  ['The directory in Emergency mode!', 'emergency'],
  ['Session expired. Please login again.', 'login'],
  ['You are not logged in', 'login'],
  ['Authentication failed', 'key_refused'],
] as const)('%s: that is %s', (words, obstacle) => {
  expect(obstacleIn(words)).toBe(obstacle);
  // In any field.
  for (const body of [
    { status: false, info: words },
    { Status: 'False', Error: words },
    { error: 'No', message: words },
    words,
  ])
    expect(obstacleOf(openEnvelope(body))).toBe(obstacle);
});

test.each([
  'The rule "service disabled" is not known',
  'bob is not allowed to use the gateway',
  'Rule 12 is disabled',
  'No such session',
  'Session 12 has expired',
  'bob.miller is not logged in',
  'Emergency mode is on',
  'The policy Contractors is not enabled',
  `Proxy Service is not enabled ${'x'.repeat(300)}`,
])('%s: that is about what was asked', (words) => {
  expect(obstacleIn(words)).toBeUndefined();
});

test('words beside a yes are no refusal', () => {
  expect(obstacleOf(openEnvelope({ status: true, info: 'Process crashed! size:0 bytes' }))).toBeUndefined();
});

test.each([
  ['The enterprise licence has expired: this operation needs a valid licence', true],
  ['no valid license', true],
  ['License expired', true],
  ['This feature is not licensed', true],
  ['the licence is for another product', false],
  ['Unable to find category licences', false],
])('%s: whether that is about a missing licence', (words, isSo) => {
  expect(isForWantOfLicence(words)).toBe(isSo);
});
