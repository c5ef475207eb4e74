import { personIn } from '../sandbox/person.ts';
import { type Conversation, converse } from './conversation.ts';
import { newPostgres } from './stores.ts';

/** Several bots on one workspace, one appliance and one database. */
export async function replicas(count: number, options: Parameters<typeof converse>[0] = {}) {
  const url = await newPostgres();
  const conversation = await converse({
    replicas: count,
    ...options,
    environment: { DATABASE_URL: url, ...options.environment },
  });
  return {
    ...conversation,
    url,
    /** From now on everything comes to this one. */
    at: (number: number) => conversation.workspace.sockets.prefer(conversation.connectionOf(number)),
    /** Does things, and does not wait for what comes of them. */
    hastily: (name: string) => personIn(conversation.workspace, { idle: async () => undefined }, name),
    idle: async () => {
      await Promise.all(conversation.bots.map((bot) => bot.idle()));
    },
  };
}

export const times = (words: string, text: string) => text.split(words).length - 1;
export const orders = ({ appliance }: Pick<Conversation, 'appliance'>) =>
  appliance.requests.filter(({ method }) => method === 'POST');
export const requestsTo = ({ appliance }: Pick<Conversation, 'appliance'>, path: string) =>
  appliance.requests.filter((request) => request.path.includes(path));
