import { expect, test } from 'vitest';
import type { Problem } from '../problem.ts';
import { readSlackAddress } from './slack-address.ts';

function read(given: string) {
  const problems: Problem[] = [];
  return { url: readSlackAddress(given, problems), problems };
}

test.each([
  ['https://slack.com/api/', 'https://slack.com/api/'],
  ['https://slack.example:8443/api', 'https://slack.example:8443/api/'],
  ['http://127.0.0.1:9700/api/', 'http://127.0.0.1:9700/api/'],
  ['http://127.9.8.7/', 'http://127.9.8.7/'],
  ['http://127.1:9700', 'http://127.0.0.1:9700/'],
  ['http://2130706433/api/', 'http://127.0.0.1/api/'],
  ['http://[::1]:9700/api/', 'http://[::1]:9700/api/'],
  ['http://[::ffff:127.0.0.1]/api/', 'http://[::ffff:7f00:1]/api/'],
  ['http://LOCALHOST:9700/api/', 'http://localhost:9700/api/'],
  ['http://localhost.:9700/api/', 'http://localhost:9700/api/'],
  // By the rules of the web a backslash ends the host.
  ['http://127.0.0.1\\@slack.example/api/', 'http://127.0.0.1/@slack.example/api/'],
])('%s is read as %s', (given, url) => {
  expect(read(given)).toEqual({ url, problems: [] });
});

const unencrypted =
  /^is a plain http address on another machine, so the bot did not start: .*Use an https address/;
const disguised = /^has a user name or a password before an @/;

test.each([
  ['http://slack.example/api/', unencrypted],
  ['HTTP://SLACK.EXAMPLE/api/', unencrypted],
  ['http://10.0.0.5/api/', unencrypted],
  ['http://0.0.0.0/api/', unencrypted],
  ['http://[::]/api/', unencrypted],
  ['http://[fe80::1]/api/', unencrypted],
  ['http://[::ffff:10.0.0.5]/api/', unencrypted],
  ['http://128.0.0.1/api/', unencrypted],
  ['http://127.0.0.1.slack.example/api/', unencrypted],
  ['http://localhost.slack.example/api/', unencrypted],
  ['http://slack.localhost/api/', unencrypted],
  ['http://1ocalhost/api/', unencrypted],
  ['http://127.0.0.1@slack.example/api/', disguised],
  ['http://localhost:9700@slack.example/api/', disguised],
  ['https://slack.com@slack.example/api/', disguised],
  ['http://bot@127.0.0.1/api/', disguised],
  ['https://slack.com/api/?team=T1', /^contains a \? or a #/],
  ['https://slack.com/api/#', /^contains a \? or a #/],
  ['//127.0.0.1/api/', /^is not an http or https address/],
  ['ws://127.0.0.1/api/', /^is not an http or https address/],
])('%s is refused', (given, wrong) => {
  expect(read(given)).toEqual({
    url: undefined,
    problems: [{ key: 'SLACK_API_URL', wrong: expect.stringMatching(wrong), example: expect.any(String) }],
  });
});
