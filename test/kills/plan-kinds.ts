import { ordersTo } from '../orders.ts';
import { compileAcl, disableObject, enableObject, objectIs } from './acl-object.ts';
import type { Kind } from './kind.ts';

const stopInterface = 'GET /system/network/vlan/stop/{id}';
const setPolicy = (verb: string) => `POST /rdpproxy/policies/{id}/${verb}`;

const typed = `plan
acl object disable google_sni
rdp policy disable Contractors
vlan stop 3
rdp policy disable "ERP users"
rdp policy disable "Legacy access"`;

const orders: Readonly<Record<string, string>> = {
  [disableObject]: 'acl object disable',
  [setPolicy('disable')]: 'rdp policy disable',
  [stopInterface]: 'vlan stop',
};

/** Five changes as one, of which the third fails: whenever the bot was killed, it goes on or says where it stands, and nothing is sent twice. */
const failsAtThird = {
  before: ({ faults }) => faults.set(stopInterface, { kind: 'refuse' }),
  again: [compileAcl],
} as const satisfies Partial<Kind>;

/** Who has read that it stops finds it stopped, and of its lines those were sent that it tells as done. */
const isStoppedWhereItSays: Kind['agrees'] = (actions, appliance) => {
  const isTold = actions.some(({ phrase, state }) => phrase?.startsWith('plan stop') && state === 'done');
  const plan = actions.find(({ phrase, step }) => phrase?.startsWith('plan <') && step === undefined);
  const sent = ordersTo(appliance).flatMap((operation) => orders[operation] ?? []);
  const done = actions.filter(({ step, state }) => step !== undefined && state === 'done');
  const isSent = done.every(({ phrase }) => sent.some((one) => phrase?.startsWith(one)));
  return (!isTold || plan?.state !== 'done') && isSent;
};

export const planKinds: readonly Kind[] = [
  {
    name: 'plan of five',
    scenes: [{ types: typed }, { presses: 'Run plan' }, { passes: 1 }],
    once: orders,
    again: [compileAcl],
    ends: 'done',
    isRight: objectIs(false),
  },
  {
    ...failsAtThird,
    name: 'plan of five with a failure in the third, rolled back',
    known: 1,
    scenes: [{ types: typed }, { presses: 'Run plan' }, { presses: 'Roll back' }, { passes: 1 }],
    once: { ...orders, [enableObject]: 'acl object enable', [setPolicy('enable')]: 'rdp policy enable' },
    ends: 'done',
    // Where nobody could say what became of a line, the rollback asks first, and nobody here answers.
    mayEnd: ['expired'],
    isRight: objectIs(true),
  },
  {
    ...failsAtThird,
    name: 'plan of five with a failure in the third, gone on with',
    known: 2,
    scenes: [{ types: typed }, { presses: 'Run plan' }, { presses: 'Go on' }, { passes: 1 }],
    once: orders,
    ends: 'done',
    // It was gone on with before.
    mayEnd: ['refused'],
    isRight: objectIs(false),
  },
  {
    ...failsAtThird,
    name: 'plan of five with a failure in the third, left as it is',
    known: 2,
    scenes: [{ types: typed }, { presses: 'Run plan' }, { presses: 'Leave it so' }, { passes: 1 }],
    once: orders,
    ends: 'done',
    // It was told as left before that was recorded.
    mayEnd: ['failed'],
    isRight: objectIs(false),
  },
  {
    name: 'plan of five that somebody stops while it runs',
    known: 1,
    // On a machine that is busy as well, there is time to see the button before it is over.
    before: ({ faults }) => faults.set(stopInterface, { kind: 'slow', ms: 1_000, times: 1 }),
    scenes: [{ types: typed }, { presses: 'Run plan', meanwhile: 'Stop' }, { passes: 1 }],
    once: orders,
    again: [compileAcl],
    // That is what *Stop* has come to; where it was pressed right before the bot was killed, it has nothing left to stop.
    ends: 'done',
    mayEnd: ['failed', 'refused'],
    agrees: isStoppedWhereItSays,
  },
  {
    name: 'plan that undoes what was done in a time',
    known: 1,
    scenes: [
      { types: 'acl object disable google_sni' },
      { types: 'acl object disable apple_sni' },
      { types: 'plan from history 1h --undo' },
      { presses: 'Undo all' },
      { passes: 1 },
    ],
    once: {
      [disableObject]: 'acl object disable',
      [enableObject]: 'acl object enable',
    },
    again: [compileAcl],
    ends: 'done',
    isRight: objectIs(true),
  },
  {
    name: 'plan that is temporary and ends as one',
    scenes: [
      { types: 'plan --for 10m\nacl object disable google_sni\nrdp policy disable Contractors' },
      { presses: 'Run plan' },
      { passes: 12 },
    ],
    once: { [disableObject]: 'acl object disable', [setPolicy('disable')]: 'rdp policy disable' },
    again: [compileAcl, enableObject, setPolicy('enable')],
    ends: 'done',
    isRight: objectIs(true),
  },
];
