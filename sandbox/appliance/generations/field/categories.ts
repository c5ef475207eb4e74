import { isIPv4 } from 'node:net';
import { categoryOf } from '../../areas/categories/order.ts';
import type { SimulatedCategory } from '../../company/categories.ts';
import type { Order, Slots } from '../../route.ts';
import { asPage } from '../../sent.ts';
import { type Layer, type Layers, over, type Reply } from '../generation.ts';

/** How long a compile takes in the background: milliseconds. */
const compileTakes = 2000;

/** Categories, as the program that keeps them does it. */
export const categories: Layers = {
  'GET /categories/query/{domain}': (order, documented) => {
    // As the area answers it.
    const found = documented(withSlots(order, { domain: siteOf(order.slots.get('domain')) })) as Reply;
    // Earlier sites keep the document's spelling.
    return keyedById(found.Status === false ? documented(order) : found);
  },
  'GET /categories/list': list,

  'GET /categories/{id}/{site}': adding(({ slots }) => [slots.get('site')]),
  'POST /categories/{id}/add': adding(({ form }) => (form.get('sites') ?? '').split('\n')),
  // The quick call also compiles.
  'PUT /categories/quick/{id}': adding(({ form }) => (form.get('items') ?? '').split(','), launch),

  ...over(
    ['GET /categories/move/{id}/{site}/{nextId}', 'GET /categories/delete/{id}/{site}'],
    ofACategory((category, order, documented) => {
      const [text, site] = [order.slots.get('site').toLowerCase(), siteOf(order.slots.get('site'))];
      const isKeptAsText = category.sites.has(text) && !category.sites.has(site);
      return documented(isKeptAsText ? order : withSlots(order, { site }));
    }),
  ),

  'GET /categories/{id}/compile': ofACategory((category, order) => {
    launchCompile(category, order);
    return { status: true, info: `/usr/bin/categories --compile ${category.id} launched in background` };
  }),
  'GET /webfilter/rules/compile': (order) => {
    launchRules(order);
    return { status: true, info: '/usr/bin/webfilter --compile-rules launched in background' };
  },
};

/** A category as the field lists it, by ID, within the envelope; in shape B without one. */
function list({ state }: Order) {
  const all = Object.fromEntries(
    [...state.categories.all.values()].map(({ id, table, sites, name, description }) => [
      id,
      { table, items: sites.size, name, description },
    ]),
  );
  return state.categories.shape === 'A' ? { status: true, info: '', categories: all } : all;
}

/** Results of a query are keyed by ID, too. */
function keyedById(reply: unknown): unknown {
  // As the area answers it.
  const { Categories, ...more } = reply as {
    readonly Categories: readonly { readonly category_id: number }[];
  };
  const all = Object.fromEntries(Categories.map((one) => [one.category_id, one]));
  return { ...more, Categories: Categories.length === 0 ? null : all };
}

/** The number of additions is in words only, and counts every accepted line, also for sites that existed. */
function adding(linesOf: (order: Order) => readonly string[], then: typeof launch = () => {}): Layer {
  return ofACategory((category, order) => {
    const taken = linesOf(order)
      .map(siteOf)
      .filter((site) => site.includes('.'));
    for (const site of taken) category.sites.add(site);
    then(category, order);
    const table = category.table || `category_${category.name}`;
    return {
      status: true,
      info: `${taken.length} sites added in ${table} (${category.sites.size} elements)`,
    };
  });
}

/** As it is kept: in lower case, without `www.`, and an IPv4 address as one number. */
function siteOf(text: string): string {
  const site = text
    .trim()
    .toLowerCase()
    .replace(/^www\./, '');
  return isIPv4(site) ? `${site.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0)}.addr` : site;
}

function launch(category: SimulatedCategory, order: Order): void {
  launchCompile(category, order);
  launchRules(order);
}

function launchCompile({ id }: SimulatedCategory, { state, now }: Order): void {
  state.categories.background.compiles.set(id, new Date(now.getTime() + compileTakes));
}

/** Takes the compiled categories at its end; an earlier compile of a category ends before it. */
function launchRules({ state, now }: Order): void {
  state.categories.background.rules = new Date(now.getTime() + compileTakes);
}

/** An unknown ID gets a page. */
function ofACategory(answer: (category: SimulatedCategory, ...order: Parameters<Layer>) => unknown): Layer {
  return (order, documented) => {
    const category = categoryOf(order.state, order.slots.get('id'));
    return category === undefined ? asPage(500) : answer(category, order, documented);
  };
}

function withSlots(order: Order, others: Readonly<Record<string, string>>): Order {
  const slots: Slots = { get: (name) => others[name] ?? order.slots.get(name) };
  return { ...order, slots };
}
