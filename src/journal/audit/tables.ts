/** What belongs to the records: by what they are found, what became of them, and how far they were verified. */

/** By what records are found: `by:U1`, `on:hq`. Of several records of one action only the newest is. */
export interface AuditIndexTable {
  term: string;
  /** Which two thousand records (`search-index.ts`). */
  block: number;
  /** A bit for each of them, in base64. */
  bits: string;
}

/** Up to where the records were pruned, and the digest of the last of them. */
export interface AuditPrunedTable {
  upto: number;
  digest: string;
  at: number;
}

/** How far the bot has verified its own records (`audit/verify/ongoing.ts`). */
export interface AuditVerifiedTable {
  /** The newest records, as they come, or all of them from the beginning. */
  part: 'newest' | 'all';
  /** Up to this record, and its digest; 0 and empty before the first one. */
  seq: number;
  digest: string;
  /** Not to be gone on with before. */
  due_at: number;
  /** What is not as it was written, in a sentence. */
  broken: string | null;
}
