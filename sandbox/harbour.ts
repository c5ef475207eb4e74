import { otherTeam } from './workspace/people.ts';
import { startWorkspace } from './workspace/server.ts';
import type { Workspace, WorkspaceOptions } from './workspace/workspace.ts';

/** Harbour Logistics, the company in whose workspace the bot is installed: people for each role that a policy is likely to name. */

type Cast = Required<Pick<WorkspaceOptions, 'people' | 'channels' | 'userGroups'>>;

export const staff = [
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
] as const satisfies Cast['people'];

/** Somebody of another organisation (Slack Connect): can read, type and click in shared channels, cannot run commands. */
const partner = {
  id: 'U0EVE00001',
  name: 'eve',
  realName: 'Eve Nordwind',
  title: 'Nordwind Freight',
  color: '#444b54',
  teamId: otherTeam.id,
} as const;

const channels = [
  { id: 'C0HELPDESK', name: 'helpdesk', topic: 'Look-ups and everyday questions' },
  { id: 'C0INCIDENT', name: 'incident', topic: 'Something is broken and we are on it' },
  { id: 'C0RANDOM01', name: 'random', topic: 'Everything else' },
  { id: 'C0PARTNERS', name: 'partners', topic: 'Shared with Nordwind Freight', isExtShared: true },
] as const satisfies Cast['channels'];

const userGroups = [
  { id: 'S0HELPDESK', handle: 'helpdesk', name: 'Helpdesk', users: ['U0ALICE001'] },
  { id: 'S0OPERATOR', handle: 'operators', name: 'Operators', users: ['U0BOB00001'] },
  { id: 'S0APPROVER', handle: 'approvers', name: 'Approvers', users: ['U0CAROL001'] },
  { id: 'S0ADMINS01', handle: 'admins', name: 'Administrators', users: ['U0DANA0001'] },
] as const satisfies Cast['userGroups'];

/** Starts their workspace with the bot installed as the repository's `manifest.yml` says, or with whatever is another. */
export function startHarbour(options: WorkspaceOptions = {}): Promise<Workspace> {
  return startWorkspace({
    manifest: new URL('../manifest.yml', import.meta.url),
    team: { name: 'Harbour Logistics', domain: 'harbour-logistics' },
    people: [...staff, partner],
    channels,
    userGroups,
    ...options,
  });
}
