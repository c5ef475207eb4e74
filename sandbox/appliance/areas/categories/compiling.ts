import type { SimulatedCategory } from '../../company/categories.ts';
import { counted } from '../../counted.ts';
import { done } from '../../envelope.ts';
import type { Route } from '../../route.ts';
import type { State } from '../../state.ts';
import { categoryOf, noCategory } from './order.ts';

const backupFolder = '/home/appliance/backup-categories';

/** Operations that make changes live, and that save them. */
export const compiling: readonly Route[] = [
  {
    method: 'GET',
    path: '/categories/{id}/compile',
    /** Not documented; in lower case like the other call that has the ID in front (§4.3). */
    answer({ state, slots }) {
      const category = categoryOf(state, slots.get('id'));
      if (category === undefined) return { status: false, info: noCategory(slots.get('id')) };
      compile(category);
      return { status: true, info: `${category.name}: ${counted(category.compiled.size, 'site')} compiled` };
    },
  },
  {
    method: 'GET',
    path: '/categories/backup',
    answer({ state, now }) {
      const { all, backups } = state.categories;
      const sites = [...all.values()].reduce((sum, one) => sum + one.sites.size, 0);
      backups.push({ at: now, folder: backupFolder, categories: all.size, sites });
      return done(`${counted(sites, 'site')} of ${all.size} categories exported to ${backupFolder}`);
    },
  },
  {
    method: 'GET',
    path: '/webfilter/rules/compile',
    answer({ state }) {
      compileRules(state);
      return done('The filtering rules are compiled and applied');
    },
  },
];

/** Makes the configured sites of a category available on the system. */
export function compile(category: SimulatedCategory): void {
  category.compiled = new Set(category.sites);
}

/** Puts the compiled rules in force: on a real appliance within minutes (§4.3), here at once. */
export function compileRules(state: State): void {
  for (const category of state.categories.all.values()) category.live = category.compiled;
}

/** Ends the background compiles that are due; the rules' compile includes the categories that ended before it. */
export function continueCompiles(state: State, now: Date): void {
  const { background } = state.categories;
  const { rules } = background;
  if (rules !== undefined && rules <= now) {
    endCompiles(state, rules);
    background.rules = undefined;
    compileRules(state);
  }
  endCompiles(state, now);
}

function endCompiles({ categories: { all, background } }: State, until: Date): void {
  for (const [id, due] of background.compiles) {
    if (due > until) continue;
    background.compiles.delete(id);
    const category = all.get(id);
    if (category !== undefined) compile(category);
  }
}
