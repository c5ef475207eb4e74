import type { Route } from '../route.ts';
import type { SimulatedCategory, State } from '../state.ts';

/** appliance-api.md §4.3 */
export const categoryRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/categories/query/{domain}',
    answer({ state, slots }) {
      const found = categoriesOf(state, slots.get('domain'));
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
      const all = [...state.categories.values()];
      return state.categoryShape === 'A'
        ? { Status: true, Error: '', Categories: all.map(shapeA) }
        : {
            status: true,
            info: '',
            categories: Object.fromEntries(all.map((one) => [String(one.id), shapeB(one)])),
          };
    },
  },
];

/** A site covers its subdomains: `www.example.com` is found by `example.com`. */
function categoriesOf(state: State, asked: string): SimulatedCategory[] {
  const labels = asked.trim().toLowerCase().replace(/\.$/, '').split('.');
  const names = labels.map((_, index) => labels.slice(index).join('.'));
  return [...state.categories.values()].filter(({ sites }) => names.some((name) => sites.has(name)));
}

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
