import { done, refused } from './acted.ts';
import { emit } from './events.ts';
import { botUserId, type Member, type Room } from './people.ts';
import type { Act, Acted } from './protocol.ts';
import { lateMention } from './said.ts';
import type { World } from './world.ts';

/** Adds somebody, the app's bot for example, to a channel that one is in oneself. */
export async function invite(
  world: World,
  person: Member,
  given: Extract<Act, { act: 'invite' }>,
): Promise<Acted> {
  const { roster } = world;
  const room = ownRoom(world, person, given.channel);
  const guest = roster.person(given.user);
  if (room === undefined) return refused('You are not in this channel.');
  if (room.isArchived) return refused('This channel is archived.');
  if (person.isGuest) return refused('Guests cannot add people to channels.');
  if (guest === undefined || guest.deleted) return refused(`Nobody here has the ID ${given.user}.`);
  if (room.members.has(guest.id)) return refused(`@${guest.name} is in this channel already.`);
  if (roster.isExternal(guest) && !room.isExtShared)
    return refused(`@${guest.name} is not of this workspace, and this channel is not shared.`);
  const mention = guest.id === botUserId ? lateMention(world, person, room) : undefined;
  await enter(world, room, guest.id, person);
  if (mention !== undefined) await emit(world, mention);
  return done;
}

/** Somebody comes into a channel, by themselves unless somebody has invited them: everybody in it reads so. */
export async function enter(world: World, room: Room, id: string, by?: Member): Promise<Room> {
  const after = world.roster.changeRoom(room.id, { members: new Set([...room.members, id]) });
  note(world, after, id, `<@${id}> has joined the channel`, 'join');
  world.changes.tell({ type: 'roster' });
  await tellMembers(world, room, after, by);
  return after;
}

/** Takes somebody, or oneself, out of a channel. */
export async function remove(
  world: World,
  person: Member,
  given: Extract<Act, { act: 'remove' }>,
): Promise<Acted> {
  const room = ownRoom(world, person, given.channel);
  const gone = world.roster.person(given.user);
  if (room === undefined) return refused('You are not in this channel.');
  if (person.isGuest && gone !== person) return refused('Guests cannot remove people from channels.');
  if (gone === undefined || !room.members.has(gone.id)) return refused('They are not in this channel.');
  const members = new Set([...room.members].filter((member) => member !== gone.id));
  const after = world.roster.changeRoom(room.id, { members });
  note(world, after, gone.id, `<@${gone.id}> has left the channel`, 'leave');
  world.changes.tell({ type: 'roster' });
  await tellMembers(world, room, after, person);
  return done;
}

/** Tells the app who came into a channel of its own and who left it, also of itself. */
export async function tellMembers(world: World, before: Room, after: Room, by?: Member): Promise<void> {
  const { id: channel, isPrivate } = after;
  const scopes = [isPrivate ? 'groups:read' : 'channels:read'];
  const event = (type: string, user: string) =>
    // All IDs here begin with C, private channels included, as in Slack since 2021.
    ({ type, user, channel, channel_type: 'C', team: world.roster.person(user)?.teamId });
  const joined = after.members.has(botUserId) ? [...after.members.difference(before.members)] : [];
  const left = after.members.has(botUserId) ? [...before.members.difference(after.members)] : [];
  const inviter = by === undefined ? {} : { inviter: by.id };
  await Promise.all([
    ...joined.map((user) => emit(world, { ...event('member_joined_channel', user), ...inviter }, { scopes })),
    ...left.map((user) => emit(world, event('member_left_channel', user), { scopes })),
    // A member that left hears no more of the channel's members, and of itself in an event of its own.
    before.members.has(botUserId) && !after.members.has(botUserId)
      ? emit(world, {
          type: isPrivate ? 'group_left' : 'channel_left',
          channel,
          ...(by && { actor_id: by.id }),
        })
      : undefined,
  ]);
}

function ownRoom({ roster }: World, person: Member, channel: string): Room | undefined {
  const room = roster.room(channel);
  return room === undefined || room.isIm || !room.members.has(person.id) ? undefined : room;
}

/** The note that everybody in the channel reads. */
function note(world: World, room: Room, user: string, text: string, what: 'join' | 'leave'): void {
  const subtype = `${room.isPrivate ? 'group' : 'channel'}_${what}` as const;
  world.messages.post({ channel: room.id, user, isApp: false, text, subtype });
}
