import type { SimulatedAppliance } from '../../sandbox/appliance/index.ts';
import type { Kind } from './kind.ts';

const site = 'live-betting.example';
const addSite = 'GET /categories/{id}/{site}';
const isAllowed = (is: boolean) => (appliance: SimulatedAppliance) =>
  appliance.state.categories.all.get(207)?.live.has(site) === is;

/** A reversal at the end previews again before it orders again, and repeats a compile. */
const again = [
  'GET /categories/{id}/compile',
  'GET /webfilter/rules/compile',
  'GET /categories/delete/{id}/{site}',
];
const asks = { types: `ask ${site} --for 2h --reason "booking for customer"`, by: 'vic' } as const;
/** Long enough that open requests have expired, and permissions are over. */
const over = { passes: 10 * 60 } as const;
const asked = { again, ends: 'done', isRight: isAllowed(false) } as const satisfies Partial<Kind>;

/** A request for a site has one outcome, and its requester hears of it, whenever the bot was killed. */
export const askKinds: readonly Kind[] = [
  {
    ...asked,
    name: 'request for a site that is allowed for a time',
    scenes: [asks, { presses: 'Approve' }, { passes: 1 }, over],
    once: { [addSite]: 'category add' },
    // A stop ends what was approved and not sent, and what nobody could be asked about: whoever asked is told to ask again.
    mayEnd: ['failed', 'cancelled'],
  },
  {
    ...asked,
    name: 'request for a site that is denied',
    known: 1,
    scenes: [asks, { presses: 'Deny…' }, { fills: { Reason: 'not for work' } }, over],
  },
  {
    ...asked,
    name: 'request for a site that two allow at the same moment',
    known: 1,
    scenes: [asks, { presses: 'Approve', so: 'carol' }, { passes: 1 }, over],
    once: { [addSite]: 'category add' },
    // A stop ends what was approved and not sent, and what nobody could be asked about: whoever asked is told to ask again.
    mayEnd: ['failed', 'cancelled'],
  },
  {
    ...asked,
    name: 'request for a site whose permission needs an approval',
    known: 1,
    approved: { 'category add': 0 },
    scenes: [asks, { presses: 'Approve' }, { presses: 'Approve', by: 'carol' }, { passes: 1 }, over],
    once: { [addSite]: 'category add' },
    mayEnd: ['failed', 'cancelled'],
  },
  {
    ...asked,
    name: 'request from the block page that is allowed for a time',
    scenes: [{ sends: site }, { presses: 'Approve' }, { passes: 1 }, over],
    once: { [addSite]: 'category add' },
    // A stop ends what was approved and not sent, and what nobody could be asked about: whoever asked is told to ask again.
    mayEnd: ['failed', 'cancelled'],
  },
  {
    ...asked,
    name: 'request for a site that nobody decides',
    known: 1,
    scenes: [asks, over],
    // No button was pressed, so no order may be sent.
    once: { [addSite]: 'nobody' },
  },
  {
    ...asked,
    name: 'requests for two sites in one line',
    scenes: [{ types: `ask ${site} bwin.com --for 2h --reason "booking for customer"`, by: 'vic' }, over],
    once: { [addSite]: 'nobody' },
  },
  {
    ...asked,
    name: 'request for a site that is withdrawn',
    known: 1,
    scenes: [asks, { types: `withdraw ${site}`, by: 'vic' }, over],
    once: { [addSite]: 'nobody' },
  },
  {
    ...asked,
    name: 'request for a site that is withdrawn by its button',
    known: 1,
    scenes: [asks, { presses: 'Withdraw', by: 'vic' }, over],
    once: { [addSite]: 'nobody' },
  },
  {
    ...asked,
    name: 'request for a site for longer',
    known: 3,
    scenes: [
      asks,
      { presses: 'Approve' },
      { passes: 1 },
      { types: `ask ${site} for 2h more --reason "still booking"`, by: 'vic' },
      { presses: 'Approve' },
      { passes: 1 },
      over,
    ],
    once: { [addSite]: 'category add' },
    mayEnd: ['failed', 'cancelled'],
  },
  {
    name: 'request for a site that nothing blocks',
    scenes: [{ types: 'ask example.org --for 2h --reason "booking for customer"', by: 'vic' }, over],
    ends: 'done',
  },
];
