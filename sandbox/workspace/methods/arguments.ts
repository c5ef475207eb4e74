import { botUserId, type Member, type Room } from '../people.ts';
import { Refusal, refuseWith } from '../refusal.ts';
import type { World } from '../world.ts';
import type { Arguments } from './method.ts';

/** A text argument that must be there. Refuses with invalid_arguments. */
export function required(args: Arguments, name: string): string {
  const value = optional(args, name);
  if (value === undefined) throw refuseWith('invalid_arguments', [`missing required field: ${name}`]);
  return value;
}

/** A text argument; undefined when absent or empty. */
export function optional(args: Arguments, name: string): string | undefined {
  const value = args[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'object')
    throw refuseWith('invalid_arguments', [`must be a string [json-pointer:/${name}]`]);
  return String(value);
}

/** A flag: `true`, `"true"` and `"1"` are yes. */
export function flag(args: Arguments, name: string): boolean {
  return ['true', '1'].includes(String(args[name] ?? ''));
}

/**
 * The channel to write to: an ID, a name with or without `#`, or a person's ID for their direct channel.
 * Refuses with channel_not_found (also for a private channel the bot is not in), not_in_channel, is_archived,
 * messages_tab_disabled (slack-facts.md §1).
 */
export function writable(world: World, args: Arguments): Room {
  const given = optional(args, 'channel');
  if (given === undefined) throw new Refusal('channel_not_found');
  const person = world.roster.person(given);
  if (person !== undefined && !person.isBot) {
    if (!world.app.messagesTab) throw new Refusal('messages_tab_disabled');
    return world.roster.direct(person);
  }
  const room = world.roster.room(given) ?? world.roster.roomNamed(given.replace(/^#/, ''));
  if (room === undefined) throw new Refusal('channel_not_found');
  if (!room.members.has(botUserId)) {
    if (room.isPrivate) throw new Refusal('channel_not_found');
    if (!world.conditions.scopes.has('chat:write.public')) throw new Refusal('not_in_channel');
  }
  if (room.isArchived) throw new Refusal('is_archived');
  return room;
}

/** A person by ID. Refuses with `error` when there is none. */
export function somebody(world: World, id: string, error = 'user_not_found'): Member {
  const person = world.roster.person(id);
  if (person === undefined) throw new Refusal(error);
  return person;
}

/** One page of a list by `cursor` and `limit`, in Slack's shape. Refuses with invalid_cursor or invalid_limit. */
export function page<T>(
  args: Arguments,
  all: readonly T[],
): { readonly items: readonly T[]; readonly response_metadata: { readonly next_cursor: string } } {
  const limit = Number(optional(args, 'limit') ?? 1000);
  if (!Number.isInteger(limit) || limit < 0 || limit > 1000) throw new Refusal('invalid_limit');
  const cursor = optional(args, 'cursor');
  const start =
    cursor === undefined ? 0 : Number(Buffer.from(cursor, 'base64url').toString('utf8').replace('at:', ''));
  if (!Number.isInteger(start) || start < 0 || start > all.length) throw new Refusal('invalid_cursor');
  const end = start + (limit || 1000);
  const next = end < all.length ? Buffer.from(`at:${end}`).toString('base64url') : '';
  return { items: all.slice(start, end), response_metadata: { next_cursor: next } };
}
