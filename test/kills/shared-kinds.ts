import type { SimulatedAppliance } from '../../sandbox/appliance/index.ts';
import { orderRequestsTo } from '../orders.ts';
import type { Kind } from './kind.ts';

const site = 'live-betting.example';
const addSite = 'GET /categories/{id}/{site}';
const deleteSite = 'GET /categories/delete/{id}/{site}';
const isIn = ({ state }: SimulatedAppliance) => state.categories.all.get(207)?.live.has(site) === true;

/** How many minutes it was there before somebody took it away for the first time. */
function minutesThere(appliance: SimulatedAppliance): number {
  const orders = orderRequestsTo(appliance);
  const moment = (wanted: string) =>
    orders.find(({ operation }) => operation === wanted)?.at.getTime() ?? Number.POSITIVE_INFINITY;
  return (moment(deleteSite) - moment(addSite)) / 60_000;
}

const add = `category add ${site} to 207`;
const shared = {
  once: { [addSite]: 'category add' },
  again: ['GET /categories/{id}/compile', 'GET /webfilter/rules/compile', deleteSite],
  ends: 'done',
} as const satisfies Partial<Kind>;

const suites = 'TLS_AES_256_GCM_SHA384';
const setSuites = 'POST /rdpproxy/tls/ciphers';

/**
 * A change that somebody else extends or keeps lasts as they want. A change by hand is put before people, whenever
 * the bot was killed.
 */
export const sharedKinds: readonly Kind[] = [
  {
    ...shared,
    name: 'site that a second person wants for longer',
    scenes: [
      { types: `${add} --for 30m` },
      { types: `extend ${site} by 90m`, by: 'carol' },
      { presses: 'Extend', by: 'carol' },
      { passes: 35 },
      { passes: 100 },
    ],
    // Longer than the first one wanted it. An appliance beside a process goes by the clock before the minutes that pass.
    isRight: (appliance) => !isIn(appliance) && minutesThere(appliance) > 60,
  },
  {
    ...shared,
    name: 'site that a second person wants for good',
    known: 1,
    scenes: [
      { types: `${add} --for 30m` },
      { types: `keep ${site}`, by: 'carol' },
      { presses: 'Keep', by: 'carol' },
      { passes: 35 },
    ],
    isRight: isIn,
  },
  {
    name: 'end that finds an edit by hand, and is ordered by somebody',
    scenes: [
      { types: `rdp ciphers set ${suites} --for 10m` },
      { turns: ({ state }) => void Object.assign(state.rdp.tls, { offered: ['AES128-SHA'] }) },
      { passes: 12 },
      { presses: 'Undo now' },
      { passes: 1 },
    ],
    once: { [setSuites]: 'rdp ciphers set' },
    ends: 'done',
    isRight: ({ state }) => !['AES128-SHA', suites].includes(state.rdp.tls.offered.join(' ')),
  },
];
