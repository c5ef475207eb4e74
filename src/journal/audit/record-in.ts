import { z } from 'zod';
import { transitions } from '../../actions/states.ts';
import { parsed } from '../../json.ts';
import type { AuditRecord } from '../record.ts';
import type { Break } from './chain.ts';

const entries = z.array(z.looseObject({})).optional();

/** As much of a record as is looked into. */
const shape = z.looseObject({
  person: z.string(),
  channel: z.string(),
  command: z.string().nullable(),
  effect: z.string().nullable(),
  appliances: z.array(z.string()),
  state: z.enum(Object.keys(transitions)),
  decision: z.looseObject({ allowed: z.boolean().nullable() }),
  ...{ approvals: entries, refusedClicks: entries, requests: entries },
  ...{ revealed: entries, searches: entries, unreadable: entries },
});

/** Undefined for what is no record: somebody has put it there, with a digest of its own. */
export function recordIn(json: string): AuditRecord | undefined {
  const record = parsed(json);
  // What has this shape is compared with an action, field by field.
  return shape.safeParse(record).success ? (record as unknown as AuditRecord) : undefined;
}

export const unreadable = ({ seq, action }: { readonly seq: number; readonly action: string }): Break => ({
  seq,
  says: `Record ${seq} (action ${action}) cannot be read.`,
});
