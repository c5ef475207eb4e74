import { describe, expect, test } from 'vitest';
import type { Fault } from '../sandbox/workspace/faults.ts';
import { converse } from './conversation.ts';
import { times } from './replicas.ts';

const line = '/appliance acl object disable google_sni';
const done = '✅ ACL object google_sni disabled';

/** A change that runs at once, whose card Slack answers so, as often as that; or whatever else it is asked, too. */
async function changedWhile(fault: Fault, often = 1, calls: readonly string[] = ['chat.postMessage']) {
  const { type, workspace, appliance, idle, bot } = await converse({
    world: { slackTiming: { posting: 400 } },
  }).then((house) => ({ ...house, idle: () => house.bot.idle() }));
  for (const call of calls) workspace.faults.next(call, fault, often);
  const told = await type(line, 'bob');
  await idle();
  const orders = appliance.requests.filter(({ path }) => path.includes('disable'));
  const [action] = (await bot.journal.recent(5)).filter(({ effect }) => effect === 'write');
  return { told, orders: orders.length, state: action?.state, says: action?.outcome?.says ?? '' };
}

describe('a change whose card Slack has not confirmed', () => {
  test.each<[string, Fault]>([
    ['took it and the connection broke', { kind: 'close', when: 'after' }],
    ['broke the connection', { kind: 'close', when: 'before' }],
    ['never answered', { kind: 'hang' }],
    ['answered with a page for a 503', { kind: 'http', status: 503 }],
    ['answered with a page for a 200', { kind: 'page' }],
    ['had internal_error', { kind: 'error', error: 'internal_error' }],
    ['had fatal_error', { kind: 'error', error: 'fatal_error' }],
    ['had service_unavailable', { kind: 'error', error: 'service_unavailable' }],
  ])('continues with one card, where Slack %s', async (_, fault) => {
    const { told, orders, state } = await changedWhile(fault);
    expect(told).toContain(done);
    expect([times(done, told), orders, state]).toEqual([1, 1, 'done']);
  });

  test('continues once the card is found, although Slack confirms no edit of it either', async () => {
    const calls = ['chat.postMessage', 'chat.update'];
    const { orders, state } = await changedWhile({ kind: 'close', when: 'after' }, 100, calls);
    expect([orders, state]).toEqual([1, 'done']);
  });

  test('is not made while that stays unknown, and says so', async () => {
    const { told, orders, state, says } = await changedWhile({ kind: 'http', status: 503 }, 100);
    expect([orders, state]).toEqual([0, 'failed']);
    expect(says).toMatch(/didn’t confirm the message.*isn’t known whether it is here.*No changes were made/);
    expect(told).not.toContain('rejected');
  });
});

test('a long rate limit of Slack is reported with its end, and nothing is changed', async () => {
  const { orders, state, says } = await changedWhile({ kind: 'rate_limited', retryAfter: 45 }, 2);
  expect([orders, state]).toEqual([0, 'failed']);
  expect(says).toMatch(/takes no more messages of Appliance Bot here until .*No changes were made/);
});

test.each([
  ['not_in_channel', 'not a member of this channel'],
  ['channel_not_found', 'not a member of this channel'],
  ['is_archived', 'is archived'],
  ['restricted_action', 'settings of this channel or workspace'],
  ['restricted_action_read_only_channel', 'settings of this channel or workspace'],
  ['team_access_not_granted', 'Ask a workspace admin to give the app access'],
  ['msg_too_long', 'longer than Slack takes'],
  ['invalid_blocks', 'fault of Appliance Bot'],
  ['token_revoked', 'Ask an admin of the bot to look at its log'],
])('the refusal %s of Slack is reported in its own words', async (error, words) => {
  const { orders, state, says } = await changedWhile({ kind: 'error', error });
  expect(says).toContain(words);
  expect(says).toContain('No changes were made.');
  expect([orders, state]).toEqual([0, 'failed']);
});

test.each(['rate_limited', 'ratelimited'])(
  '%s in the body of an answer is a limit: the message was not accepted, and is sent again',
  async (error) => {
    const { told, state, orders } = await changedWhile({ kind: 'error', error }, 2);
    expect([times(done, told), orders, state]).toEqual([1, 1, 'done']);
  },
);
