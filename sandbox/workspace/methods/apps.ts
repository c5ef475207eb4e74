import { appId, botId, botUserId, team } from '../people.ts';
import { Refusal } from '../refusal.ts';
import { optional, required } from './arguments.ts';
import type { Answering } from './method.ts';

const test: Answering = ({ args }) => {
  const error = optional(args, 'error');
  if (error !== undefined) throw new Refusal(error, { args });
  return { args };
};

const authTest: Answering = ({ world }) => ({
  url: `${world.url()}/`,
  team: world.team.name,
  user: world.app.botName,
  team_id: team.id,
  user_id: botUserId,
  bot_id: botId,
  is_enterprise_install: false,
});

const teamInfo: Answering = ({ world }) => ({
  team: { id: team.id, ...world.team, email_domain: '', icon: {}, url: `${world.url()}/` },
});

const connectionsOpen: Answering = ({ world }) => ({
  url: world.url().replace(/^http/, 'ws') + world.sockets.ticket(),
});

const botsInfo: Answering = ({ world, args }) => {
  if (required(args, 'bot') !== botId) throw new Refusal('bot_not_found');
  return {
    bot: {
      id: botId,
      deleted: false,
      name: world.app.botName,
      updated: 0,
      app_id: appId,
      user_id: botUserId,
      icons: {},
    },
  };
};

export const apps = { test, authTest, connectionsOpen, botsInfo, teamInfo };
