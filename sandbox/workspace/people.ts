import type { Channel, Person } from './protocol.ts';

/** A person as the workspace knows them; the page is shown the `Person` part. */
export interface Member extends Person {
  readonly teamId: string;
  readonly email: string;
  /** The same for all accounts of one human in the organisation (`enterprise_user.id`); undefined where Slack gives none. */
  readonly enterpriseUser: string | undefined;
  readonly deleted: boolean;
}

/** A channel with what decides who may read and post in it. */
export interface Room extends Channel {
  readonly isPrivate: boolean;
  readonly isArchived: boolean;
  /** Shared with another organisation (`is_ext_shared`), by conversations.info; `members` has its people. */
  readonly isExtShared: boolean;
  /** Another organisation is invited and has not come yet (`is_pending_ext_shared`). */
  readonly isPendingExtShared: boolean;
  readonly isIm: boolean;
  readonly members: ReadonlySet<string>;
}

export interface UserGroup {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly users: readonly string[];
  readonly disabled: boolean;
}

/** A person as a caller of `startWorkspace` may describe one; only the ID and the name are needed. */
export type PersonOption = Pick<Member, 'id' | 'name'> & Partial<Member>;

/**
 * A channel as a caller may describe one. By default everybody of the workspace is a member, as is the bot, and in a
 * shared channel also people of other organisations.
 */
export type ChannelOption = Pick<Channel, 'id' | 'name'> &
  Partial<Omit<Room, 'members' | 'isIm'>> & {
    readonly botIsMember?: boolean;
    readonly members?: readonly string[];
  };

export type UserGroupOption = Pick<UserGroup, 'id' | 'handle' | 'users'> & Partial<UserGroup>;

/** The workspace's own IDs, and those of another organisation that shares channels with it. */
export const team = { id: 'T0THETEAM1' } as const;
export const otherTeam = { id: 'T0THEOTHER' } as const;

/** The organisation that the workspace belongs to. */
export const enterprise = { id: 'E0THEORG01', name: 'The organization' } as const;

/** The IDs of the app in this workspace. */
export const appId = 'A0THEAPP01';
export const botId = 'B0THEAPP01';
export const botUserId = 'U0THEAPP01';
export const slackbotId = 'USLACKBOT';

const palette = ['#2f6f6a', '#8a4f1d', '#5b3f8c', '#a3323f', '#2c5d94', '#6b6f2a'];

/** Fills in what a caller left out. */
export function member(option: PersonOption, domain: string, index = 0): Member {
  return {
    realName: option.name,
    title: '',
    color: palette[index % palette.length] ?? '#444b54',
    isGuest: false,
    isBot: false,
    teamId: team.id,
    email: `${option.name}@${domain}.example`,
    enterpriseUser: undefined,
    deleted: false,
    ...option,
  };
}
