import { z } from 'zod';
import { codec } from '../../codec.ts';
import { abridged } from '../../graphemes.ts';
import type { Json } from '../json.ts';

/** What an appliance said to an order, as its record has it. */
export interface OrderAnswer {
  readonly appliance: string;
  /** What became of the order by it: `accepted`, `launched`, `unconfirmed`, `refused`, `uncertain`. */
  readonly order: string;
  /** Its own words, in lines, without secrets; of more than 4,000 characters their beginning, and how many there were. */
  readonly said: string;
}

/** As much of it as is recorded; how it is noted stands in `action/change/execute.ts`. */
export const notedAnswers = codec(
  z.object({ appliance: z.string(), order: z.string(), replies: z.array(z.string()) }),
);

/** In characters: what an installation says of each of its steps would make a record that nobody can look through. */
const mostSaid = 4_000;

/** Undefined where nothing was said. */
export function orderAnswer(content: Json): OrderAnswer | undefined {
  const known = notedAnswers.read(content);
  if (known === undefined) return undefined;
  const { appliance, order, replies } = known;
  // What was noted right before an order is no answer to it.
  if (order === 'uncertain' && replies.length === 0) return undefined;
  return { appliance, order, said: abridged([...new Set(replies)].join('\n'), mostSaid) };
}
