import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Environment } from '../../src/config/secret.ts';
import { versionOf } from '../../src/journal/migrate.ts';

/** The reason of a failure, for the user of the tool. */
export class NotDone extends Error {
  override readonly name = 'NotDone';
}

/** The same, where the next start of the bot makes it good. */
export class NotYet extends NotDone {}

/** An embedded journal. */
export interface JournalFile {
  /** The data folder it is in. */
  readonly folder: string;
  readonly file: string;
}

/** @throws NotDone where the environment names none */
export function journalFile({ APPLIANCE_BOT_DATA }: Environment): JournalFile {
  const folder = resolve(APPLIANCE_BOT_DATA || './data');
  const file = join(folder, 'journal.sqlite');
  if (existsSync(file)) return { folder, file };
  throw new NotDone(`There is no journal in ${folder}. Set APPLIANCE_BOT_DATA to its folder.`);
}

/** For looking only, also while a bot writes. */
export const openToRead = (file: string): DatabaseSync =>
  new DatabaseSync(file, { readOnly: true, timeout: 5_000 });

/** @throws NotDone for the journal of a later version, which this one cannot read */
export function isUpToDate(journal: DatabaseSync): boolean {
  const made = journal.prepare('select name from kysely_migration').all();
  return areAllMade(made.map(({ name }) => String(name)));
}

/** Whether all migrations that there are were made. @throws NotDone where there were more */
export function areAllMade(names: readonly string[]): boolean {
  const version = versionOf(names);
  if (version !== 'later') return version === 'this';
  throw new NotDone('This journal was written by a later version of the bot. Use the tools of that version.');
}
