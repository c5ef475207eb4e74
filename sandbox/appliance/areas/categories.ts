import type { Area } from '../route.ts';
import { changes } from './categories/changes.ts';
import { compiling, continueCompiles } from './categories/compiling.ts';
import { lists } from './categories/lists.ts';

/**
 * Categories and filtering rules: appliance-api.md §4.3. Queries and lists answer from the configured database, so a site
 * is found as soon as it is added. Only the state shows whether the filter uses it.
 */
export const categories: Area = {
  routes: [...lists, ...changes, ...compiling],
  passTime: continueCompiles,
};
