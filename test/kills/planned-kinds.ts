import type { SimulatedAppliance } from '../../sandbox/appliance/index.ts';
import { compileAcl, disableObject, enableObject, objectIs } from './acl-object.ts';
import type { Kind } from './kind.ts';

const disconnect = { 'POST /rdpproxy/sessions/{id}/disconnect': 'rdp disconnect' };
const sessionIs = (open: boolean) => (appliance: SimulatedAppliance) =>
  appliance.state.rdp.sessions.has(12) === open;

/** A planned change runs once at its time, or reports why not, whenever the bot was killed. */
export const plannedKinds: readonly Kind[] = [
  {
    name: 'planned change that can be put back',
    scenes: [{ types: 'rdp policy disable Contractors --at "in 3m"' }, { passes: 4 }],
    once: { 'POST /rdpproxy/policies/{id}/disable': 'rdp policy disable' },
    ends: 'done',
    isRight: ({ state }) =>
      [...state.rdp.policies.values()].find(({ name }) => name === 'Contractors')?.enabled === 0,
  },
  {
    name: 'planned change that was confirmed',
    scenes: [{ types: 'rdp disconnect 12 --at "in 3m"' }, { presses: 'Plan' }, { passes: 4 }],
    once: disconnect,
    ends: 'done',
    isRight: sessionIs(false),
  },
  {
    name: 'planned change that others have approved',
    scenes: [
      { types: 'rdp disconnect 12 --at "in 3m"', by: 'vic' },
      { presses: 'Ask for approval', by: 'vic' },
      { presses: 'Approve', by: 'bob' },
      { presses: 'Yes, approve', by: 'bob' },
      { passes: 4 },
    ],
    once: disconnect,
    ends: 'done',
    isRight: sessionIs(false),
  },
  {
    name: 'planned change that is moved to another time',
    known: 2,
    scenes: [
      { types: 'rdp disconnect 12 --at "in 3m"' },
      { presses: 'Plan' },
      { presses: 'Change the time…' },
      { fills: { 'Run at': 'in 5m' } },
      { passes: 6 },
    ],
    once: disconnect,
    ends: 'done',
    isRight: sessionIs(false),
  },
  {
    name: 'planned change that is canceled',
    known: 2,
    scenes: [
      { types: 'rdp disconnect 12 --at "in 3m"' },
      { presses: 'Plan' },
      { presses: 'Cancel' },
      { passes: 4 },
    ],
    ends: 'cancelled',
    isRight: sessionIs(true),
  },
  {
    name: 'planned change with a password from a form',
    scenes: [
      { types: 'sql user create crm --at "in 3m"' },
      { fills: { 'Password of the new user': 'correct horse' } },
      { passes: 4 },
    ],
    once: { 'POST /sqldb/users/create': 'sql user create' },
    ends: 'done',
    isRight: ({ state }) => state.sqldb.users.filter(({ user }) => user === 'crm').length === 1,
  },
  {
    name: 'planned change that is temporary from then on',
    scenes: [{ types: 'acl object disable google_sni --at "in 3m" --for 5m' }, { passes: 11 }],
    once: { [disableObject]: 'acl object disable' },
    again: [compileAcl, enableObject],
    ends: 'done',
    // Killed again and again, the bot is away for longer than it may run.
    mayEnd: ['expired'],
    isRight: objectIs(true),
  },
];
