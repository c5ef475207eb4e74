import { z } from 'zod';
import { codec } from '../codec.ts';

/**
 * What somebody did where no line was typed and nothing else is written down: with an answer, a button, a form. What the bot itself
 * did at the end of something temporary is written down like that, too.
 */
export type Interaction =
  /** Rows were taken away as a file. `filter`: the words that they were filtered by. */
  | {
      readonly kind: 'export';
      readonly format: 'csv' | 'json' | 'jsonl';
      readonly rows: number;
      readonly filter: string | null;
      readonly of: string | null;
    }
  /** A button was pressed that did nothing for whoever pressed it; the outcome says why. */
  | { readonly kind: 'refused_click'; readonly button: string; readonly of: string | null }
  /** A form was opened: for the arguments of a command, to filter an answer, or to say why a request is denied. */
  | { readonly kind: 'form'; readonly form: 'command' | 'filter' | 'reason'; readonly of: string | null }
  /** What was on for a time has ended, or was tried to be ended in vain; the outcome says why. */
  | { readonly kind: 'timed_end'; readonly of: string };

// `of`: the ID of the action whose answer, offer or card it was, where that is known.

export const interactions = codec<Interaction>(
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('export'),
      format: z.enum(['csv', 'json', 'jsonl']),
      rows: z.number(),
      filter: z.string().nullable(),
      of: z.string().nullable(),
    }),
    z.object({ kind: z.literal('refused_click'), button: z.string(), of: z.string().nullable() }),
    z.object({
      kind: z.literal('form'),
      form: z.enum(['command', 'filter', 'reason']),
      of: z.string().nullable(),
    }),
    z.object({ kind: z.literal('timed_end'), of: z.string() }),
  ]),
);
