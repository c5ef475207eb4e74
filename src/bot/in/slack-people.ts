import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import type { KnownPerson, PeopleLookup } from '../../auth/members.ts';
import type { PersonKind } from '../../auth/request.ts';
import { groupUnreadable } from '../../telemetry/events/slack.ts';
import type { Log } from '../../telemetry/log.ts';
import { codeOf, isTokenRefused, isTrouble } from '../codes.ts';

/**
 * Asks Slack about people, and about shared channels. `client` is not the posting one: a rate-limited post must
 * not delay a decision.
 */
export function createSlackLookup(client: WebClient, team: string, log: Log): PeopleLookup {
  return {
    who: async (person) => {
      const { user } = await client.users.info({ user: person });
      if (user === undefined) throw new Error('users.info returned no user');
      return { kind: kindOf(user, team), human: user.enterprise_user?.id ?? person };
    },
    peopleIn: async (group) => {
      try {
        const { users } = await client.usergroups.users.list({ usergroup: group });
        if (users === undefined) throw new Error('usergroups.users.list returned no users');
        return users;
      } catch (error) {
        const code = codeOf(error);
        log.tell(groupUnreadable, { group, code, cure: cureOfGroup(code) });
        // A deleted or disabled group gives nobody anything.
        if (code === 'no_such_subteam') return [];
        if (isTrouble(error) || isTokenRefused(error) || !(error instanceof WebAPIPlatformError)) throw error;
        return 'unreadable';
      }
    },
    everybody: async () => {
      const people: KnownPerson[] = [];
      let cursor = '';
      for (let page = 0; page < mostPages; page += 1) {
        const { members, response_metadata } = await client.users.list({ limit: pageSize, cursor });
        if (members === undefined) throw new Error('users.list returned no members');
        people.push(...members.flatMap(knownPerson));
        cursor = response_metadata?.next_cursor ?? '';
        if (cursor === '') break;
      }
      return people;
    },
    isShared: async (channel) => {
      const { channel: found } = await client.conversations.info({ channel });
      if (found === undefined) throw new Error('conversations.info returned no channel');
      // Invited people may join at any moment. A direct message has neither field, and is internal
      // (slack-facts.md §6).
      return found.is_ext_shared === true || found.is_pending_ext_shared === true;
    },
    channelsOf: async (person) => {
      const found = new Map<string, string>();
      let cursor: string | undefined;
      do {
        const { channels, response_metadata } = await client.users.conversations({
          user: person,
          types: 'public_channel,private_channel,mpim,im',
          exclude_archived: true,
          limit: 999,
          ...(cursor !== undefined && { cursor }),
        });
        if (channels === undefined) throw new Error('users.conversations returned no channels');
        for (const { id, name } of channels) if (id !== undefined) found.set(id, name ?? '');
        cursor = response_metadata?.next_cursor;
      } while (cursor !== undefined && cursor !== '');
      return found;
    },
  };
}

/** Slack answers some 20 of these a minute, and recommends at most 200 a page, but accepts 1,000. */
const pageSize = 1_000;
const mostPages = 10;

function knownPerson({ id, name = '', real_name, profile }: NamedUser): readonly KnownPerson[] {
  if (id === undefined) return [];
  const names = [real_name, profile?.real_name, profile?.display_name].flatMap((one) => one?.trim() || []);
  return [{ id, handle: name, names: [...new Set(names)] }];
}

interface NamedUser {
  readonly id?: string;
  readonly name?: string;
  readonly real_name?: string;
  readonly profile?: { readonly display_name?: string; readonly real_name?: string };
}

/** What an admin can do about a group that Slack does not disclose. */
export function cureOfGroup(code: string): string | undefined {
  switch (code) {
    case 'unknown_method':
      return 'This Slack doesn’t know user groups: its plan has none, or it is another Slack-compatible server. In the policy file, give the role to people by their IDs (U…) or to everyone';
    case 'plan_upgrade_required':
      return 'User groups need a paid plan. In the policy file, give the role to people by their IDs (U…) or to everyone';
    case 'missing_scope':
      return 'Add the scope usergroups:read and reinstall the app';
    case 'no_such_subteam':
      return 'The group was deleted or disabled. Enable it in Slack, or remove it from the policy file';
    default:
      return undefined;
  }
}

interface SlackUser {
  readonly team_id?: string;
  readonly deleted?: boolean;
  readonly is_bot?: boolean;
  readonly is_restricted?: boolean;
  readonly is_ultra_restricted?: boolean;
  readonly is_stranger?: boolean;
  /** In an Enterprise organisation `team_id` names one of the person's workspaces, or the organisation itself. */
  readonly enterprise_user?: { readonly teams?: readonly string[] };
}

/** slack-facts.md §6: no single field says "external", but the team does. A user without a team is external. */
function kindOf(user: SlackUser, team: string): PersonKind {
  if (user.deleted === true) return 'deactivated';
  if (user.is_bot === true) return 'bot';
  const isOurs = user.team_id === team || user.enterprise_user?.teams?.includes(team) === true;
  if (!isOurs || user.is_stranger === true) return 'other_organisation';
  return user.is_restricted === true || user.is_ultra_restricted === true ? 'guest' : 'member';
}
