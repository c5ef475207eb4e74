import { newContent, readContent, readMetadata, textLimits } from '../content.ts';
import type { Stored } from '../messages.ts';
import { messagePayload } from '../payloads.ts';
import { botUserId, type Room } from '../people.ts';
import { Refusal } from '../refusal.ts';
import { flag, optional, required, somebody, writable } from './arguments.ts';
import type { Answering, Call } from './method.ts';

const postMessage: Answering = ({ world, args, step }) => {
  const room = writable(world, args);
  const content = newContent(args);
  const threadTs = thread(world, args, room.id);
  const message = world.messages.post({
    ...content,
    channel: room.id,
    user: botUserId,
    isApp: true,
    step,
    threadTs,
    // Outside of a thread Slack takes the flag and does nothing about it.
    isBroadcast: threadTs !== undefined && flag(args, 'reply_broadcast'),
  });
  return { channel: room.id, ts: message.ts, message: messagePayload(world, message) };
};

const postEphemeral: Answering = ({ world, args, step }) => {
  const room = writable(world, args);
  const person = somebody(world, required(args, 'user'), 'user_not_in_channel');
  if (person.deleted || !room.members.has(person.id)) throw new Refusal('user_not_in_channel');
  const content = newContent(args);
  const threadTs = thread(world, args, room.id);
  const message = world.messages.whisper(
    { ...content, channel: room.id, user: botUserId, isApp: true, step, threadTs },
    person.id,
  );
  return { message_ts: message.ts };
};

/** slack-facts.md §1: own messages only, text of at most 4,000 characters, and text without blocks takes the blocks away. */
const update: Answering = (call) => {
  const message = own(call, 'cant_update_message');
  const { args } = call;
  const { text, blocks, attachments } = readContent(args);
  if (text === undefined && blocks === undefined && attachments === undefined) throw new Refusal('no_text');
  if (text === '' && !blocks?.length && !attachments?.length) throw new Refusal('no_text');
  if (text !== undefined && text.length > textLimits.updated) throw new Refusal('msg_too_long');
  const metadata = readMetadata(args.metadata);
  call.world.messages.rewrite(message, {
    text,
    blocks:
      blocks === undefined ? (text === undefined ? undefined : null) : blocks.length === 0 ? null : blocks,
    attachments: attachments?.length === 0 ? null : attachments,
    metadata: metadata !== undefined && Object.keys(metadata).length === 0 ? null : metadata,
  });
  return {
    channel: message.channel,
    ts: message.ts,
    text: message.text,
    message: messagePayload(call.world, message),
  };
};

const remove: Answering = (call) => {
  const message = own(call, 'cant_delete_message');
  call.world.messages.remove(message);
  return { channel: message.channel, ts: message.ts };
};

const getPermalink: Answering = ({ world, args }) => {
  const channel = required(args, 'channel');
  const ts = required(args, 'message_ts');
  readable(world, channel);
  const message = world.messages.find(channel, ts);
  if (message === undefined) throw new Refusal('message_not_found');
  const inThread = message.threadTs === undefined ? '' : `?thread_ts=${message.threadTs}&cid=${channel}`;
  return { channel, permalink: `${world.url()}/archives/${channel}/p${ts.replace('.', '')}${inThread}` };
};

/** The app's own message named by `channel` and `ts`; an ephemeral one cannot be named so. */
function own({ world, args }: Call, refused: string): Stored {
  const room = readable(world, required(args, 'channel'));
  const message = world.messages.find(room.id, required(args, 'ts'));
  if (message === undefined) throw new Refusal('message_not_found');
  if (!message.isApp || message.user !== botUserId) throw new Refusal(refused);
  return message;
}

/** A channel that the bot can know of. */
function readable({ roster }: Call['world'], channel: string): Room {
  const room = roster.room(channel);
  if (room === undefined || (room.isPrivate && !room.members.has(botUserId)))
    throw new Refusal('channel_not_found');
  return room;
}

function thread(world: Call['world'], args: Call['args'], channel: string): string | undefined {
  const ts = optional(args, 'thread_ts');
  if (ts !== undefined && world.messages.find(channel, ts) === undefined)
    throw new Refusal('thread_not_found');
  return ts;
}

export const chat = { postMessage, postEphemeral, update, delete: remove, getPermalink };
