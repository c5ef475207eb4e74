import { compileAcl, disableObject, enableObject, objectIs } from './acl-object.ts';
import type { Kind } from './kind.ts';

/** The bot itself enables the object again at its end: it checks an order from before a crash before it repeats it. */
const temporary = {
  once: { [disableObject]: 'acl object disable' },
  again: [compileAcl, enableObject],
  ends: 'done',
  isRight: objectIs(true),
} as const satisfies Partial<Kind>;

/** All that is temporary ends, once, whenever the bot was killed. */
export const temporaryKinds: readonly Kind[] = [
  {
    ...temporary,
    name: 'temporary change that ends by itself',
    scenes: [{ types: 'acl object disable google_sni --for 10m' }, { passes: 12 }],
  },
  {
    ...temporary,
    name: 'temporary change for a ticket, of whose end another system is told',
    known: 1,
    scenes: [
      { types: 'acl object disable google_sni --for 10m --ticket CHG-1' },
      { passes: 12 },
      { passes: 1 },
    ],
    tells: ['change.asked', 'change.done', 'change.ended'],
  },
  {
    ...temporary,
    name: 'temporary change that is extended',
    known: 1,
    scenes: [
      { types: 'acl object disable google_sni --for 10m' },
      { presses: 'Extend by 10 min' },
      { passes: 24 },
    ],
    mayEnd: ['refused'],
  },
  {
    ...temporary,
    name: 'temporary change that somebody ends',
    known: 1,
    scenes: [{ types: 'acl object disable google_sni --for 10m' }, { presses: 'End now' }, { passes: 12 }],
    mayEnd: ['refused'],
  },
  {
    ...temporary,
    name: 'temporary change on several appliances',
    known: 1,
    branches: 1,
    scenes: [
      { types: 'acl object disable google_sni --for 10m --on all' },
      { presses: 'Disable' },
      { passes: 12 },
    ],
  },
  {
    ...temporary,
    name: 'temporary change whose end fails at first',
    known: 1,
    before: ({ faults }) => faults.set(enableObject, { kind: 'refuse', times: 2 }),
    scenes: [{ types: 'acl object disable google_sni --for 10m' }, { passes: 12 }, { passes: 10 }],
  },
  {
    ...temporary,
    name: 'temporary change that somebody undoes, and brings back',
    known: 1,
    scenes: [
      { types: 'acl object disable google_sni --for 20m' },
      { types: 'acl object enable google_sni' },
      { presses: 'Undo' },
      { passes: 24 },
    ],
    mayEnd: ['refused'],
  },
];
