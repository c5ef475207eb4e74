import { type SimulatedCategory, tableNameOf } from '../../company/categories.ts';
import { counted } from '../../counted.ts';
import { done, refused } from '../../envelope.ts';
import type { Order, Route } from '../../route.ts';
import type { State } from '../../state.ts';
import { compile, compileRules } from './compiling.ts';
import { categoryOf, noCategory, noSite, ofACategory, ofASite } from './order.ts';
import { asSite } from './sites.ts';

/** Operations that change the category database. Their changes are live only after a compile, except `quick`. */
export const changes: readonly Route[] = [
  { method: 'PUT', path: '/categories/create', answer: create },

  ofASite('/categories/{id}/{site}', (site, category, { state }) => {
    if (category.sites.has(site)) return done(`${site} was in ${category.name} already`);
    category.sites.add(site);
    // §3 asks for no more than that the category exists, so other categories are looked at, but forbid nothing.
    const others = othersWith(site, category, state).map(({ name }) => name);
    const too = others.length === 0 ? '' : `; it is in ${others.join(' and ')} too`;
    return done(`${site} is added to ${category.name}${too}`);
  }),

  ofACategory('PUT', '/categories/quick/{id}', (category, { state, form }) => {
    const { added, malformed, problem } = add(form.get('items') ?? '', ',', category);
    if (problem !== undefined) return refused(problem);
    compile(category);
    compileRules(state);
    const elsewhere = added.filter((site) => othersWith(site, category, state).length > 0).length;
    return done(
      `${counted(added.length, 'site')} added to ${category.name} and live` +
        (elsewhere > 0 ? `; ${elsewhere} of them in other categories too` : '') +
        (malformed.length > 0 ? `; ${malformed.length} left out` : ''),
    );
  }),

  ofASite('/categories/move/{id}/{site}/{nextId}', (site, category, { state, slots }) => {
    const next = categoryOf(state, slots.get('nextId'));
    if (next === undefined) return refused(noCategory(slots.get('nextId')));
    // The addition is forced: the order adds the site also when the first category lacks it, or the second has it.
    const from = category.sites.delete(site) ? category.name : 'no category';
    next.sites.add(site);
    return done(`${site} is moved from ${from} to ${next.name}`);
  }),

  ofASite('/categories/delete/{id}/{site}', (site, category) =>
    category.sites.delete(site)
      ? done(`${site} is removed from ${category.name}`)
      : refused(`${site} is not in ${category.name}`),
  ),

  {
    method: 'POST',
    path: '/categories/{id}/add',
    /** The document shows `status` in lower case, and a count whose field it does not name (§4.3). */
    answer({ state, slots, form }) {
      const category = categoryOf(state, slots.get('id'));
      if (category === undefined) return { status: false, info: noCategory(slots.get('id')) };
      const { added, problem } = add(form.get('sites') ?? '', '\n', category);
      return problem === undefined
        ? { status: true, pushed: added.length }
        : { status: false, info: problem };
    },
  },
];

function create({ state, form }: Order) {
  const name = (form.get('name') ?? '').trim();
  const description = (form.get('description') ?? '').trim();
  const { all } = state.categories;
  if (name === '') return refused('A category needs a name');
  if ([...all.values()].some((one) => one.name.toLowerCase() === name.toLowerCase())) {
    return refused(`There is a category ${name} already`);
  }
  const id = Math.max(0, ...all.keys()) + 1;
  const rpz = { enabled: false, action: 0, redirect: '' };
  const empty: ReadonlySet<string> = new Set();
  const table = tableNameOf(name);
  all.set(id, { id, name, description, table, rpz, sites: new Set(), compiled: empty, live: empty });
  return { ...done(`Category ${name} is created`), category_id: id };
}

/** Adds every new site, and leaves out invalid ones; a list of only invalid ones is an error. */
function add(text: string, separator: ',' | '\n', { sites }: SimulatedCategory) {
  const pieces = text.split(separator).filter((piece) => piece.trim() !== '');
  const added: string[] = [];
  const malformed: string[] = [];
  for (const piece of pieces) {
    const site = asSite(piece);
    if (site === undefined) malformed.push(piece.trim());
    else if (!sites.has(site)) {
      sites.add(site);
      added.push(site);
    }
  }
  const nothing = malformed.length === pieces.length;
  const problem = nothing
    ? malformed[0] === undefined
      ? 'No sites were sent'
      : noSite(malformed[0])
    : undefined;
  return { added, malformed, problem };
}

function othersWith(site: string, category: SimulatedCategory, state: State): SimulatedCategory[] {
  return [...state.categories.all.values()].filter((one) => one !== category && one.sites.has(site));
}
