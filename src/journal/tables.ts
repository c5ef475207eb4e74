import type { Generated } from 'kysely';
import type { State } from './actions/states.ts';

/** One row an action. Times are milliseconds since the epoch; columns that end in `_json` hold JSON text. */
export interface ActionsTable {
  id: string;
  state: State;
  /** What a button carries. New with every preview, so a click on an older preview finds nothing. */
  token: string | null;
  created_at: number;
  changed_at: number;
  expires_at: number | null;
  team: string;
  channel: string;
  person: string;
  line: string;
  /** The phrase of the matched command, or null when the line matched none. */
  phrase: string | null;
  /** What that command may do to an appliance, kept here because a command can be renamed while an action is under way. */
  effect: string | null;
  appliance: string | null;
  args_json: string;
  preview_json: string | null;
  /** Where its card stands: the message's timestamp in `channel`. */
  card: string | null;
  outcome_json: string | null;
  /** Who clicked last. */
  decided_by: string | null;
  /** Whose yes it waits for, where the asker's own is not enough. */
  consent_json: string | null;
  /** The replica that wrote it down, or has taken it over since. */
  replica: string;
  /** That replica's, while it is at it; null when nobody needs to be: it waits for people, or is over. */
  held_by: string | null;
  /** Tells the same line of the same person in the same channel, while it is under way. */
  dedupe_key: string | null;
  /** Which version of the policy counted, and the roles that allowed it. */
  policy: string | null;
  allowed_by: string | null;
  /** Of the typed line that it came of. */
  delivery: string | null;
  /** What somebody did where no line was typed (`interaction.ts`). */
  interaction_json: string | null;
  /** The number of its record (`audit`), once it is over and written there. */
  recorded: number | null;
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

/** By what records are found: `by:U1`, `on:hq`. Of several records of one action only the newest is. */
interface AuditIndexTable {
  term: string;
  /** Which two thousand records (`search-index.ts`). */
  block: number;
  /** A bit for each of them, in base64. */
  bits: string;
}

/** Up to where the records were pruned, and the digest of the last of them. */
interface AuditPrunedTable {
  upto: number;
  digest: string;
  at: number;
}

/** Those that work on this journal. */
interface ReplicasTable {
  id: string;
  started_at: number;
  /** Grows while it lives. */
  beats: number;
}

/** What was taken from the chat, so that a second delivery of it is known. */
interface DeliveriesTable {
  key: string;
  at: number;
  /** Of a typed line: where, and by whom. */
  channel: string | null;
  person: string | null;
  /** The replica that is at it. */
  held_by: string | null;
}

/** What is to be said, until it is known to have been. */
export interface OutboxTable {
  id: Generated<number>;
  /** Goes out with the message, and finds it again. */
  key: string;
  action: string | null;
  kind: string;
  /** What belongs together and goes out in order: a thread, a card, a person. */
  ordering_key: string;
  content_json: string;
  created_at: number;
  tries: number;
  /** 0 or 1: it may have got out with an earlier try. */
  maybe_delivered: number;
  next_at: number;
  /** The replica that is at it. */
  held_by: string | null;
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

/** What a later click, form or page needs. The ids of this table and the next grow, and say what came first. */
export interface TokensTable {
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
  /** The replica that took it, until what came of it is written down. */
  held_by: string | null;
  /** The action that came of it. */
  became: string | null;
  /** Of a form: the action that it was opened as, and how often was searched in it since that was told there. */
  opened: string | null;
  searches: number;
}

/** Pending applies: what has to be compiled on which appliance. */
export interface PendingAppliesTable {
  id: Generated<number>;
  state: 'owed' | 'applying';
  appliance: string;
  what: string;
  action: string;
  since: number;
  attempts: number;
  last_problem: string | null;
  /** The replica that applies it. */
  claimed_by: string | null;
  /** Not to be tried again before. */
  next_at: number;
}

/** What an action has switched on for a time, and the bot must end (`timed-changes.ts`). */
export interface TimedChangesTable {
  id: Generated<number>;
  state: 'on' | 'ending' | 'over';
  action: string;
  appliance: string;
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
  /** 0 or 1. */
  seen: number;
  orders: number;
  failures: number;
  last_problem: string | null;
  next_at: number;
  claimed_until: number;
  claimed_by: string | null;
  ended_json: string | null;
  report: string | null;
  /** 0 or 1. */
  reported: number;
}

/** When the policy was read again and was another one, or could not be taken. */
export interface ReloadsTable {
  id: Generated<number>;
  at: number;
  outcome: 'taken' | 'refused';
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
  reloads: ReloadsTable;
  events: EventsTable;
  audit: AuditTable;
  audit_index: AuditIndexTable;
  audit_pruned: AuditPrunedTable;
  replicas: ReplicasTable;
  deliveries: DeliveriesTable;
  outbox: OutboxTable;
  encrypted: EncryptedTable;
}
