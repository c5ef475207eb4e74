import { z } from 'zod';
import { codec, optional, type Stored } from '../../codec.ts';
import { partKinds, textShape } from '../../handlers/reply.ts';
import type { Kept } from '../../journal/journal.ts';
import { partShape } from '../base/chat.ts';
import { targetShape } from '../base/stored.ts';
import type { StoredFilter, StoredResult } from './pages.ts';

/**
 * All of a table is looked at, for that costs less than to parse it. What earlier versions kept without its source, or
 * with lines in the place of keys, fits nothing here: by the one nothing can be decided, by the other nothing be found.
 */
const results = codec(
  z.discriminatedUnion('holds', [
    z.object({
      holds: z.literal('message'),
      source: z
        .object({
          phrase: z.string(),
          line: z.string(),
          targets: z.array(targetShape.pick({ appliance: true, args: true })),
        })
        .nullable(),
      headline: textShape,
      before: z.array(partShape),
      table: partKinds.table.shape,
      after: z.array(partShape),
    }),
    z.object({ holds: z.literal('filter'), result: z.string(), filter: z.string() }),
  ]),
);

export const resultToKeep = results.store;

/** Undefined where it can no longer be read. */
export const resultIn = ({ content }: Pick<Kept, 'content'>): StoredResult | StoredFilter | undefined =>
  results.read(content);

/** What is kept of a filter form that lies open. */
export type FilterForm = Stored<typeof filterFormShape>;
const filterFormShape = z.object({
  holds: z.literal('filter form'),
  result: z.string(),
  ts: z.string(),
  whispered: z.boolean(),
  /** The direct message that the answer stands in. */
  direct: optional(z.string()),
});

const filterForms = codec(filterFormShape);

export const filterFormToKeep = filterForms.store;

/** Undefined where it is another form, too (`form-buttons.ts`). */
export const filterFormIn = ({ kind, content }: Pick<Kept, 'kind' | 'content'>): FilterForm | undefined =>
  kind === 'form' ? filterForms.read(content) : undefined;
