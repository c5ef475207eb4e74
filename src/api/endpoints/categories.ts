import { z } from 'zod';
import { area, recordId } from '../endpoint.ts';
import { Misfit } from '../reading/bounds.ts';
import { type Envelope, field, isRecord } from '../reading/envelope.ts';
import { excerptOf } from '../reading/excerpt.ts';
import { readExtent, withExtent } from '../reading/extent.ts';
import {
  type Accepted,
  accepted,
  Refusal,
  type ReplyReader,
  under,
  withEnvelope,
} from '../reading/reply-reader.ts';
import {
  amount,
  component,
  eachOnce,
  flag,
  integer,
  keyed,
  list,
  mapped,
  optional,
  record,
  required,
  type Shape,
  text,
  type Unread,
} from '../reading/shape.ts';
import { form } from '../wire/body.ts';

/** Statements about categories that appliances make only in words (appliance-api.md §4.3). */

/** A count of none, or that nothing was found. */
const none = [
  /^\W*0\W*$/,
  /\b(?:0|no|none|zero|nothing)\b(?: \w+)? ?(?:categor|results?\b|match|entr|records?\b|found\b)/i,
  /\bcategor[\w()]* ?(?:found)? ?[:=] ?0\b/i,
  /^none\b/i,
  /\b(?:un|not (?:yet )?|n[’']t )categori[sz]ed\b/i,
  /\b(?:is |was )?not in (?:a|any) category\b/i,
  /^(?:the )?(?:site|domain|website|host|item)? ?(?:is |was )?not found\b/i,
];

/** Words of a problem, which rule such a statement out. */
const trouble =
  /\b(?:unable|fail\w*|errors?|fatal|denied|refus\w*|locked|busy|crash\w*|disabled|stopped|unavailable|time[d ]? ?out|cannot|can[’']t|could ?n[o’']t|not (?:running|available|enabled|allowed|reachable|loaded))\b/i;

/** Whether the words say that the domain is in no category. Other words say nothing. */
function saysNone(words: string, domain: string): boolean {
  const said = words.toLowerCase().replaceAll(domain.toLowerCase(), 'site');
  return !trouble.test(said) && none.some((says) => says.test(said));
}

/**
 * Reads `2 sites added in category_github1 (14 elements)`: the accepted lines, including existing sites, and
 * the sites in the category now.
 */
function addedIn(words: string): { readonly count?: number; readonly items?: number } {
  const [, count, items] = /^(\d+) (?:sites?|items?) added\b(?:[^(]*\((\d+) elements?\))?/i.exec(words) ?? [];
  return {
    ...(count !== undefined && { count: Number(count) }),
    ...(items !== undefined && { items: Number(items) }),
  };
}

/** A web-filtering category, in one shape for both that appliances send (appliance-api.md §2.5). */
export interface Category extends Unread {
  readonly id: number;
  /** The ID if the appliance gives no name. */
  readonly name: string;
  /** Storage table. */
  readonly table?: string;
  /** Number of sites. */
  readonly items?: number;
  readonly description?: string;
  /** The response-policy-zone settings; shape A only. `action` is an undocumented code. */
  readonly rpz?: { readonly enabled: boolean; readonly action: number; readonly redirect: string };
}

export interface Categorization {
  /** Empty if the domain is not categorized. */
  readonly categories: Category[];
  /** The appliance's words about the search, such as a count: one clean line, '' if empty. Still hostile text. */
  readonly info: string;
}

/** Sites that were sent. */
export interface AddedSites extends Accepted {
  /**
   * The number of added sites, as one unambiguous number or in words; absent without either. The number in
   * words counts accepted lines, including sites that were there already.
   */
  readonly count?: number;
  /** The number of sites in the category now, if reported. */
  readonly items?: number;
}

/** A domain name or an IP address (§2.5). */
const site = z
  .string()
  .trim()
  .regex(/^[^\s,]+$/, 'is not a single site: it is empty or contains a space or comma');

/**
 * A site in a path beside words of other orders: `/categories/252/compile` compiles the category and adds no
 * site.
 */
const siteInPath = site.refine((text) => !/^(add|compile)$/i.test(text), 'is a reserved word, not a site');

const sites = (separator: string) =>
  z
    .array(site)
    .min(1)
    .transform((all) => all.join(separator));

/** Shape A: an array of entries. */
const entriesOfA: Shape<Category[]> = list(
  mapped(
    component(
      'Category',
      'A web-filtering category, in the shape A of the two that appliances answer with (§2.5).',
      record({
        id: required('category_id', integer, 'The ID of the category.'),
        name: optional('category_name', text, 'Its name.'),
        table: optional('table_name', text, 'The table that its sites are stored in; may be empty.'),
        enabled: optional('rpz_enabled', flag, 'Whether its response policy zone is enabled.'),
        action: optional(
          'rpz_action',
          integer,
          'A code that the document of the appliance does not explain.',
        ),
        redirect: optional('rpz_redirect', text, 'Where its sites are redirected to; may be empty.'),
      }),
    ),
    ({ enabled, action = 0, redirect = '', name, ...others }): Category => {
      const entry = { ...others, name: name ?? String(others.id) };
      return enabled === undefined ? entry : { ...entry, rpz: { enabled, action, redirect } };
    },
  ),
);

/** Shape B: an object whose keys are the identifiers. */
const entriesOfB: Shape<Category[]> = keyed(
  integer,
  component(
    'CategoryOfId',
    'A web-filtering category, in the shape B of the two that appliances answer with: it stands under its ID (§2.5).',
    record({
      name: optional('name', text, 'Its name.'),
      table: optional('table', text, 'The table that its sites are stored in.'),
      items: optional('items', amount('things'), 'How many sites it has.'),
      description: optional('description', text, 'What it is for.'),
    }),
  ),
  (id, entry): Category => ({ id, ...entry, name: entry.name ?? String(id) }),
);

/** The shapes differ also in the casing of the keys around them (§2.5). */
const wireOfA = under('Categories', entriesOfA, 'The categories (shape A).').wire;
const wireOfB = under('categories', entriesOfB, 'The categories by their IDs (shape B).').wire;

/** Selected by the content rather than by trying both, so that an error names the bad entry. */
const entries: Shape<Category[]> = eachOnce({
  read: (value) => (isOfA(value) ? entriesOfA : entriesOfB).read(value),
  wire: { anyOf: [entriesOfA.wire, entriesOfB.wire] },
});

/** Some appliances send the entries of shape A in an object by ID. */
function isOfA(value: unknown): boolean {
  if (!isRecord(value)) return Array.isArray(value);
  const [first] = Object.values(value);
  return field(first, 'category_id') !== undefined;
}

const underCategories = under('Categories', entries);

const categoryList: ReplyReader<Category[]> = component('CategoryList', 'All categories.', {
  read(answer) {
    // Some appliances send the object of shape B alone.
    const { body } = answer;
    const isAlone = isRecord(body) && Object.keys(body).length > 0 && Object.keys(body).every(isIdentifier);
    return isAlone ? entries.read(body) : underCategories.read(answer);
  },
  wire: { anyOf: [wireOfA, wireOfB, entriesOfB.wire] },
});

const isIdentifier = (key: string): boolean => /^\d+$/.test(key);

/**
 * A domain in no category answers Status false (§7.3), and so does a failed search (§7.2). Calling a failure
 * "not categorized" would mislead people. Only an answer that shows that nothing was found counts:
 *
 * - `Error` states why something could not be processed (§7.2). Any text there is a refusal. If an appliance
 * fills `Error` for a plain "nothing found", it is quoted, which is clumsy but true. - `Info` states the count
 * of categories found (§4.3), and on some appliances also refusals. Without Status true, a text there is a
 * refusal unless it says that there is none. - Status false with categories contradicts itself and is
 * unreadable.
 */
const categorization: ReplyReader<Categorization> = component(
  'Categorization',
  'The categories of a domain. For a domain in no category, Status is false (§7.3) and Info counts none.',
  {
    read(answer, asked) {
      const { status, info, error } = answer;
      if (status === false && error !== '') throw new Refusal();
      const isMissing = status === false && field(answer.body, 'categories') === undefined;
      const found = isMissing ? [] : categoryList.read(answer);
      if (status === false && found.length > 0)
        throw new Misfit('Status', 'is false although categories are listed');
      const words = excerptOf(info);
      const isTold = words === '' || saysNone(words, String(asked?.domain));
      if (status !== true && found.length === 0 && !isTold) throw new Refusal();
      // An empty list without more may come from a service that has not loaded its data.
      const isNone = status === false || saysNone(words, String(asked?.domain));
      const extent = readExtent('categories.query', answer.body, found.length);
      withExtent(found, { ...extent, ...(found.length === 0 && isNone && { total: 0 }) });
      return { categories: found, info: words };
    },
    wire: wireOfA,
  },
);

/**
 * The number of added items has no documented name (§4.3). It is the only possible number in the answer, or the
 * one in its words, or unknown.
 */
const addedSites: ReplyReader<AddedSites> = component(
  'AddedSites',
  'The outcome of adding sites. The number added is in a field whose name is not documented, or in Info.',
  {
    read(answer, asked) {
      const sent = typeof asked?.sites === 'string' ? asked.sites.split('\n').length : undefined;
      const order = accepted.read(answer);
      const count = onlyNumberIn(answer, sent);
      return { ...order, ...addedIn(order.info), ...(count !== undefined && { count }) };
    },
    wire: withEnvelope({}),
  },
);

/** No more than the sent sites can have been added, and these names have another meaning. */
function onlyNumberIn({ body }: Envelope, most = Number.MAX_SAFE_INTEGER): number | undefined {
  if (!isRecord(body)) return undefined;
  const other = /^(?:status|info|error|version|id|gpid|code|elapsed|took|ms|date)$|time|category/i;
  const numbers = Object.entries(body).flatMap(([key, value]) =>
    !other.test(key.trim()) && /^\d+$/.test(String(value)) && Number(value) <= most ? [Number(value)] : [],
  );
  return numbers.length === 1 ? numbers[0] : undefined;
}

const endpoint = area({ section: '§4.3', availableFrom: '4.50 SP5, or 4.50 SP4 hotfix 20250605-13' });
/**
 * Operations that the row of §9 does not list, mostly of the autonomous service (§9 rule 1), so no release is
 * named.
 */
const always = area({ section: '§4.3' });

const categoryId = recordId.describe('The ID of the category, as `categories.list` gives it.');
const aSite = 'a domain name or an IP address';

/** Categories and filtering rules. Additions become active only after a compile (§3). */
export const categories = {
  query: endpoint('GET /categories/query/{domain}', {
    summary: 'The categories of a domain. A domain in no category is an answer, not an error.',
    effect: 'read',
    slots: { domain: site.describe('The domain to look up, such as example.com.') },
    falseIsAnswer: true,
    reply: categorization,
  }),

  list: endpoint('GET /categories/list', {
    summary: 'All categories, in either of the two shapes that appliances return.',
    effect: 'read',
    reply: categoryList,
    large: true,
  }),

  create: endpoint('PUT /categories/create', {
    summary: 'Creates a personal category.',
    effect: 'write',
    body: form('NewCategory', 'A personal category to create.', {
      name: z.string().min(1).describe('The name of the category.'),
      description: z.string().describe('What it is for.'),
    }),
  }),

  addSite: always('GET /categories/{id}/{site}', {
    summary: 'Adds one site to a category.',
    effect: 'write',
    slots: { id: categoryId, site: siteInPath.describe(`The site to add: ${aSite}.`) },
  }),

  addSitesAndApply: endpoint('PUT /categories/quick/{id}', {
    summary: 'Adds sites to a category, compiles and applies, all at once.',
    effect: 'write',
    slots: { id: categoryId },
    body: form(
      'SitesToApply',
      'Sites to add to a category that is then compiled and applied.',
      { sites: sites(',').describe(`The sites to add: each ${aSite}.`) },
      { sites: 'items' },
    ),
    slow: true,
  }),

  moveSite: endpoint('GET /categories/move/{id}/{site}/{nextId}', {
    summary: 'Removes a site from one category and forces its addition to another.',
    effect: 'write',
    slots: {
      id: recordId.describe('The ID of the category that the site is in.'),
      site: site.describe(`The site to move: ${aSite}.`),
      nextId: recordId.describe('The ID of the category to move it to.'),
    },
  }),

  deleteSite: endpoint('GET /categories/delete/{id}/{site}', {
    summary: 'Removes a site from a category.',
    effect: 'destructive',
    slots: { id: categoryId, site: site.describe(`The site to remove: ${aSite}.`) },
  }),

  addSites: always('POST /categories/{id}/add', {
    summary: 'Adds sites to a category, without checking whether they are in another category.',
    effect: 'write',
    slots: { id: categoryId },
    body: form('SitesToAdd', 'Sites to add to a category.', {
      sites: sites('\n').describe(`The sites to add: each ${aSite}.`),
    }),
    reply: addedSites,
  }),

  compile: always('GET /categories/{id}/compile', {
    summary: 'Compiles a category and makes it available on the system.',
    effect: 'write',
    slots: { id: categoryId },
    slow: true,
  }),

  backup: always('GET /categories/backup', {
    summary: 'Writes all categories to the folder /home/appliance/backup-categories on the appliance.',
    effect: 'write',
    slow: true,
  }),

  compileRules: endpoint('GET /webfilter/rules/compile', {
    summary: 'Compiles and applies the filtering rules.',
    effect: 'write',
    slow: true,
  }),
};
