import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { isPostgres } from '../src/journal/migrations/columns.ts';
import { formerNames } from '../src/journal/migrations/former-names.ts';
import { migrations } from '../src/journal/migrations/index.ts';

/** A journal as commits of the main branch made it while migrations were named after days. */
export interface FormerJournal {
  /** The first of those commits; several versions were started on it one after the other. */
  readonly madeBy: string;
  /** Which of today's migrations were made in it, by their numbers. */
  readonly made: readonly number[];
  /** Migrations that were edited after their release. */
  readonly edited: readonly ('leases' | 'audit')[];
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

/** Every kind that there was. */
export const formerJournals: readonly FormerJournal[] = [
  { madeBy: 'e7b597c', made: upTo(1), edited: [] },
  { madeBy: 'f2d5fb9', made: upTo(3), edited: [] },
  { madeBy: 'c64f1a6', made: upTo(6), edited: ['leases'] },
  { madeBy: 'd116556', made: upTo(6), edited: [] },
  { madeBy: '6408440', made: upTo(9), edited: ['audit'] },
  { madeBy: 'c64f1a6, 6408440', made: upTo(9), edited: ['leases', 'audit'] },
  { madeBy: '73bf2fc', made: upTo(9), edited: [] },
  { madeBy: '969986e', made: upTo(10), edited: ['audit'] },
  { madeBy: '377393b', made: [...upTo(9), 11], edited: ['audit'] },
  { madeBy: '01c6cd6', made: upTo(10), edited: [] },
  { madeBy: '4a71154', made: upTo(11), edited: [] },
  { madeBy: '897231d', made: upTo(12), edited: [] },
  { madeBy: '969986e, 3d52012', made: upTo(13), edited: ['audit'] },
  { madeBy: 'c64f1a6, 3d52012', made: upTo(13), edited: ['leases'] },
  { madeBy: '3d52012', made: upTo(13), edited: [] },
];

/** @throws where there was none of that name */
export function formerJournal(madeBy: string): FormerJournal {
  const found = formerJournals.find((journal) => journal.madeBy === madeBy);
  if (found === undefined) throw new Error(`No former journal is known that ${madeBy} made.`);
  return found;
}

/** Makes one in an empty database, as the bot did then: by Kysely's migrator and under the former names. */
export async function makeFormer<Tables>(
  database: Kysely<Tables>,
  { made, edited }: FormerJournal,
): Promise<void> {
  const asThen = [...formerNames].flatMap(([former, name], index): readonly [string, Migration][] => {
    const migration = migrations.get(name);
    return migration !== undefined && made.includes(index + 1) ? [[former, migration]] : [];
  });
  const provider = { getMigrations: async () => Object.fromEntries(asThen) };
  const { error } = await new Migrator({ db: database, provider }).migrateToLatest();
  if (error !== undefined) throw error;
  for (const one of edited) await asBeforeTheEdit[one](database);
}

const asBeforeTheEdit = {
  leases: async <Tables>(database: Kysely<Tables>) => {
    await sql`alter table leases drop column reminder`.execute(database);
  },
  audit: async <Tables>(database: Kysely<Tables>) => {
    const end = isPostgres(database) ? sql`` : sql`without rowid`;
    for (const statement of [
      sql`drop table audit_terms`,
      sql`create table audit_terms (term text not null, seq bigint not null, at bigint not null,
        constraint audit_terms_pk primary key (term, seq)) ${end}`,
      sql`create index audit_terms_by_seq on audit_terms (seq)`,
      sql`drop index audit_by_action`,
      sql`drop index actions_to_record`,
      sql`create index actions_to_record on actions (recorded, state)`,
    ]) {
      await statement.execute(database);
    }
  },
};
