import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { joinApp } from '../../other-app.ts';
import type { Watched } from '../watched.ts';
import { mistakeIn } from './mistakes.ts';
import type { Scenes } from './scene.ts';

const unposted = mistakeIn('post');
const unread = mistakeIn('byId');

const forever = Number.POSITIVE_INFINITY;
const soon = { world: { slackTiming: { reconnecting: { pauses: [50], deadline: 5_000 } } } };

/** Every call that tells somebody something ends so from now on. */
const telling = (
  { workspace }: Watched,
  fault: Parameters<Watched['workspace']['faults']['next']>[1],
  calls = ['chat.postMessage', 'chat.update', 'chat.postEphemeral', 'response_url'],
) => {
  for (const call of calls) workspace.faults.next(call, fault as never, forever);
};

/** Events of Slack, and of messages to people there. */
export const ofSlack: Scenes = {
  slack_disconnected: {
    options: soon,
    happen: async ({ workspace }) => {
      workspace.faults.next('apps.connections.open', { kind: 'error', error: 'internal_error' }, forever);
      workspace.sockets.drop();
    },
    line: { code: 'internal_error' },
  },
  slack_app_token_refused: {
    options: soon,
    happen: async ({ workspace }) => {
      workspace.conditions.turn({ appToken: 'revoked' });
      workspace.sockets.drop();
    },
    line: { code: expect.any(String) },
  },
  slack_connection_brief: {
    options: soon,
    happen: async ({ workspace }) => workspace.sockets.drop(),
    line: { code: 'websocket_1006', seconds: expect.any(Number) },
    lasts: 11 * 60_000,
  },
  slack_socket_mode_off: {
    options: soon,
    happen: async ({ workspace }) => workspace.sockets.disconnect('link_disabled'),
    line: { code: 'link_disabled' },
    lasts: 11 * 60_000,
  },
  slack_app_elsewhere: {
    options: { world: { slackTiming: { reconnecting: { pauses: [0], deadline: 5_000 } } } },
    happen: async ({ workspace }) => {
      const [own] = workspace.sockets.ids;
      await joinApp(workspace, 6);
      workspace.sockets.disconnect('refresh_requested', own);
    },
    line: { connections: expect.any(Number), others: 6 },
    lasts: 6 * 60_000,
  },
  slack_bot_token_refused: {
    happen: async ({ workspace, type }) => {
      workspace.conditions.turn({ botToken: 'revoked' });
      await type('/appliance categorize example.com');
    },
    line: { code: 'token_revoked' },
  },
  slack_not_answering: {
    happen: async (bot) => {
      telling(bot, { kind: 'error', error: 'internal_error' });
      for (let asked = 0; asked < 3; asked += 1) await bot.type(`/appliance categorize example${asked}.com`);
    },
    line: { name: 'Web API', code: 'internal_error' },
  },
  slack_acknowledged_late: {
    options: {
      world: {
        journal: (journal) => ({
          ...journal,
          claimDelivery: async (...given) => {
            await sleep(2_100);
            return journal.claimDelivery(...given);
          },
        }),
      },
    },
    // An event is acknowledged when it is written down.
    happen: ({ write }) => write('@appliance-bot categorize example.com'),
    line: { durationMs: expect.any(Number) },
  },
  message_waits: {
    happen: async (bot) => {
      telling(bot, { kind: 'http', status: 503 });
      await bot.type('/appliance acl object disable google_sni', 'bob');
    },
    line: { tries: 1 },
    lasts: 20 * 60_000,
  },
  message_sending_failed: {
    happen: async (bot) => {
      telling(bot, { kind: 'http', status: 503 });
      await bot.type('/appliance acl object disable google_sni', 'bob');
    },
    line: { channel: 'C0HELPDESK', attempt: 1 },
    lasts: 20 * 60_000,
  },
  message_refused: {
    happen: async (bot) => {
      telling(bot, { kind: 'error', error: 'is_archived' }, ['chat.postMessage']);
      await bot.type('/appliance acl object disable google_sni', 'bob');
    },
    line: { code: 'is_archived' },
  },
  person_not_told: {
    happen: async (bot) => {
      telling(bot, { kind: 'error', error: 'user_not_in_channel' });
      await bot.type('/appliance whoami');
    },
    line: { channel: 'C0HELPDESK', person: 'U0ALICE001', code: 'user_not_in_channel' },
  },
  direct_message_failed: {
    happen: async (bot) => {
      telling(bot, { kind: 'error', error: 'messages_tab_disabled' }, ['chat.postMessage']);
      await bot.savePolicy((text) => text.replace('operator:', 'operater:'));
    },
    line: { person: 'U0DANA0001', code: 'messages_tab_disabled' },
  },
  private_answer_not_kept: {
    options: { world: unposted.world },
    happen: async (bot) => {
      telling(bot, { kind: 'http', status: 503 });
      unposted.begin();
      await bot.type('/appliance whoami');
    },
    line: { person: 'U0ALICE001' },
  },
  message_not_made: {
    options: { world: unread.world },
    happen: async (bot) => {
      telling(bot, { kind: 'http', status: 503 });
      await bot.type('/appliance acl object disable google_sni', 'bob');
      bot.workspace.faults.clear();
      unread.begin();
      await bot.pass(60_000);
    },
    line: { err: { message: 'a mistake' } },
  },
  message_unreadable: {
    happen: async (bot) => {
      telling(bot, { kind: 'http', status: 503 });
      await bot.type('/appliance acl object disable google_sni', 'bob');
      bot.workspace.faults.clear();
      bot.inJournal(`update outbox set content_json = '{"kind":"of a later version"}'`);
      await bot.pass(60_000);
    },
    line: { problem: expect.any(String) },
  },
};
