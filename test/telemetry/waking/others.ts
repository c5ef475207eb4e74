import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { sandboxRoles } from '../../../sandbox/sandbox.ts';
import { filledIn, formIn, pageVisitor } from '../../block-page-visitor.ts';
import { goBy, morning, port } from '../../watching.ts';
import type { Watched } from '../watched.ts';
import { mistakeIn } from './mistakes.ts';
import type { Scenes } from './scene.ts';

const hour = 60 * 60_000;

/** A policy with a receiver of webhooks that answers so. */
async function told(status: number) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(status, { connection: 'close' }).end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return {
    environment: { HOOK: `whsec_${Buffer.alloc(32, 'a').toString('base64')}` },
    policy: {
      channels: { C0HELPDESK: { name: 'helpdesk', appliance: 'hq', roles: sandboxRoles } },
      webhook: { url, secret: '${HOOK}' },
    },
  };
}

const change = async ({ type, pass }: Watched) => {
  await type('/appliance acl object disable google_sni --ticket CHG-7', 'bob');
  await pass(0);
};

const selfService = {
  blockPage: true,
  policy: {
    self_service: { channel: 'C0HELPDESK', allow_category: 207 },
    channels: {
      C0HELPDESK: { name: 'helpdesk', appliance: 'hq', appliances: 'all', roles: sandboxRoles },
    },
  },
};

/** Somebody without Slack, behind the proxy, asks for a site. */
async function askForSite({ behindProxy }: Watched, before: () => void = () => undefined) {
  const site = 'live-betting.example';
  const { call } = pageVisitor(behindProxy?.ports[0] ?? 0);
  const page = await (await fetch(`${behindProxy?.url}/?site=${site}`)).text();
  const link = /href="([^"]+)"[^>]*>Ask for access/.exec(page)?.[1] ?? '';
  const { pathname, search } = new URL(link.replaceAll('&#38;', '&'));
  const form = formIn((await call('GET', pathname + search)).text);
  before();
  return { call, sent: await call('POST', '/ask', filledIn(form, { site })) };
}

const unopened = mistakeIn('onlyOne');
const unfound = mistakeIn('byId');
const unwatched = mistakeIn('watched');

/** Events of webhooks, of people without Slack, and of watches. */
export const ofOthers: Scenes = {
  webhook_failed: {
    options: () => told(500),
    happen: change,
    line: { webhook: 'change.asked', tries: 1, why: 'HTTP 500' },
    lasts: 2 * hour,
  },
  webhook_receiver_gone: {
    options: () => told(410),
    happen: change,
    line: { webhook: 'change.asked', why: 'HTTP 410' },
    lasts: 2 * hour,
  },
  webhook_given_up: {
    options: () => told(500),
    happen: async (bot) => {
      await change(bot);
      await bot.pass(25 * hour);
    },
    line: { webhook: 'change.asked', tries: 2, why: 'HTTP 500' },
  },
  block_page_request_failed: {
    options: { ...selfService, world: unopened.world },
    happen: (bot) => askForSite(bot, unopened.begin),
    line: { err: { message: 'a mistake' } },
  },
  block_page_failed: {
    options: { ...selfService, world: unfound.world },
    happen: async (bot) => {
      const { call, sent } = await askForSite(bot);
      unfound.begin();
      expect((await call('GET', String(sent.headers.location))).status).toBe(500);
    },
    line: { error: 'Error' },
  },
  watch_failed: {
    options: { ...morning, world: unwatched.world },
    happen: async (bot) => {
      await bot.type('/appliance watch status', 'bob');
      unwatched.begin();
      await goBy(bot, 12);
    },
    line: { err: { message: 'a mistake' }, watch: expect.any(Number) },
  },
  watch_not_told: {
    options: morning,
    happen: async (bot) => {
      await bot.type('/appliance watch status', 'bob');
      bot.workspace.faults.next('chat.postMessage', { kind: 'error', error: 'msg_too_long' }, 1_000);
      port(bot, false);
      await goBy(bot, 60);
    },
    line: { channel: 'C0HELPDESK', code: 'msg_too_long' },
  },
  watch_unreadable: {
    options: morning,
    happen: async (bot) => {
      await bot.type('/appliance schedule status daily at 17:00', 'bob');
      bot.inJournal(`update watches set terms_json = '{"kind":"of a later version"}'`);
      await bot.pass(25 * hour);
    },
    line: { watch: expect.any(Number) },
  },
};
