import { team, type UserGroup } from '../people.ts';
import { Refusal } from '../refusal.ts';
import { flag, required } from './arguments.ts';
import type { Answering } from './method.ts';

const list: Answering = ({ world, args }) => {
  const groups = world.roster.groups.filter((group) => flag(args, 'include_disabled') || !group.disabled);
  return { usergroups: groups.map((group) => groupObject(group, flag(args, 'include_users'))) };
};

const usersList: Answering = ({ world, args }) => {
  const group = world.roster.group(required(args, 'usergroup'));
  if (group === undefined || (group.disabled && !flag(args, 'include_disabled')))
    throw new Refusal('no_such_subteam');
  return { users: group.users };
};

function groupObject(group: UserGroup, withUsers: boolean): Record<string, unknown> {
  return {
    id: group.id,
    team_id: team.id,
    is_usergroup: true,
    name: group.name,
    handle: group.handle,
    description: '',
    date_delete: group.disabled ? 1 : 0,
    user_count: group.users.length,
    ...(withUsers ? { users: group.users } : {}),
  };
}

export const usergroups = { list, usersList };
