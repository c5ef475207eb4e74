import type { Stored } from '../messages.ts';
import { messagePayload } from '../payloads.ts';
import { botUserId } from '../people.ts';
import { react, unreact } from '../reactions.ts';
import { Refusal } from '../refusal.ts';
import { optional, required } from './arguments.ts';
import type { Answering, Call } from './method.ts';

const add: Answering = async (call) => {
  await react(call.world, reactable(call), required(call.args, 'name'), botUserId);
  return {};
};

const remove: Answering = async (call) => {
  await unreact(call.world, reactable(call), required(call.args, 'name'), botUserId);
  return {};
};

const get: Answering = (call) => {
  const message = reactable(call);
  return { type: 'message', channel: message.channel, message: messagePayload(call.world, message) };
};

function reactable({ world, args }: Call): Stored {
  const channel = optional(args, 'channel');
  const ts = optional(args, 'timestamp');
  if (channel === undefined || ts === undefined) throw new Refusal('no_item_specified');
  if (!/^\d{1,12}\.\d{6}$/.test(ts)) throw new Refusal('bad_timestamp');
  const room = world.roster.room(channel);
  if (room === undefined || (room.isPrivate && !room.members.has(botUserId)))
    throw new Refusal('channel_not_found');
  if (!room.members.has(botUserId)) throw new Refusal('not_in_channel');
  if (room.isArchived) throw new Refusal('is_archived');
  const message = world.messages.find(channel, ts);
  if (message === undefined) throw new Refusal('message_not_found');
  return message;
}

export const reactions = { add, remove, get };
