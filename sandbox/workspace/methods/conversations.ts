import type { Answering, Call } from '../methods.ts';
import { botUserId, type Room, team } from '../people.ts';
import { Refusal } from '../refusal.ts';
import { flag, optional, page, required } from './arguments.ts';

const info: Answering = (call) => {
  const room = readable(call, required(call.args, 'channel'));
  const members = flag(call.args, 'include_num_members') ? { num_members: room.members.size } : {};
  return { channel: { ...channelObject(room), ...members } };
};

const list: Answering = ({ world, args }) => {
  const types = new Set((optional(args, 'types') ?? 'public_channel').split(',').map((type) => type.trim()));
  const wanted = world.roster.rooms.filter((room) => {
    if (room.isIm) return types.has('im') && world.app.scopes.has('im:read');
    if (room.isPrivate) return types.has('private_channel') && room.members.has(botUserId);
    return types.has('public_channel');
  });
  const kept = flag(args, 'exclude_archived') ? wanted.filter((room) => !room.isArchived) : wanted;
  const { items, ...rest } = page(args, kept);
  return { channels: items.map(channelObject), ...rest };
};

const members: Answering = (call) => {
  const room = readable(call, required(call.args, 'channel'));
  const { items, ...rest } = page(call.args, [...room.members]);
  return { members: items, ...rest };
};

/** A channel the token may read about: a private one only as its member and with its own scope. */
function readable({ world }: Call, id: string): Room {
  const room = world.roster.room(id);
  if (room === undefined || (room.isPrivate && !room.members.has(botUserId)))
    throw new Refusal('channel_not_found');
  const needed = room.isIm ? 'im:read' : room.isPrivate ? 'groups:read' : 'channels:read';
  if (!world.app.scopes.has(needed)) {
    throw new Refusal('missing_scope', { needed, provided: [...world.app.scopes].join(',') });
  }
  return room;
}

function channelObject(room: Room): Record<string, unknown> {
  return {
    id: room.id,
    ...(room.isIm ? {} : { name: room.name, name_normalized: room.name }),
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

export const conversations = { info, list, members };
