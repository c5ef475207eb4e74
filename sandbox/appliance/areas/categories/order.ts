import type { SimulatedCategory } from '../../company/categories.ts';
import { refused } from '../../envelope.ts';
import { withId } from '../../ids.ts';
import type { Order, Route } from '../../route.ts';
import type { State } from '../../state.ts';
import { asSite } from './sites.ts';

/** An operation on the category of the slot `id`. */
export function ofACategory(
  method: Route['method'],
  path: string,
  answer: (category: SimulatedCategory, order: Order) => object,
): Route {
  return {
    method,
    path,
    answer(order) {
      const id = order.slots.get('id');
      const category = categoryOf(order.state, id);
      return category === undefined ? refused(noCategory(id)) : answer(category, order);
    },
  };
}

/** An operation on one site, that of the slot `site`, and on the category of the slot `id`. */
export function ofASite(
  path: string,
  answer: (site: string, category: SimulatedCategory, order: Order) => object,
): Route {
  return ofACategory('GET', path, (category, order) => {
    const text = order.slots.get('site');
    const site = asSite(text);
    return site === undefined ? refused(noSite(text)) : answer(site, category, order);
  });
}

export function categoryOf(state: State, id: string): SimulatedCategory | undefined {
  return withId(state.categories.all, id);
}

export function noCategory(id: string): string {
  return `No category has the ID ${id}`;
}

export function noSite(text: string): string {
  return `${text} is not a domain name and not an IP address`;
}
