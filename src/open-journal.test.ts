import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { newPostgres } from '../test/stores.ts';
import type { Store } from './journal/database.ts';
import { openPostgres } from './journal/storage/postgres.ts';
import { openSqlite } from './journal/storage/sqlite.ts';
import { openJournalOf } from './open-journal.ts';
import { createLog } from './telemetry/log.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'open-journal-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A journal as the next version leaves it. */
async function writtenByLater(store: Store): Promise<void> {
  await store.migrate();
  await sql`insert into kysely_migration values ('9999-later', '')`.execute(store.durable);
  onTestFinished(async () => {
    await sql`delete from kysely_migration where name = '9999-later'`.execute(store.durable);
    await store.close();
  });
}

test.each(['a folder', 'a PostgreSQL'])(
  'a later version’s journal in %s stops the start, and the message says what to do',
  async (where) => {
    const data = newFolder();
    const database = where === 'a folder' ? undefined : await newPostgres();
    await writtenByLater(
      database === undefined ? openSqlite(join(data, 'journal.sqlite')) : openPostgres(database),
    );
    await expect(openJournalOf({ data, database }, Date.now, createLog('silent'))).rejects.toThrow(
      'the journal there cannot be opened: it was written by a later version of the bot (unknown migration: 9999-later). No changes were made. Start the later version, or restore the backup from before the update.',
    );
  },
);
