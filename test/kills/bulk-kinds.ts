import type { SimulatedAppliance } from '../../sandbox/appliance/index.ts';
import type { Kind } from './kind.ts';

const sites = (count: number) => Array.from({ length: count }, (_, index) => `site-${index}.example`);
const inCategory = ({ state }: SimulatedAppliance) =>
  [...(state.categories.all.get(252)?.sites ?? [])].filter((site) => /^site-\d+\.example$/.test(site)).length;

/** They fill the category before anything is typed. */
const filled = (count: number) => (appliance: SimulatedAppliance) => {
  for (const site of sites(count)) appliance.state.categories.all.get(252)?.sites.add(site);
};
const compiled = {
  again: ['GET /categories/{id}/compile', 'GET /webfilter/rules/compile'],
  ends: 'done',
  // The bot had not read the present sites, so nothing was sent.
  mayEnd: ['failed'],
} as const satisfies Partial<Kind>;

/**
 * More objects than one preview covers: sent in chunks, each previewed right before. A crash between two chunks leaves a
 * part, which is reported; no chunk is sent twice.
 */
export const bulkKinds: readonly Kind[] = [
  {
    ...compiled,
    name: 'list of sites added in two requests',
    scenes: [{ types: `category add ${sites(501).join(' ')} to 252` }, { presses: 'Add' }, { passes: 1 }],
    once: { 'POST /categories/{id}/add': 'category add' },
    pieces: 2,
    isRight: (appliance) => [0, 501].includes(inCategory(appliance)),
  },
  {
    ...compiled,
    name: 'list of sites deleted one by one',
    before: filled(52),
    scenes: [
      { types: `category delete ${sites(52).join(' ')} from 252` },
      { presses: 'Remove' },
      { passes: 1 },
    ],
    each: { 'GET /categories/delete/{id}/{site}': 'category delete' },
  },
  {
    ...compiled,
    name: 'list of sites added for a time',
    scenes: [
      { types: `category add ${sites(52).join(' ')} to 252 --for 10m` },
      { presses: 'Add' },
      { passes: 12 },
      { passes: 1 },
    ],
    once: { 'POST /categories/{id}/add': 'category add' },
    // The bot itself takes them out again, as often as it is killed meanwhile; each time it looks before which are left.
    again: [...compiled.again, 'GET /categories/delete/{id}/{site}'],
    isRight: (appliance) => inCategory(appliance) === 0,
  },
];
