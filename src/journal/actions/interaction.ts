import { z } from 'zod';
import { codec, type Stored } from '../../codec.ts';

/** The ID of the action whose answer, offer or card it was, where that is known. */
const of = z.string().nullable();

/**
 * What somebody did where no line was typed and nothing else is written down: with an answer, a button, a form. What the bot itself
 * did at the end of something temporary is written down like that, too.
 */
export type Interaction = Stored<typeof interactionShape>;
const interactionShape = z.discriminatedUnion('kind', [
  /** Rows were taken away as a file. `filter`: the words that they were filtered by. */
  z.object({
    kind: z.literal('export'),
    format: z.enum(['csv', 'json', 'jsonl']),
    rows: z.number(),
    filter: z.string().nullable(),
    of,
  }),
  /** A button was pressed that did nothing for whoever pressed it; the outcome says why. */
  z.object({ kind: z.literal('refused_click'), button: z.string(), of }),
  /** A form was opened: for the arguments of a command, to filter an answer, or to say why a request is denied. */
  z.object({ kind: z.literal('form'), form: z.enum(['command', 'filter', 'reason']), of }),
  /** What was on for a time has ended, or was tried to be ended in vain; the outcome says why. */
  z.object({ kind: z.literal('timed_end'), of: z.string() }),
]);

export const interactions = codec(interactionShape);
