import type { SimulatedCategory } from '../../company/categories.ts';
import type { Route } from '../../route.ts';
import { asSite, coverOf } from './sites.ts';

/** Reading operations of the category database; they answer as configured, compiled or not. */
export const lists: readonly Route[] = [
  {
    method: 'GET',
    path: '/categories/query/{domain}',
    answer({ state, slots }) {
      const site = asSite(slots.get('domain'));
      // A text that is no domain name is in no category, and no error.
      const names = site === undefined ? [] : coverOf(site);
      const found = [...state.categories.all.values()].filter(({ sites }) =>
        names.some((name) => sites.has(name)),
      );
      return {
        Status: found.length > 0,
        Info: `${found.length} ${found.length === 1 ? 'category' : 'categories'}`,
        Error: '',
        Categories: found.map(shapeA),
      };
    },
  },
  {
    method: 'GET',
    path: '/categories/list',
    answer({ state }) {
      const all = [...state.categories.all.values()];
      return state.categories.shape === 'A'
        ? { Status: true, Error: '', Categories: all.map(shapeA) }
        : {
            status: true,
            info: '',
            categories: Object.fromEntries(all.map((one) => [String(one.id), shapeB(one)])),
          };
    },
  },
];

function shapeA({ id, name, table, rpz }: SimulatedCategory) {
  return {
    table_name: table,
    category_name: name,
    category_id: id,
    rpz_enabled: rpz.enabled ? 1 : 0,
    rpz_action: rpz.action,
    rpz_redirect: rpz.redirect,
  };
}

function shapeB({ name, table, description, sites }: SimulatedCategory) {
  return { table, items: sites.size, name, description };
}
