import { isStoredJson } from '../../../stored-text.ts';
import type { Database } from '../../database.ts';
import { recordIn } from '../record-in.ts';
import { bitsOf, blockOf, blockSize, emptyBits, isSet, setBit } from '../search-index.ts';
import { termsOf } from '../search-terms.ts';
import { type Break, unreadable } from './chain.ts';
import { atOneMoment } from './moment.ts';

/**
 * Makes the terms anew by which records are found, and compares them with those that are kept: of an action, the newest is found.
 *
 * Earlier versions wrote records with texts that a database cannot hold (`stored-text.ts`). They looked for such a term by what it was
 * before it was stored, found nothing, and let each record that came take the place of those before it. Such a record shows by its text, which its
 * digest covers, that it is one of theirs: it is `unindexed`, and nobody has changed anything.
 */
export async function verifyTerms(database: Database, unindexed: number[]): Promise<Break | undefined> {
  const [first, last] = [await end(database, 'asc'), await end(database, 'desc')];
  if (first === undefined || last === undefined) return undefined;
  for (let block = blockOf(first.seq); block <= blockOf(last.seq); block += 1) {
    const broken = await verifyBlock(database, block, unindexed);
    if (broken !== undefined) return broken;
  }
  return undefined;
}

/** SQLite would go through all of them to find both at once. */
const end = (database: Database, order: 'asc' | 'desc') =>
  database.selectFrom('audit').select('seq').orderBy('seq', order).limit(1).executeTakeFirst();

async function verifyBlock(
  database: Database,
  block: number,
  unindexed: number[],
): Promise<Break | undefined> {
  const from = block * blockSize;
  const { rows, kept } = await atOneMoment(database, async (moment) => ({
    rows: await moment
      .selectFrom('audit')
      .select(['seq', 'action', 'record_json'])
      .select(({ exists, selectFrom }) =>
        exists(
          selectFrom('audit as later')
            .select('later.seq')
            .whereRef('later.action', '=', 'audit.action')
            .whereRef('later.seq', '>', 'audit.seq'),
        ).as('isOutdated'),
      )
      .where('seq', '>=', from)
      .where('seq', '<', from + blockSize)
      .orderBy('seq')
      .execute(),
    kept: await moment
      .selectFrom('audit_index')
      .select(['term', 'bits'])
      .where('block', '=', block)
      .execute(),
  }));
  const wanted = new Map<string, Buffer>();
  const lost = new Set<string>();
  for (const { seq, action, record_json, isOutdated } of rows) {
    if (isOutdated) continue;
    const terms = termsIn(record_json);
    if (terms === undefined) return unreadable({ seq, action });
    for (const term of terms) {
      const bits = wanted.get(term) ?? emptyBits();
      setBit(bits, seq, true);
      wanted.set(term, bits);
      if (term.includes('\ufffd') && !isStoredJson(record_json)) lost.add(term);
    }
  }
  const found = new Map(kept.map(({ term, bits }) => [term, bitsOf(bits)]));
  const unlike = [...new Set([...wanted.keys(), ...found.keys()])].filter(
    (term) => !(wanted.get(term) ?? emptyBits()).equals(found.get(term) ?? emptyBits()),
  );
  // Those that were pruned may still have theirs: nobody is shown what is not there.
  for (const { seq, action } of unlike.length === 0 ? [] : rows) {
    for (const term of unlike) {
      const is = isSet(found.get(term), seq);
      if (is === isSet(wanted.get(term), seq)) continue;
      if (!is && lost.has(term)) {
        if (unindexed.at(-1) !== seq) unindexed.push(seq);
        continue;
      }
      const how = is
        ? `is indexed under ${term} but should not be`
        : `is not indexed under ${term} but should be`;
      return { seq, says: `Record ${seq} (action ${action}) ${how}: the search index was changed.` };
    }
  }
  return undefined;
}

/** Undefined where it cannot be read. */
function termsIn(json: string): readonly string[] | undefined {
  const record = recordIn(json);
  return record && termsOf(record);
}
