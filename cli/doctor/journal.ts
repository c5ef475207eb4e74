import { constants, existsSync } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../../src/config/config.ts';
import { readMoved } from '../../src/journal/file/moved.ts';
import { roomIn } from '../../src/journal/file/room.ts';
import { JournalUnavailable } from '../../src/journal/unavailable.ts';
import { NotDone, NotYet } from '../journal/journal-file.ts';
import { databaseNamed, openStore } from '../journal/open-store.ts';
import type { Terminal } from '../terminal.ts';
import { type Finding, note, right, wrong } from './finding.ts';

/** Whether a start could use the journal, and has room for it. */
export async function journal(
  { data, database }: Pick<Config, 'data' | 'database'>,
  { environment }: Terminal,
): Promise<readonly Finding[]> {
  const room = database === undefined ? [await roomFor(data)] : [];
  if (room.some(({ is }) => is === 'wrong')) return room;
  return [await journalIn(data, database, environment), ...room];
}

async function journalIn(
  data: string,
  database: string | undefined,
  environment: Terminal['environment'],
): Promise<Finding> {
  if (database === undefined) {
    if (readMoved(data) !== undefined)
      return wrong(
        `${data}: its journal was migrated to PostgreSQL, so no bot starts on it. Set DATABASE_URL.`,
      );
    if (!existsSync(join(data, 'journal.sqlite')))
      return note(`${data}: no journal yet. The first start creates it.`);
  }
  try {
    const obstacle = database === undefined ? undefined : await obstacleOf(database);
    if (obstacle !== undefined) return wrong(`${databaseNamed} ${obstacle}.`);
    await (await openStore(environment)).close();
  } catch (error) {
    if (!(error instanceof NotDone)) throw error;
    return error instanceof NotYet ? note(error.message) : wrong(error.message);
  }
  const where = database === undefined ? data : databaseNamed;
  return right(`${where}: has a journal of this version.`);
}

/** Undefined also without a connection: opening the journal then reports the reason. The client is loaded for this alone. */
async function obstacleOf(url: string): Promise<string | undefined> {
  const { obstacleIn } = await import('../../src/journal/storage/postgres-check.ts');
  return obstacleIn(url, true).catch((error: unknown) => {
    if (error instanceof JournalUnavailable) return undefined;
    throw error;
  });
}

async function roomFor(folder: string): Promise<Finding> {
  const there = await access(folder).then(
    () => folder,
    () => dirname(folder),
  );
  const isWritable = await Promise.all([access(there, constants.W_OK), stat(there)]).then(
    ([, found]) => found.isDirectory(),
    () => false,
  );
  if (!isWritable)
    return wrong(
      `${there}: the bot can’t write there. Change its owner, or set APPLIANCE_BOT_DATA to another folder.`,
    );
  const { free, isLow } = await roomIn(there);
  const megabytes = `${Math.floor(free / 1_000_000).toLocaleString('en')} MB are free`;
  return isLow
    ? wrong(`${folder}: only ${megabytes}. Free some disk space.`)
    : right(`${folder}: writable, ${megabytes}.`);
}
