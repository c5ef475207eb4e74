import type { SimulatedAppliance } from '../../sandbox/appliance/index.ts';
import { compileAcl, disableObject, enableObject, objectIs } from './acl-object.ts';
import type { Kind } from './kind.ts';

const disables = {
  once: { [disableObject]: 'acl object disable' },
  again: [compileAcl, enableObject],
  ends: 'done',
} as const satisfies Partial<Kind>;

const isDown = ({ state }: SimulatedAppliance) => state.vlan.interfaces.get(5)?.upSince === undefined;

/** Moving the end of a temporary change happens once, and each change ends, or stays, as the last move says. */
export const movedEndKinds: readonly Kind[] = [
  {
    ...disables,
    name: 'temporary change that is kept for good',
    known: 1,
    scenes: [
      { types: 'acl object disable google_sni --for 20m' },
      { types: 'keep google_sni' },
      { presses: 'Keep' },
      { passes: 24 },
    ],
    isRight: objectIs(false),
  },
  {
    name: 'temporary change whose extension somebody else approves',
    approved: { 'vlan start': 15 },
    scenes: [
      { types: 'vlan start 5 --for 10m' },
      { presses: 'Extend by 10 min' },
      { presses: 'Approve', by: 'carol' },
      { passes: 24 },
    ],
    once: { 'GET /system/network/vlan/start/{id}': 'vlan start' },
    again: ['GET /system/network/vlan/stop/{id}'],
    ends: 'done',
    isRight: isDown,
  },
  {
    ...disables,
    name: 'temporary changes that somebody ends all of',
    known: 2,
    scenes: [
      { types: 'acl object disable google_sni --for 20m' },
      { types: 'acl object disable apple_sni --for 20m' },
      { types: 'end all' },
      { presses: 'End all 2' },
      { passes: 1 },
      { passes: 24 },
    ],
    // Pressed again, there is nothing left to end; and what was over by then, nobody had to confirm any more.
    mayEnd: ['refused', 'expired'],
    isRight: objectIs(true),
  },
  {
    ...disables,
    name: 'temporary plan that somebody ends before its time',
    scenes: [
      { types: 'plan --for 20m\nacl object disable google_sni\nacl object disable apple_sni' },
      { presses: 'Run plan' },
      { passes: 16 },
      { presses: 'End all now' },
      { passes: 1 },
      { passes: 24 },
    ],
    // The change had ended by then, so no confirmation was needed.
    mayEnd: ['refused', 'expired'],
    isRight: objectIs(true),
  },
];
