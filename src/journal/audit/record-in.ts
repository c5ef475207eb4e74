import { z } from 'zod';
import { transitions } from '../actions/states.ts';
import { parsed } from '../json.ts';
import type { AuditRecord } from './record.ts';

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
  ...{ revealed: entries, searches: entries, answers: entries, waited: entries, unreadable: entries },
});

const records = z.custom<AuditRecord>((record) => shape.safeParse(record).success);

/** Undefined for what is no record: somebody has put it there. */
export const recordIn = (json: string): AuditRecord | undefined => records.safeParse(parsed(json)).data;
