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

/**
 * Five changes as one plan, of which the third fails. After any kill it continues or reports where it stands, and
 * sends nothing twice.
 */
const failsAtThird = {
  before: ({ faults }) => faults.set(stopInterface, { kind: 'refuse' }),
  again: [compileAcl],
} as const satisfies Partial<Kind>;

/** A stopped plan is stopped, and sent exactly the lines that it reports as done. */
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
    // A rollback of an unknown line asks first, and nobody answers here.
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
    // The plan was continued before.
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
    // The message about leaving it was sent before the journal recorded it.
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
    // The action of *Stop*; pressed right before the kill, it has nothing left to stop.
    ends: 'done',
    mayEnd: ['failed', 'refused'],
    agrees: isStoppedWhereItSays,
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
