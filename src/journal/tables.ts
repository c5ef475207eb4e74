import type { Generated } from 'kysely';
import type { actionFields, originFields } from './actions/action.ts';
import type { ColumnsOf } from './actions/field.ts';
import type { AuditIndexTable, AuditPrunedTable, AuditVerifiedTable } from './audit/tables.ts';

/** Of a table whose rows a replica holds while it is at them (`claims.ts`). */
export interface HeldColumns {
  /** That replica's name; null when nobody needs to be at it. */
  held_by: string | null;
  held_since: number | null;
}

/** Of one whose rows are tried until it works. */
export interface RetriedColumns extends HeldColumns {
  /** How often it did not work. */
  tries: number;
  /** Not to be tried before. */
  next_try_at: number;
}

/** One row an action. Times are milliseconds since the epoch; columns that end in `_json` hold JSON text. */
export interface ActionsTable
  extends HeldColumns,
    ColumnsOf<typeof actionFields>,
    ColumnsOf<typeof originFields> {
  /** Tells the same line of the same person in the same channel, while it is under way or waits for a click. */
  dedupe_key: string | null;
  /** What people call it (`referenceOf`). Actions from before there were such names have none. */
  reference: string | null;
  /** The number of its record (`audit`), once it is over and written there. */
  recorded: number | null;
  /** When it was asked, and when it began to run, as the journal counts: the database gives both (`migrations/0035-order.ts`). */
  asked_seq: Generated<number | null>;
  ran_seq: Generated<number | null>;
}

/** What happened to an action on its way, until it goes into its record. */
export interface EventsTable {
  id: Generated<number>;
  action: string;
  at: number;
  kind: string;
  content_json: string;
}

/** The records of what is over. Each carries the digest of the one before it; no row is ever changed. */
export interface AuditTable {
  /** From 1, without a gap. */
  seq: number;
  action: string;
  /** When the action ended; never before that of the row before it. */
  at: number;
  record_json: string;
  digest: string;
}

/** What the journal calls itself. Another one begins when it is seen to be older than what was said (`generations.ts`). */
export interface GenerationsTable {
  number: number;
  id: string;
  began_at: number;
  /** The last record before it, and its own first one: 0 and 1 of the first generation. */
  follows_seq: number;
  first_seq: number;
  /** What its first record goes on from, as others go on from the digest of the one before; empty of the first generation. */
  start: string;
  /** The newest moment that the journal knew when it began. */
  known_until: number;
  /** The newest moment of what was said and is not known. */
  said_until: number | null;
  /** A record of which the audit channel was told and that is not there. */
  lost_record: string | null;
}

/** Those that work on this journal. */
interface ReplicasTable {
  id: string;
  started_at: number;
  /** Grows while it lives. */
  beats: number;
  /** Grows with every time that it was evicted and has come back. */
  epoch: Generated<number>;
  /** The version of the policy that it decides by. */
  policy: string | null;
  /** 0 or 1: what people type and press reaches it. */
  taking: Generated<number>;
  /** How far its clock is ahead of the database's, in milliseconds. */
  clock_ahead: number | null;
}

/** What was taken from the chat, so that a second delivery of it is known. */
export interface DeliveriesTable extends HeldColumns {
  key: string;
  at: number;
  /** Of a typed line: where, and by whom. */
  channel: string | null;
  person: string | null;
}

/** What is to be said, until it is known to have been. */
export interface OutboxTable extends RetriedColumns {
  id: Generated<number>;
  /** Goes out with the message, and finds it again. */
  key: string;
  action: string | null;
  kind: string;
  /** What belongs together and goes out in order: a thread, a card, a person. */
  ordering_key: string;
  content_json: string;
  created_at: number;
  /** 0 or 1: it may have got out with an earlier try. */
  maybe_delivered: number;
  /** 0 or 1: it goes out behind what people do now. */
  background: number;
}

/** What another system is to be told of changes, until it has taken it (`delivery/webhooks.ts`). */
export interface WebhooksTable extends RetriedColumns {
  id: Generated<number>;
  key: string;
  action: string;
  event: string;
  content_json: string;
  created_at: number;
}

/** Secrets that a later click or form needs, encrypted with a key that is not in the journal. */
interface EncryptedTable {
  id: string;
  content: string;
  until: number;
}

/** Who has approved what: one yes of one human to one question, which is known by the token of its buttons. */
interface ApprovalsTable {
  id: Generated<number>;
  action: string;
  question: string;
  human: string;
  person: string;
  at: number;
}

/** What a later click, form or page needs; held from when it is taken until what came of it is written down. The ids of this table and the next grow, and say what came first. */
export interface TokensTable extends HeldColumns {
  id: Generated<number>;
  token: string;
  kind: 'offer' | 'form' | 'result';
  content_json: string;
  person: string | null;
  channel: string;
  action: string | null;
  until: number;
  taken_by: string | null;
  taken_at: number | null;
  /** The action that came of it. */
  became: string | null;
  /** Of a form: the action that it was opened as, and how often was searched in it since that was told there. */
  opened: string | null;
  searches: number;
}

/** Pending applies: what has to be compiled on which appliance; held while it is. */
export interface PendingAppliesTable extends RetriedColumns {
  id: Generated<number>;
  appliance: string;
  what: string;
  action: string;
  since: number;
  last_problem: string | null;
}

/** What an action has switched on for a time, and the bot must end (`timed-changes.ts`). */
export interface TimedChangesTable extends RetriedColumns {
  id: Generated<number>;
  state: 'on' | 'ending' | 'over';
  action: string;
  appliance: string;
  /** Of which an appliance has one at a time: the phrase that ends it, or the action itself where its undo does. */
  subject: string;
  /** The line that takes it back, once that is known, and the fingerprint of what it left. */
  undo_line: string | null;
  left_json: string | null;
  channel: string;
  person: string;
  reason: string;
  started_at: number;
  ends_at: number;
  /** When that end was set. */
  set_at: number;
  /** The end of which everybody has been reminded. */
  reminded: number | null;
  /** The message in which they were. */
  reminder: string | null;
  extensions_json: string;
  /** 0 or 1, as `reported`. */
  seen: number;
  orders: number;
  /** When it was ordered last, while nobody knows what came of that. */
  ordered_at: number | null;
  last_problem: string | null;
  ended_json: string | null;
  /** The action that did it, where that was none of the bot's own. */
  ended_by: string | null;
  report: string | null;
  reported: number;
}

/** What people have put on watch, and on a schedule (`watches.ts`). */
export interface WatchesTable extends RetriedColumns {
  id: Generated<number>;
  kind: 'watch' | 'schedule';
  team: string;
  channel: string;
  person: string;
  subject: string;
  appliances: string;
  terms_json: string;
  state_json: string;
  created_at: number;
}

/** Steps of workflows that wait for the outcome of what they asked for (`steps/steps.ts`). */
export interface WorkflowStepsTable extends RetriedColumns {
  execution: string;
  action: string | null;
  created_at: number;
}

/** When the policy was read again and was another one, or could not be taken; when replicas had different ones. */
export interface ReloadsTable {
  id: Generated<number>;
  at: number;
  outcome: 'taken' | 'refused' | 'differing' | 'agreed';
  told_json: string;
  /** The replica that found it first. */
  replica: string;
}

export interface Tables {
  actions: ActionsTable;
  tokens: TokensTable;
  pending_applies: PendingAppliesTable;
  approvals: ApprovalsTable;
  timed_changes: TimedChangesTable;
  watches: WatchesTable;
  workflow_steps: WorkflowStepsTable;
  reloads: ReloadsTable;
  /** What people were told last of something (`delivery/told.ts`). */
  told: { subject: string; words: string; at: number };
  events: EventsTable;
  audit: AuditTable;
  audit_index: AuditIndexTable;
  audit_pruned: AuditPrunedTable;
  audit_verified: AuditVerifiedTable;
  generations: GenerationsTable;
  replicas: ReplicasTable;
  deliveries: DeliveriesTable;
  outbox: OutboxTable;
  webhooks: WebhooksTable;
  encrypted: EncryptedTable;
}
