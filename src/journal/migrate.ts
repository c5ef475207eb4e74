import { sql, type Transaction } from 'kysely';
import { DEFAULT_MIGRATION_LOCK_TABLE, MIGRATION_LOCK_ID } from 'kysely/migration';
import type { Database } from './database.ts';
import { columnsOf } from './migrations/columns.ts';
import { formerNames } from './migrations/former-names.ts';
import { migrations, schemaDigest } from './migrations/index.ts';
import { differenceIn, schemaDigestOf, schemaOf } from './schema.ts';
import { openDatabase } from './storage/sqlite-connection.ts';
import type { Tables } from './tables.ts';

/** A journal that this version cannot bring up to date. It was left as it is. */
export class CannotMigrate extends Error {
  override readonly name = 'CannotMigrate';
}

/** By the names of the migrations that were made in a journal. */
export function versionOf(made: Iterable<string>): 'this' | 'earlier' | 'later' {
  const names = new Set(made);
  if (unknownAmong(names).length > 0) return 'later';
  return [...migrations.keys()].every((name) => names.has(name)) ? 'this' : 'earlier';
}

const unknownAmong = (names: Iterable<string>): readonly string[] =>
  [...names].filter((name) => !migrations.has(name) && !formerNames.has(name));

/** What versions before this one take for their turn. */
const lock = { lockTable: DEFAULT_MIGRATION_LOCK_TABLE, lockRowId: MIGRATION_LOCK_ID };

/**
 * Does what `Store.migrate` says, on a connection that it may keep for as long as it takes: all of it or nothing, so that
 * the version before can still open what could not be brought up to date.
 */
export async function migrate(database: Database): Promise<void> {
  await database.connection().execute(async (connection) => {
    const { adapter } = connection.getExecutor();
    await adapter.acquireMigrationLock(connection, lock);
    try {
      await connection.transaction().execute(bringUpToDate);
    } finally {
      await adapter.releaseMigrationLock(connection, lock);
    }
  });
}

async function bringUpToDate(transaction: Transaction<Tables>): Promise<void> {
  const made = await madeIn(transaction);
  const missing = [...migrations].filter(([name]) => !made.has(name));
  for (const [name, migration] of missing) {
    await migration.up(transaction).catch((error: unknown) => {
      throw isThereAlready(error) ? new CannotMigrate(restoredOver(error.message)) : error;
    });
    await sql`insert into kysely_migration (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(
      transaction,
    );
  }
  await compareTables(transaction);
}

/** PostgreSQL's code for a table that is to be made, and is there. */
const isThereAlready = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && error.code === '42P07';

const restoredOver = (says: string): string =>
  `${says}, although no migration has made it: a backup was restored over a newer journal. No changes were made. Restore the backup into an empty database`;

/** The names of the migrations that were made, after those that were written down under their former names have theirs. */
async function madeIn(transaction: Transaction<Tables>): Promise<ReadonlySet<string>> {
  // Where nothing is to be made, a user of the database who may not make tables will do.
  if ((await columnsOf(transaction, 'kysely_migration')).size === 0) {
    // As Kysely's Migrator made it for the versions before, which refuse the journal for what stands there.
    await sql`create table kysely_migration
      (name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(transaction);
  }
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(transaction);
  const names = rows.map(({ name }) => name);
  const [unknown] = unknownAmong(names);
  if (unknown !== undefined) {
    throw new CannotMigrate(
      `it was written by a later version of the bot (unknown migration: ${unknown}). No changes were made. Start the later version, or restore the backup from before the update`,
    );
  }
  for (const name of names) {
    const number = formerNames.get(name);
    if (number === undefined) continue;
    await sql`update kysely_migration set name = ${number} where name = ${name}`.execute(transaction);
  }
  return new Set(names.map((name) => formerNames.get(name) ?? name));
}

/** @throws CannotMigrate where the tables are not those of a new journal: another version of a migration has made them */
async function compareTables(transaction: Transaction<Tables>): Promise<void> {
  const actual = await schemaOf(transaction);
  // Nearly always; to make a new journal for it takes ten times as long.
  if (schemaDigestOf(actual) === schemaDigest) return;
  const model = openDatabase(':memory:', 'crash');
  try {
    for (const { up } of migrations.values()) await up(model);
    const difference = differenceIn(actual, await schemaOf(model));
    if (difference === undefined) return;
    throw new CannotMigrate(
      `${difference}. The journal was created by another version or changed manually. No changes were made. Use the version that created it, or restore a backup`,
    );
  } finally {
    await model.destroy();
  }
}
