import { parseArgs } from 'node:util';
import { plural } from '../src/handlers/reply.ts';
import { markMoved, movedFile } from '../src/journal/file/moved.ts';
import { backUp } from './backup.ts';
import { journalFile, NotDone } from './journal-file.ts';
import { moveJournal } from './move-journal.ts';
import { type Terminal, understand } from './terminal.ts';

const usage = `npm run journal -- backup FILE
    Copies the journal into a new file, also while the bot runs, and looks the copy through. To restore it: stop the
    bot, put the file in the place of journal.sqlite in the data folder, and remove journal.sqlite-wal and -shm there.

npm run journal -- migrate-to [postgres://user:password@host:5432/database]
    Copies everything into an empty PostgreSQL, and compares what has arrived. The bot must be stopped; its journal stays
    as it is, and a mark is left beside it, so that no bot goes on with it. Without an address it is the one in
    DATABASE_URL: what stands in a command line, others on the machine can read.

The journal is the one in the folder that APPLIANCE_BOT_DATA names. Both exit 0 when it is done, and 1 when nothing was.
`;

/** Runs the tool with the words of its command line; resolves to its exit code. */
export async function journalTool(words: readonly string[], terminal: Terminal): Promise<number> {
  const { write, environment } = terminal;
  const fail = (why: string) => {
    write(`${why}\n\n${usage}`);
    return 1;
  };
  const understood = understand(() => parse(words));
  if (!understood.ok) return fail(understood.why);
  const { values, positionals } = understood.parsed;
  const [task, target, ...rest] = positionals;
  if (values.help) {
    write(usage);
    return 0;
  }
  if (rest.length > 0) return fail('Too many arguments: give one file or one address.');
  try {
    switch (task) {
      case 'backup':
        return target === undefined ? fail('Give the file to write.') : backup(target, terminal);
      case 'migrate-to': {
        const url = target ?? environment.DATABASE_URL;
        return url
          ? await migrateTo(url, terminal)
          : fail('Give the address of the PostgreSQL database, or set DATABASE_URL.');
      }
      default:
        return fail('Choose a subcommand: backup or migrate-to.');
    }
  } catch (error) {
    if (!(error instanceof NotDone)) throw error;
    write(`${error.message}\n`);
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
      'The journal is in the PostgreSQL of DATABASE_URL, so use pg_dump, which works while the bot runs.',
    );
  }
  const journal = journalFile(environment);
  const at = now();
  const { bytes, actions, newest } = backUp(journal, file);
  const last = newest === undefined ? '' : `, the newest of ${moment(newest)}`;
  write(
    `${file} holds the journal of ${journal.folder} as it was at ${moment(at)}: ${(bytes / 1e6).toFixed(1)} MB, ${plural(actions, 'action')}${last}. It was checked and is intact.\n`,
  );
  return 0;
}

async function migrateTo(url: string, { environment, write, now }: Terminal): Promise<number> {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address === undefined || !/^postgres(?:ql)?:$/.test(address.protocol)) {
    throw new NotDone(
      'That is not the address of a PostgreSQL database. It looks like postgres://user:password@host:5432/database, with @, / and % in the password written as %40, %2F and %25.',
    );
  }
  const journal = journalFile(environment);
  // Without the user and the password.
  const place = `${address.host}${address.pathname}`;
  const moved = await moveJournal(journal, url, () => markMoved(journal.folder, { to: place, at: now() }));
  const rows = [...moved].filter(([, count]) => count > 0);
  write(`The journal of ${journal.folder} is in ${place} now: ${plural(moved.get('actions') ?? 0, 'action')}.
${rows.map(([table, count]) => `  ${table}: ${count}\n`).join('')}All rows have arrived, and the records of the audit as they are.

Now set DATABASE_URL to that address wherever the bot runs, and start it. Without it, a bot does not start on this folder:
in its journal everything still stands that was under way. Remove ${journal.file} when you are sure; to go on
with it instead, remove ${movedFile(journal.folder)}.
`);
  return 0;
}

const moment = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');

if (import.meta.main) {
  process.exitCode = await journalTool(process.argv.slice(2), {
    environment: process.env,
    write: (text) => process.stdout.write(text),
    now: Date.now,
  });
}
