import { parseArgs } from 'node:util';
import { plural } from '../../src/handlers/reply.ts';
import { inUtc } from '../../src/handlers/text.ts';
import { markMoved, movedFile } from '../../src/journal/file/moved.ts';
import { misuse, noSuchCommand, readWords, type Terminal } from '../terminal.ts';
import { backUp } from './backup.ts';
import { journalFile, NotDone } from './journal-file.ts';
import { moveJournal } from './move-journal.ts';

const usage = `Usage:

appliance-bot journal backup FILE
    Copies the journal to a new file and checks the copy. The bot may be running. To restore: stop the bot, replace
    journal.sqlite in the data folder with the file, and remove journal.sqlite-wal and journal.sqlite-shm there.

appliance-bot journal migrate-to [postgres://user:password@host:5432/database]
    Copies the journal to an empty PostgreSQL database and checks the copy. Stop the bot first. The journal in the folder
    is not changed, only marked as migrated, so that no bot uses it again. The default address is the one in
    DATABASE_URL. Other users of this machine can read an address on the command line.

The journal is read from the folder in APPLIANCE_BOT_DATA. Exits with 0 on success, and with 1 if nothing was done.
`;

/** Runs the tool with the words of its command line; resolves to its exit code. */
export async function journalTool(words: readonly string[], terminal: Terminal): Promise<number> {
  const { complain, environment } = terminal;
  const fail = (why: string) => misuse(why, usage, terminal);
  const read = readWords(() => parse(words), usage, terminal);
  if ('code' in read) return read.code;
  const [task, target, ...rest] = read.parsed.positionals;
  if (rest.length > 0) return fail('Too many arguments. Give one file or one address.');
  try {
    switch (task) {
      case 'backup':
        return target === undefined
          ? fail('Missing file. Add the path of the file to write.')
          : backup(target, terminal);
      case 'migrate-to': {
        const url = target ?? environment.DATABASE_URL;
        return url
          ? await migrateTo(url, terminal)
          : fail('Missing address. Add the PostgreSQL address, or set DATABASE_URL.');
      }
      default:
        return fail(noSuchCommand(task, ['backup', 'migrate-to']));
    }
  } catch (error) {
    if (!(error instanceof NotDone)) throw error;
    complain(`${error.message}\n`);
    return 1;
  }
}

const parse = (words: readonly string[]) =>
  parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' } },
  });

function backup(file: string, { environment, write, now }: Terminal): number {
  if (environment.DATABASE_URL) {
    throw new NotDone(
      'The journal is in the PostgreSQL database in DATABASE_URL. Back it up with pg_dump; the bot may be running.',
    );
  }
  const journal = journalFile(environment);
  const at = now();
  const { bytes, actions, newest } = backUp(journal, file);
  const last = newest === undefined ? '' : `, the newest from ${inUtc(newest)}`;
  write(
    `Backed up the journal in ${journal.folder} to ${file}, as of ${inUtc(at)}: ${(bytes / 1e6).toFixed(1)} MB, ${plural(actions, 'action')}${last}. The copy was checked and is intact.\n`,
  );
  return 0;
}

async function migrateTo(url: string, { environment, write, now }: Terminal): Promise<number> {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address === undefined || !/^postgres(?:ql)?:$/.test(address.protocol)) {
    throw new NotDone(
      'This is not the address of a PostgreSQL database. Nothing was migrated. Use postgres://user:password@host:5432/database, and in the password write @, / and % as %40, %2F and %25.',
    );
  }
  const journal = journalFile(environment);
  // Without the user and the password.
  const place = `${address.host}${address.pathname}`;
  const moved = await moveJournal(journal, url, () => markMoved(journal.folder, { to: place, at: now() }));
  const rows = [...moved].filter(([, count]) => count > 0);
  write(`Migrated the journal in ${journal.folder} to ${place}: ${plural(moved.get('actions') ?? 0, 'action')}.
${rows.map(([table, count]) => `  ${table}: ${count}\n`).join('')}All rows were copied, and the audit records are unchanged.

Next, set DATABASE_URL to that address everywhere the bot runs, and start it. Without DATABASE_URL, the bot does not start
on this folder, because its journal is out of date from now on. Remove ${journal.file} when you are sure. To use it again
instead, remove ${movedFile(journal.folder)}.
`);
  return 0;
}
