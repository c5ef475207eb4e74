import { LogLevel, WebAPIRateLimitedError, WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { withRetryAfter } from './slack-connection.ts';

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toUTCString();

test.each<[string, string | undefined, number, number]>([
  ['nothing', undefined, 1, 1],
  ['seconds', '30', 30, 30],
  ['half a second', '0.5', 1, 1],
  ['zero', '0', 1, 1],
  ['a date', inSeconds(90), 88, 90],
  ['a date that is over', inSeconds(-90), 1, 1],
  ['nonsense', 'soon', 1, 1],
])('where a limit says %s, the SDK ends the call as limited', async (_, header, least, most) => {
  const client = new WebClient('xoxb-test', {
    rejectRateLimitedCalls: true,
    retryConfig: { retries: 0 },
    logLevel: LogLevel.ERROR,
    fetch: withRetryAfter(
      async () =>
        new Response('slow down', {
          status: 429,
          ...(header !== undefined && { headers: { 'retry-after': header } }),
        }),
    ),
  });
  const error = await client.auth.test().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(WebAPIRateLimitedError);
  const { retryAfter } = error as WebAPIRateLimitedError;
  expect(retryAfter).toBeGreaterThanOrEqual(least);
  expect(retryAfter).toBeLessThanOrEqual(most);
});

test('an answer without a limit stays unchanged', async () => {
  const answer = new Response('{}', { status: 200 });
  expect(await withRetryAfter(async () => answer)('https://slack.com/api/')).toBe(answer);
});
