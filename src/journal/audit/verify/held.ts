import type { Database } from '../../database.ts';
import type { Generation } from '../chain-start.ts';
import { prunedUpTo } from '../hash-chain.ts';
import type { Break, Chain } from './chain.ts';

/** What somebody wrote down of a record, where whoever can write to the database cannot change it. */
export interface Held {
  readonly seq: number;
  /** The first digits of its digest. */
  readonly digest: string;
  /** When its action ended, as the record says: milliseconds since the epoch. */
  readonly at: number | undefined;
}

/** What the records are held against. */
export interface Against {
  readonly held: readonly Held[];
  /** How long the policy keeps records, in milliseconds; for ever when undefined. Asked only where it matters. */
  readonly keep: () => number | undefined;
  readonly now: number;
}

/** Below so many digits, a forged record that begins with them is found by trying. */
export const fewestDigits = 12;

const day = 24 * 60 * 60_000;

/**
 * Every record that is held must be there with its digest, or have been old enough to be pruned: by the time that is held
 * with it, or because a later one was. Names the first that is neither.
 */
export async function holdAgainst(
  database: Database,
  { head, restores }: Pick<Chain, 'head' | 'restores'>,
  { held, keep, now }: Against,
): Promise<Break | undefined> {
  if (held.length === 0) return undefined;
  const pruned = (await prunedUpTo(database))?.seq ?? 0;
  const first = await oldest(database);
  for (const one of held) {
    const broken = one.seq > pruned ? await inChain(one) : ((await atTheCut(one)) ?? oldEnough(one));
    if (broken !== undefined) return { seq: one.seq, says: broken };
  }
  return undefined;

  async function inChain({ seq, digest }: Held): Promise<string | undefined> {
    const row = await database.selectFrom('audit').select('digest').where('seq', '=', seq).executeTakeFirst();
    if (row === undefined) {
      const restore = restores.find((one) => one.follows < seq && seq < one.first);
      if (restore !== undefined) return lostBy(restore, seq);
      const newest = head === undefined ? 'there are no records' : `the newest is record ${head.seq}`;
      return `Record ${seq} is missing: ${newest}. The end of the chain was removed.`;
    }
    return row.digest.startsWith(digest)
      ? undefined
      : `Record ${seq} has the digest ${row.digest}, but ${digest} was expected.`;
  }

  /** Of the last one that each prune took away, the digest is kept. */
  async function atTheCut({ seq, digest }: Held): Promise<string | undefined> {
    const cut = await database
      .selectFrom('audit_pruned')
      .select('digest')
      .where('upto', '=', seq)
      .executeTakeFirst();
    return cut === undefined || cut.digest.startsWith(digest)
      ? undefined
      : `Record ${seq}, the last pruned record, had the digest ${cut.digest}, but ${digest} was expected.`;
  }

  function oldEnough({ seq, digest, at }: Held): string | undefined {
    const kept = keep();
    if (kept === undefined) return `Record ${seq} was pruned, but the policy keeps records forever.`;
    // None is older than the one before it.
    const later = held.flatMap((other) => (other.seq > seq && other.at !== undefined ? [other.at] : []));
    const latest = Math.min(at ?? Infinity, first?.at ?? Infinity, ...later);
    if (latest < now - kept) return undefined;
    return at === undefined
      ? `Record ${seq} was pruned, and nothing shows that it was old enough. Add the time that was noted with it, as in --holds ${seq}:${digest}@2027-01-31T08:15:00Z.`
      : `Record ${seq} was pruned, although it is dated ${inUtc(at)} and the policy keeps records for ${Math.floor(kept / day)} days.`;
  }
}

const oldest = (database: Database) =>
  database.selectFrom('audit').select('at').orderBy('seq').limit(1).executeTakeFirst();

/** That it is not there is true, and whoever holds it is to look who has restored what. */
const lostBy = ({ beganAt, follows, first }: Generation, seq: number): string =>
  `Record ${seq} is missing: at ${inUtc(beganAt)}, the bot found that the journal was restored from a backup that ends with record ${follows}. New records start with number ${first}: use --holds with one of those.`;

/** For whoever reads it in a terminal. */
const inUtc = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
