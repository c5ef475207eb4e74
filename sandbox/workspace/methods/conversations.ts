import { enter } from '../membership.ts';
import type { Stored } from '../messages.ts';
import { messagePayload } from '../payloads.ts';
import { botUserId, type Room, team } from '../people.ts';
import { Refusal } from '../refusal.ts';
import { flag, optional, page, required, somebody } from './arguments.ts';
import type { Answering, Call } from './method.ts';

const info: Answering = (call) => {
  const room = readable(call, 'read');
  const members = flag(call.args, 'include_num_members') ? { num_members: room.members.size } : {};
  return { channel: { ...channelObject(room), ...members } };
};

/** The scope for listing a type of conversation. */
const listScopes: Readonly<Record<string, string>> = {
  public_channel: 'channels:read',
  private_channel: 'groups:read',
  im: 'im:read',
  mpim: 'mpim:read',
};

const list: Answering = (call) => listed(call, (room) => !room.isPrivate || room.members.has(botUserId));

/** The channels of a person; private ones only where the app is a member, too. */
const ofPerson: Answering = (call) => {
  const person = somebody(call.world, required(call.args, 'user'));
  return listed(
    call,
    ({ isPrivate, members }) => members.has(person.id) && (!isPrivate || members.has(botUserId)),
  );
};

function listed({ world, args }: Call, isTold: (room: Room) => boolean) {
  const types = new Set((optional(args, 'types') ?? 'public_channel').split(',').map((type) => type.trim()));
  for (const type of types) {
    const scope = listScopes[type];
    if (scope === undefined) throw new Refusal('invalid_types');
    refuseWithout(world, scope);
  }
  const wanted = world.roster.rooms.filter((room) => {
    const type = room.isIm ? 'im' : room.isPrivate ? 'private_channel' : 'public_channel';
    return types.has(type) && isTold(room);
  });
  const kept = flag(args, 'exclude_archived') ? wanted.filter((room) => !room.isArchived) : wanted;
  const { items, ...rest } = page(args, kept);
  return { channels: items.map(channelObject), ...rest };
}

const members: Answering = (call) => {
  const room = readable(call, 'read');
  const { items, ...rest } = page(call.args, [...room.members]);
  return { members: items, ...rest };
};

/** The channel's own messages, newest first, with first messages of threads and broadcast replies. */
const history: Answering = (call) => {
  const room = readable(call, 'history');
  refuseStranger(room);
  const spoken = call.world.messages
    .standing(room.id)
    .filter(({ threadTs, isBroadcast }) => threadTs === undefined || isBroadcast);
  const told = pageOfMessages(call, within(call, spoken).toReversed(), { usual: 100, most: 999 });
  return { ...told, pin_count: 0 };
};

/**
 * A thread by any of its messages, oldest first. Its first message opens the first page, whatever the limits of time:
 * they are for the replies.
 */
const replies: Answering = (call) => {
  const room = readable(call, 'history');
  refuseStranger(room);
  const named = call.world.messages.find(room.id, required(call.args, 'ts'));
  const first =
    named?.threadTs === undefined ? named : (call.world.messages.find(room.id, named.threadTs) ?? named);
  if (first === undefined) throw new Refusal('thread_not_found');
  return pageOfMessages(call, [first, ...within(call, first.replies)], { usual: 1000, most: 1000 });
};

/** The messages between `oldest` and `latest`; the two moments themselves only with `inclusive`. */
function within({ args }: Call, messages: readonly Stored[]): readonly Stored[] {
  const [after, before] = [timestamp(args, 'oldest'), timestamp(args, 'latest')];
  const isInclusive = flag(args, 'inclusive');
  return messages.filter(({ ts }) => {
    const at = microseconds(ts);
    if (isInclusive && (at === after || at === before)) return true;
    return (after === undefined || at > after) && (before === undefined || at < before);
  });
}

/** Microseconds, whole: a `ts` has more digits than a number of seconds can hold. */
const microseconds = (ts: string): bigint => {
  const [seconds = '', fraction = ''] = ts.split('.');
  return BigInt(seconds) * 1_000_000n + BigInt(fraction.padEnd(6, '0').slice(0, 6));
};

function timestamp(args: Call['args'], name: 'oldest' | 'latest'): bigint | undefined {
  const given = optional(args, name);
  if (given === undefined) return undefined;
  if (!/^\d{1,12}(\.\d*)?$/.test(given)) throw new Refusal(`invalid_ts_${name}`);
  return microseconds(given);
}

function pageOfMessages(
  { world, args }: Call,
  messages: readonly Stored[],
  { usual, most }: { readonly usual: number; readonly most: number },
): Readonly<Record<string, unknown>> {
  const limit = optional(args, 'limit') ?? String(usual);
  if (Number(limit) > most) throw new Refusal('invalid_limit');
  const { items, response_metadata } = page({ ...args, limit }, messages);
  const withMetadata = flag(args, 'include_all_metadata');
  const has_more = response_metadata.next_cursor !== '';
  return {
    messages: items.map((message) => {
      const { metadata, ...told } = messagePayload(world, message);
      return withMetadata && metadata !== undefined ? { ...told, metadata } : told;
    }),
    has_more,
    ...(has_more ? { response_metadata } : {}),
  };
}

/** The direct messages of the app and one person. Several people together are not known here. */
const open: Answering = (call) => {
  const { world, args } = call;
  const channel = optional(args, 'channel');
  const users = optional(args, 'users')?.split(',') ?? [];
  if (channel === undefined && users.length === 0) throw new Refusal('users_list_not_supplied');
  refuseWithout(world, 'im:write');
  const room = channel === undefined ? directOf(call, users) : world.roster.room(channel);
  if (room === undefined) throw new Refusal('channel_not_found');
  if (!room.isIm) throw new Refusal('method_not_supported_for_channel_type');
  return { channel: flag(args, 'return_im') ? channelObject(room) : { id: room.id } };
};

function directOf({ world }: Call, [id = '', ...others]: readonly string[]): Room {
  const person = somebody(world, id.trim());
  if (others.length > 0) throw new Refusal('method_not_supported_for_channel_type');
  if (person.deleted) throw new Refusal('user_disabled');
  if (person.isBot) throw new Refusal('cannot_dm_bot');
  return world.roster.direct(person);
}

/** The app joins a public channel by itself. */
const join: Answering = async ({ world, args }) => {
  const room = world.roster.room(required(args, 'channel'));
  if (room === undefined || (room.isPrivate && !room.members.has(botUserId)))
    throw new Refusal('channel_not_found');
  if (room.isPrivate) throw new Refusal('method_not_supported_for_channel_type');
  if (room.isArchived) throw new Refusal('is_archived');
  if (room.members.has(botUserId)) {
    const warning = 'already_in_channel';
    return { channel: channelObject(room), warning, response_metadata: { warnings: [warning] } };
  }
  return { channel: channelObject(await enter(world, room, botUserId)) };
};

/** A channel the token may ask this of: a private one only as its member, and each with the scope of its kind. */
function readable({ world, args }: Call, what: 'read' | 'history'): Room {
  const room = world.roster.room(required(args, 'channel'));
  if (room === undefined || (room.isPrivate && !room.members.has(botUserId)))
    throw new Refusal('channel_not_found');
  refuseWithout(world, `${room.isIm ? 'im' : room.isPrivate ? 'groups' : 'channels'}:${what}`);
  return room;
}

function refuseWithout(world: Call['world'], needed: string): void {
  if (world.conditions.scopes.has(needed)) return;
  throw new Refusal('missing_scope', { needed, provided: [...world.conditions.scopes].join(',') });
}

/** Every app may read a public channel's name, but only members may read its messages. */
function refuseStranger(room: Room): void {
  if (!room.members.has(botUserId)) throw new Refusal('not_in_channel');
}

function channelObject(room: Room): Record<string, unknown> {
  return {
    id: room.id,
    ...(room.isIm
      ? { user: [...room.members].find((member) => member !== botUserId) }
      : { name: room.name, name_normalized: room.name }),
    is_channel: !room.isIm && !room.isPrivate,
    is_group: !room.isIm && room.isPrivate,
    is_im: room.isIm,
    is_mpim: false,
    is_private: room.isPrivate,
    is_archived: room.isArchived,
    is_general: false,
    is_shared: room.isExtShared,
    is_ext_shared: room.isExtShared,
    is_org_shared: false,
    is_pending_ext_shared: room.isPendingExtShared,
    is_member: room.members.has(botUserId),
    context_team_id: team.id,
    topic: { value: room.topic, creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
  };
}

export const conversations = { join, open, info, list, ofPerson, members, history, replies };
