import type { SimulatedAppliance } from '../../sandbox/appliance/index.ts';
import { compileAcl, disableObject, objectIs } from './acl-object.ts';
import { askKinds } from './ask-kinds.ts';
import type { Kind } from './kind.ts';
import { movedEndKinds } from './moved-end-kinds.ts';
import { planKinds } from './plan-kinds.ts';
import { plannedKinds } from './planned-kinds.ts';
import { sharedKinds } from './shared-kinds.ts';
import { temporaryKinds } from './temporary-kinds.ts';

const categorize = 'GET /categories/query/{domain}';
const disconnect = 'POST /rdpproxy/sessions/{id}/disconnect';
const sessionIs = (open: boolean) => (appliance: SimulatedAppliance) =>
  appliance.state.rdp.sessions.has(12) === open;

const disables = { 'POST /rdpproxy/policies/{id}/disable': 'rdp policy disable' };
const disablesAndEnables = { ...disables, 'POST /rdpproxy/policies/{id}/enable': 'rdp policy enable' };
const policyIs = (enabled: number) => (appliance: SimulatedAppliance) =>
  [...appliance.state.rdp.policies.values()].find(({ name }) => name === 'Contractors')?.enabled === enabled;

export const kinds: readonly Kind[] = [
  { name: 'lookup', scenes: [{ types: 'rdp sessions' }], ends: 'done' },
  {
    name: 'slow lookup, announced',
    before: ({ faults }) => faults.set(categorize, { kind: 'slow', ms: 2_800, times: 1 }),
    scenes: [{ types: 'categorize example.com' }],
    ends: 'done',
  },
  {
    name: 'lookup on several appliances',
    branches: 1,
    scenes: [{ types: 'categorize example.com --on all' }],
    ends: 'done',
  },
  { name: 'answer of the bot’s own', scenes: [{ types: 'whoami' }], ends: 'done' },
  { name: 'refused line', scenes: [{ types: 'rdp sessions', by: 'vic' }], ends: 'refused' },
  { name: 'line that is none', scenes: [{ types: 'categorise all the things please' }], ends: 'refused' },
  {
    name: 'change that can be put back',
    scenes: [{ types: 'rdp policy disable Contractors' }],
    once: disables,
    ends: 'done',
    isRight: policyIs(0),
  },
  {
    name: 'its undo',
    known: 1,
    scenes: [{ types: 'rdp policy disable Contractors' }, { presses: 'Undo' }],
    once: disablesAndEnables,
    ends: 'done',
    isRight: policyIs(1),
  },
  {
    name: 'confirmed',
    scenes: [{ types: 'rdp disconnect 12' }, { presses: 'Disconnect' }],
    once: { [disconnect]: 'rdp disconnect' },
    ends: 'done',
    isRight: sessionIs(false),
  },
  {
    name: 'confirmed for a ticket, of which another system is told',
    known: 1,
    scenes: [{ types: 'rdp disconnect 12 --ticket CHG-1' }, { presses: 'Disconnect' }, { passes: 1 }],
    once: { [disconnect]: 'rdp disconnect' },
    ends: 'done',
    isRight: sessionIs(false),
    tells: ['change.asked', 'change.approved', 'change.done'],
  },
  {
    name: 'cancelled',
    known: 1,
    scenes: [{ types: 'rdp disconnect 12' }, { presses: 'Cancel' }],
    ends: 'cancelled',
    isRight: sessionIs(true),
  },
  {
    name: 'expired',
    known: 1,
    scenes: [{ types: 'rdp disconnect 12' }, { passes: 6 }],
    ends: 'expired',
    isRight: sessionIs(true),
  },
  {
    name: 'approved by somebody else',
    scenes: [{ types: 'rdp policy delete "Legacy access"' }, { presses: 'Approve', by: 'carol' }],
    once: { 'DELETE /rdpproxy/policies/{id}': 'rdp policy delete' },
    ends: 'done',
    isRight: ({ state }) => [...state.rdp.policies.values()].every(({ name }) => name !== 'Legacy access'),
  },
  {
    name: 'denied',
    known: 1,
    scenes: [
      { types: 'rdp policy delete "Legacy access"' },
      { presses: 'Deny…', by: 'carol' },
      { fills: { Reason: 'not today' }, by: 'carol' },
    ],
    ends: 'cancelled',
    isRight: ({ state }) => [...state.rdp.policies.values()].some(({ name }) => name === 'Legacy access'),
  },
  {
    name: 'lookup that somebody stands up for',
    known: 1,
    scenes: [
      { types: 'rdp sessions', by: 'vic' },
      { presses: 'Ask for approval', by: 'vic' },
      { presses: 'Approve', by: 'bob' },
    ],
    ends: 'done',
  },
  {
    name: 'change that somebody stands up for',
    known: 1,
    scenes: [
      { types: 'rdp disconnect 12', by: 'vic' },
      { presses: 'Ask for approval', by: 'vic' },
      { presses: 'Approve', by: 'bob' },
      { presses: 'Yes, approve', by: 'bob' },
    ],
    once: { [disconnect]: 'rdp disconnect' },
    ends: 'done',
    isRight: sessionIs(false),
  },
  {
    name: 'change on several appliances',
    branches: 1,
    scenes: [{ types: 'rdp policy disable Contractors --on all' }, { presses: 'Disable' }],
    once: disables,
    ends: 'done',
    isRight: policyIs(0),
  },
  {
    name: 'change that owes a compile',
    scenes: [{ types: 'acl object disable google_sni' }, { passes: 1 }],
    once: { [disableObject]: 'acl object disable' },
    again: [compileAcl],
    ends: 'done',
    isRight: objectIs(false),
  },
  {
    name: 'compile that fails at first, applied by hand',
    before: ({ faults }) => faults.set(compileAcl, { kind: 'refuse', times: 1 }),
    scenes: [{ types: 'acl object disable google_sni' }, { types: 'apply' }, { passes: 6 }],
    once: { [disableObject]: 'acl object disable' },
    again: [compileAcl],
    ends: 'done',
    mayEnd: ['refused', 'failed'],
    isRight: objectIs(false),
  },
  {
    name: 'change with a password from a form',
    scenes: [{ types: 'sql user create crm' }, { fills: { 'Password of the new user': 'correct horse' } }],
    once: { 'POST /sqldb/users/create': 'sql user create' },
    ends: 'done',
    isRight: ({ state }) => state.sqldb.users.filter(({ user }) => user === 'crm').length === 1,
  },
  {
    name: 'destructive, with a password from a form',
    known: 1,
    scenes: [
      { types: 'rdp member password bob.miller' },
      { fills: { 'New password': 'correct horse' } },
      { presses: 'Set password' },
    ],
    once: { 'PUT /rdpproxy/members/{id}': 'rdp member password' },
    ends: 'done',
  },
  {
    name: 'change whose appliance does not answer',
    known: 1,
    before: ({ faults }) => faults.set(disconnect, { kind: 'reset', happens: false, times: 1 }),
    scenes: [{ types: 'rdp disconnect 12' }, { presses: 'Disconnect' }],
    once: { [disconnect]: 'rdp disconnect' },
    ends: 'unknown',
    isRight: sessionIs(true),
  },
  {
    name: 'change that lasts',
    scenes: [{ types: 'mirror sync' }],
    once: { 'POST /api/sync/trigger': 'mirror sync' },
    ends: 'done',
  },
  {
    name: 'dry run',
    scenes: [{ types: 'rdp disconnect 12 --dry-run' }],
    ends: 'done',
    isRight: sessionIs(true),
  },
  ...temporaryKinds,
  ...movedEndKinds,
  ...sharedKinds,
  ...plannedKinds,
  ...planKinds,
  ...askKinds,
];

const enable = 'emergency enable --for 30m --reason "directory down"';
const emergency = {
  once: { '- /emergency_enable': 'emergency enable' },
  again: ['- /emergency_disable'],
  ends: 'done',
  isRight: ({ state }) => !state.directory.emergency,
} as const satisfies Partial<Kind>;

/** Told step by step, with all that can go wrong at its end, in emergency.ts; here for real processes. */
export const emergencies: readonly Kind[] = [
  {
    ...emergency,
    name: 'emergency that ends by itself',
    scenes: [{ types: enable }, { presses: 'Approve', by: 'carol' }, { passes: 40 }],
  },
  {
    ...emergency,
    name: 'emergency with broken glass',
    scenes: [{ types: `${enable} --break-glass` }, { presses: 'Enable emergency mode' }, { passes: 40 }],
  },
];
