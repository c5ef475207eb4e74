import { z } from 'zod';
import { asFound, codec } from '../codec.ts';

/** That an action waited for people, until somebody agreed, or it was over otherwise. */
export interface Waited {
  /** `confirmation`: of whoever asked; `approval`: of others. */
  readonly for: 'confirmation' | 'approval';
  /** ISO 8601 in UTC. */
  readonly from: string;
}

export const waited = codec<Waited>(
  asFound(z.object({ for: z.enum(['confirmation', 'approval']), from: z.iso.datetime() })),
);
