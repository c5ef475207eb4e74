import type { Accepted, Appliance } from '../api/index.ts';
import { say, type Text } from './reply.ts';

/**
 * What must be compiled after a change before it is live: the ACLs (appliance-api.md §4.1), one personal category, and
 * the filtering rules that use the categories (§4.3). SSL rules cannot be changed through the API; `ssl build` compiles them.
 */
export type Applied = 'acl' | `category:${number}` | 'filter';

/** What a change of a category's sites must be followed by, in this order. */
export const afterSites = (category: number): readonly Applied[] => [`category:${category}`, 'filter'];

/** Compiles one of them. Rejects with an `ApplianceFailure`. */
export function compile(appliance: Appliance, what: Applied): Promise<Accepted> {
  if (what === 'acl') return appliance.acl.compile();
  if (what === 'filter') return appliance.categories.compileRules();
  return appliance.categories.compile({ id: categoryOf(what) });
}

/** "the ACLs", "category 252", "the filtering rules" */
export function nameOfApplied(what: Applied): Text {
  if (what === 'acl') return say`the ACLs`;
  if (what === 'filter') return say`the filtering rules`;
  return say`category ${categoryOf(what)}`;
}

/** The filtering rules come last: they use the compiled categories. */
export const inOrder = (pending: readonly Applied[]): readonly Applied[] => {
  const distinct = [...new Set(pending)];
  return [...distinct.filter((what) => what !== 'filter'), ...distinct.filter((what) => what === 'filter')];
};

const categoryOf = (what: `category:${number}`): number => Number(what.slice('category:'.length));
