import { apps } from './methods/apps.ts';
import { chat } from './methods/chat.ts';
import { conversations } from './methods/conversations.ts';
import { entity } from './methods/entity.ts';
import { files } from './methods/files.ts';
import { functions } from './methods/functions.ts';
import type { Answering, Method } from './methods/method.ts';
import { reactions } from './methods/reactions.ts';
import { unfurl } from './methods/unfurl.ts';
import { usergroups } from './methods/usergroups.ts';
import { users } from './methods/users.ts';
import { views } from './methods/views.ts';

const readChannels = ['channels:read', 'groups:read', 'im:read', 'mpim:read'] as const;
const readMessages = ['channels:history', 'groups:history', 'im:history', 'mpim:history'] as const;
const tiers = { 1: 1, 2: 20, 3: 50, 4: 100, special: undefined } as const;

const bot = (scopes: readonly string[], tier: keyof typeof tiers, answer: Answering): Method => ({
  token: 'bot',
  scopes,
  perMinute: tiers[tier],
  answer,
});

/** Every method of the Web API that the sandbox knows, with the token and the scope it takes. All others: unknown_method. */
export const methods = {
  'api.test': { token: 'none', scopes: [], perMinute: tiers[4], answer: apps.test },
  'auth.test': bot([], 'special', apps.authTest),
  'apps.connections.open': {
    token: 'app',
    scopes: ['connections:write'],
    perMinute: tiers[1],
    answer: apps.connectionsOpen,
  },
  'bots.info': bot(['users:read'], 3, apps.botsInfo),
  'chat.postMessage': bot(['chat:write'], 'special', chat.postMessage),
  'chat.postEphemeral': bot(['chat:write'], 4, chat.postEphemeral),
  'chat.update': bot(['chat:write'], 3, chat.update),
  'chat.delete': bot(['chat:write'], 3, chat.delete),
  'chat.getPermalink': bot([], 'special', chat.getPermalink),
  'chat.unfurl': bot(['links:write'], 3, unfurl),
  'conversations.history': bot(readMessages, 3, conversations.history),
  'conversations.info': bot(readChannels, 3, conversations.info),
  'conversations.join': bot(['channels:join'], 3, conversations.join),
  'conversations.list': bot(readChannels, 2, conversations.list),
  'conversations.members': bot(readChannels, 4, conversations.members),
  'conversations.open': bot(['im:write', 'mpim:write'], 3, conversations.open),
  'conversations.replies': bot(readMessages, 3, conversations.replies),
  'entity.presentDetails': bot([], 3, entity.presentDetails),
  'files.completeUploadExternal': bot(['files:write'], 4, files.completeUploadExternal),
  'files.getUploadURLExternal': bot(['files:write'], 4, files.getUploadURLExternal),
  'files.info': bot(['files:read'], 4, files.info),
  'functions.completeError': bot([], 3, functions.completeError),
  'functions.completeSuccess': bot([], 3, functions.completeSuccess),
  'reactions.add': bot(['reactions:write'], 3, reactions.add),
  'reactions.get': bot(['reactions:read'], 3, reactions.get),
  'reactions.remove': bot(['reactions:write'], 2, reactions.remove),
  'team.info': bot(['team:read'], 3, apps.teamInfo),
  'usergroups.list': bot(['usergroups:read'], 2, usergroups.list),
  'usergroups.users.list': bot(['usergroups:read'], 2, usergroups.usersList),
  'users.conversations': bot(readChannels, 3, conversations.ofPerson),
  'users.info': bot(['users:read'], 4, users.info),
  'users.list': bot(['users:read'], 2, users.list),
  'users.lookupByEmail': bot(['users:read.email'], 3, users.lookupByEmail),
  'views.open': bot([], 4, views.open),
  'views.push': bot([], 4, views.push),
  'views.update': bot([], 4, views.update),
  'views.publish': bot([], 4, views.publish),
} as const satisfies Readonly<Record<string, Method>>;

export type MethodName = keyof typeof methods;
