import { z } from 'zod';
import { asFound, codec, type Stored } from '../../codec.ts';

/** That an action waited for people, until somebody agreed, or it was over otherwise. */
export type Waited = Stored<typeof waitedShape>;
const waitedShape = z.object({
  /** `confirmation`: of whoever asked; `approval`: of others. */
  for: z.enum(['confirmation', 'approval']),
  /** ISO 8601 in UTC. */
  from: z.iso.datetime(),
});

export const waited = codec(asFound(waitedShape));
