import { z } from 'zod';
import { endpoint, Misfit, Refusal } from '../endpoint.ts';
import { type Envelope, field } from '../envelope.ts';
import { excerptOf } from '../excerpt.ts';

/** A web-filtering category, one shape out of the two that appliances answer with (appliance-api.md §2.5). */
export interface Category {
  readonly id: number;
  readonly name: string;
  /** Storage table. */
  readonly table?: string;
  /** Number of sites. */
  readonly items?: number;
  readonly description?: string;
  /** The response-policy-zone settings; shape A only. `action` is an action code the document does not explain. */
  readonly rpz?: { readonly enabled: boolean; readonly action: number; readonly redirect: string };
}

export interface Categorization {
  /** None when the domain is not categorized. */
  readonly categories: Category[];
  /** What the appliance says about the search, such as a count: one clean line, '' when nothing. Still hostile text. */
  readonly info: string;
}

const availableFrom = '4.50 SP5, or 4.50 SP4 hotfix 20250605-13';

export const categories = {
  /** Which categories a domain is in. */
  query: endpoint({
    method: 'GET',
    path: '/categories/query/{domain}',
    effect: 'read',
    falseIsAnswer: true,
    reply: readCategorization,
    section: '§4.3',
    availableFrom,
  }),

  /** All categories. */
  list: endpoint({
    method: 'GET',
    path: '/categories/list',
    effect: 'read',
    reply: readCategories,
    section: '§4.3',
    availableFrom,
  }),
};

/** Some numbers come as text. */
const wholeNumber = z.preprocess(
  (value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value),
  z.int(),
);
/** Absent, null and empty mean the same. */
const optionalText = z
  .string()
  .nullish()
  .transform((text) => text || undefined);

/** Shape A: an array of entries. */
const shapeA = z.array(
  z
    .object({
      table_name: optionalText,
      category_name: z.string(),
      category_id: wholeNumber,
      rpz_enabled: wholeNumber.optional(),
      rpz_action: wholeNumber.default(0),
      rpz_redirect: z.string().default(''),
    })
    .transform(
      (entry): Category => ({
        id: entry.category_id,
        name: entry.category_name,
        ...(entry.table_name === undefined ? {} : { table: entry.table_name }),
        ...(entry.rpz_enabled === undefined
          ? {}
          : {
              rpz: {
                enabled: entry.rpz_enabled !== 0,
                action: entry.rpz_action,
                redirect: entry.rpz_redirect,
              },
            }),
      }),
    ),
);

/** Shape B: an object whose keys are the identifiers. */
const shapeB = z
  .record(
    z.string().regex(/^\d+$/),
    z.object({
      table: optionalText,
      items: wholeNumber.optional(),
      name: z.string(),
      description: optionalText,
    }),
  )
  .transform((entries) =>
    Object.entries(entries).map(
      ([id, { table, items, name, description }]): Category => ({
        id: Number(id),
        name,
        ...(table === undefined ? {} : { table }),
        ...(items === undefined ? {} : { items }),
        ...(description === undefined ? {} : { description }),
      }),
    ),
  );

/** Under the key that an error names the place by. */
const listedAsArray = z.object({ Categories: shapeA });
const listedById = z.object({ Categories: shapeB });

function readCategories(answer: Envelope): Category[] {
  const value = field(answer.body, 'categories');
  // An empty list is written as null by some servers.
  if (value === null) return [];
  // Chosen here and not by a union, so that an error names the entry that does not fit.
  return (Array.isArray(value) ? listedAsArray : listedById).parse({ Categories: value }).Categories;
}

/**
 * A domain in no category answers Status false (§7.3), but so does a search that failed (§7.2), and to call a failure
 * "not categorized" would be a lie that people act upon. What tells them apart:
 *
 * - `Error` states the reason why something could not be processed (§7.2). With a text there, it is a refusal,
 *   whatever the text says: an appliance that fills `Error` for a plain "nothing found" is then quoted, which is clumsy
 *   but true.
 * - `Info` states the count of categories found (§4.3), so a text there is part of an ordinary answer. Its wording is
 *   not documented and nothing is decided by it; it is handed on to be shown.
 * - Status false with categories beside it contradicts itself and is not understood.
 */
function readCategorization(answer: Envelope): Categorization {
  const given = field(answer.body, 'categories');
  if (answer.status === false && answer.error !== '') throw new Refusal();
  const found = answer.status === false && given === undefined ? [] : readCategories(answer);
  if (answer.status === false && found.length > 0) throw new Misfit('Status', 'is false beside categories');
  return { categories: found, info: excerptOf(answer.info) };
}
