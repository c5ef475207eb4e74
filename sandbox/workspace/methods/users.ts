import { botId, botUserId, enterprise, type Member, team } from '../people.ts';
import { Refusal } from '../refusal.ts';
import type { World } from '../world.ts';
import { page, required, somebody } from './arguments.ts';
import type { Answering } from './method.ts';

const info: Answering = ({ world, args }) => ({
  user: userObject(world, somebody(world, required(args, 'user'))),
});

/** Members of the workspace; strangers of other organisations are not on the list. */
const list: Answering = ({ world, args }) => {
  const own = world.roster.people.filter((person) => !world.roster.isExternal(person));
  const { items, ...rest } = page(args, own);
  return {
    members: items.map((person) => userObject(world, person)),
    cache_ts: Math.floor(world.now() / 1000),
    ...rest,
  };
};

/** An active member of the workspace. */
const lookupByEmail: Answering = ({ world, args }) => {
  const email = required(args, 'email').toLowerCase();
  const found = world.roster.people.find(
    (person) => person.email.toLowerCase() === email && !person.deleted && !world.roster.isExternal(person),
  );
  if (found === undefined) throw new Refusal('users_not_found');
  return { user: userObject(world, found) };
};

/** slack-facts.md §6. The e-mail address needs a scope of its own. `is_stranger` is false once a channel is shared. */
function userObject(world: World, person: Member): Record<string, unknown> {
  const isExternal = world.roster.isExternal(person);
  const shared = world.roster.rooms.some((room) => !room.isIm && room.members.has(person.id));
  return {
    id: person.id,
    team_id: person.teamId,
    name: person.name,
    deleted: person.deleted,
    color: person.color.slice(1),
    real_name: person.realName,
    tz: 'Europe/London',
    tz_label: 'Greenwich Mean Time',
    tz_offset: 0,
    profile: {
      real_name: person.realName,
      display_name: person.name,
      title: person.title,
      team: person.teamId,
      ...(world.conditions.scopes.has('users:read.email') && !isExternal ? { email: person.email } : {}),
      ...(person.id === botUserId ? { bot_id: botId } : {}),
    },
    ...(person.enterpriseUser === undefined
      ? {}
      : {
          enterprise_user: {
            id: person.enterpriseUser,
            enterprise_id: enterprise.id,
            enterprise_name: enterprise.name,
            is_admin: false,
            is_owner: false,
            teams: [person.teamId],
          },
        }),
    is_bot: person.isBot,
    is_app_user: false,
    ...(isExternal
      ? { is_stranger: !shared }
      : {
          is_admin: false,
          is_owner: false,
          is_primary_owner: false,
          is_restricted: person.isGuest,
          is_ultra_restricted: false,
        }),
    updated: 0,
    ...(person.teamId === team.id ? { who_can_share_contact_card: 'EVERYONE' } : {}),
  };
}

export const users = { info, list, lookupByEmail };
