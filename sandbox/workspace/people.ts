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
  /** Shared with another organisation (`is_ext_shared`). Told by conversations.info; who is in it is `members`. */
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
 * A channel as a caller may describe one. Unless `members` says who, everybody of the workspace is a member, and people of
 * other organisations where it is shared; the bot is, unless told otherwise.
 */
export type ChannelOption = Pick<Channel, 'id' | 'name'> &
  Partial<Omit<Room, 'members' | 'isIm'>> & {
    readonly botIsMember?: boolean;
    readonly members?: readonly string[];
  };

export type UserGroupOption = Pick<UserGroup, 'id' | 'handle' | 'users'> & Partial<UserGroup>;

export const team = { id: 'T0HARBOUR', name: 'Harbour Logistics', domain: 'harbour-logistics' } as const;
export const otherTeam = { id: 'T0NORDWIND', name: 'Nordwind Freight' } as const;

/** The organisation that the workspace belongs to. */
export const enterprise = { id: 'E0HARBOUR1', name: 'Harbour Group' } as const;

/** The IDs of the app in this workspace. */
export const appId = 'A0APPLIANC';
export const botId = 'B0APPLIANC';
export const botUserId = 'U0APPLIANC';
export const slackbotId = 'USLACKBOT';

/** The people of Harbour Logistics: one for each role a policy is likely to name, a guest, and carol's second account. */
export const people = [
  { id: 'U0ALICE001', name: 'alice', realName: 'Alice Berg', title: 'Helpdesk', color: '#2f6f6a' },
  { id: 'U0BOB00001', name: 'bob', realName: 'Bob Okafor', title: 'Operator', color: '#8a4f1d' },
  {
    id: 'U0CAROL001',
    name: 'carol',
    realName: 'Carol Lindqvist',
    title: 'Approver',
    color: '#5b3f8c',
    enterpriseUser: 'W0CAROL001',
  },
  { id: 'U0DANA0001', name: 'dana', realName: 'Dana Haddad', title: 'Administrator', color: '#a3323f' },
  { id: 'U0VIC00001', name: 'vic', realName: 'Vic Moreau', title: 'Viewer', color: '#2c5d94' },
  {
    id: 'U0GUS00001',
    name: 'gus',
    realName: 'Gus Petersen',
    title: 'Guest',
    color: '#6b6f2a',
    isGuest: true,
  },
  {
    id: 'U0CARLA001',
    name: 'carla',
    realName: 'Carol Lindqvist',
    title: "Carol's second account",
    color: '#7a5ba8',
    enterpriseUser: 'W0CAROL001',
  },
] as const satisfies readonly PersonOption[];

/** Somebody of another organisation (Slack Connect): can read, type and click in shared channels, cannot run commands. */
export const external = {
  id: 'U0EVE00001',
  name: 'eve',
  realName: 'Eve Nordwind',
  title: 'Nordwind Freight',
  color: '#444b54',
  teamId: otherTeam.id,
} as const satisfies PersonOption;

export const channels = [
  { id: 'C0HELPDESK', name: 'helpdesk', topic: 'Look-ups and everyday questions' },
  { id: 'C0INCIDENT', name: 'incident', topic: 'Something is broken and we are on it' },
  { id: 'C0RANDOM01', name: 'random', topic: 'Everything else' },
  { id: 'C0PARTNERS', name: 'partners', topic: 'Shared with Nordwind Freight', isExtShared: true },
] as const satisfies readonly ChannelOption[];

export const userGroups = [
  { id: 'S0HELPDESK', handle: 'helpdesk', name: 'Helpdesk', users: ['U0ALICE001'] },
  { id: 'S0OPERATOR', handle: 'operators', name: 'Operators', users: ['U0BOB00001'] },
  { id: 'S0APPROVER', handle: 'approvers', name: 'Approvers', users: ['U0CAROL001'] },
  { id: 'S0ADMINS01', handle: 'admins', name: 'Administrators', users: ['U0DANA0001'] },
] as const satisfies readonly UserGroupOption[];

const palette = ['#2f6f6a', '#8a4f1d', '#5b3f8c', '#a3323f', '#2c5d94', '#6b6f2a'];

/** Fills in what a caller left out. */
export function member(option: PersonOption, index = 0): Member {
  return {
    realName: option.name,
    title: '',
    color: palette[index % palette.length] ?? '#444b54',
    isGuest: false,
    isBot: false,
    teamId: team.id,
    email: `${option.name}@harbour-logistics.example`,
    enterpriseUser: undefined,
    deleted: false,
    ...option,
  };
}
