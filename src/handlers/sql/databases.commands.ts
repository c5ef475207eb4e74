import type { DatabasePrivileges, NamedEntry } from '../../api/index.ts';
import { type Argument, listed, word } from '../argument.ts';
import type { AskingAppliance } from '../context.ts';
import { change, lookup } from '../declare.ts';
import { answeredFrom, countText, listedIn, listing, readBackIn } from '../listing.ts';
import { code, plural, say, strong } from '../reply.ts';
import { final, happened, notCheckable, notHappened, nothing, ready, type Verification } from '../results.ts';
import { acting } from '../wording/acting.ts';
import { bytes, number } from '../wording/quantities.ts';
import { amountUnder, numberUnder, reportedTable } from '../wording/reported.ts';
import { readConnections, thoseOf, unread } from './connections.ts';
import { databasesOf, readPrivilegesOn, unknownWhereIncomplete } from './naming.ts';
import { account, called, host, hostProblem, type OnUser, sureAccount } from './users.ts';

/** A database of the SQL server; its name alone identifies it (appliance-api.md §4.5). */
const allDatabases = listing<NamedEntry>({
  things: 'databases',
  read: ({ sqldb }) => sqldb.listDatabases(),
  keyOf: ({ name }) => name,
});

const listedDatabase = listed<string>('a database', 'statistics', (appliance) =>
  listedIn(allDatabases, appliance, ({ name, fields }) => ({
    word: name,
    name,
    value: name,
    hint: sizeOf(fields),
  })),
);

const database: Argument<string> = {
  ...listedDatabase,
  read: (typed) => (/^\d+$/.test(typed) ? { ok: true, value: typed } : listedDatabase.read(typed)),
};

const newDatabase: Argument<string> = word('a name for the database', 'crm', {
  test: /^[\w$-]{1,64}$/,
  wanted: 'a name of at most 64 letters, digits and _ - $',
});

/** The server needs these to run, so they are never deleted. */
const isOfTheServer = (name: string): boolean =>
  ['mysql', 'information_schema', 'performance_schema', 'sys'].includes(name.toLowerCase());

/** Sizes come in bytes, without a unit (field notes). */
const withUnit = (fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [/^size$/i.test(name) ? `${name}_bytes` : name, value]),
  );

/** "388 tables, 7.5 GB", as far as reported. */
function sizeOf(fields: Readonly<Record<string, string>>): string {
  const tables = tablesIn(fields);
  const size = amountUnder(fields, 'bytes', ['sizebytes', 'bytes', 'size', 'datasize']);
  const told = [
    ...(tables === undefined ? [] : [`${number(tables)} ${tables === 1 ? 'table' : 'tables'}`]),
    ...(size === undefined ? [] : [bytes(size)]),
  ];
  return told.length === 0 ? 'size not reported' : told.join(', ');
}

const tablesIn = (fields: Readonly<Record<string, string>>): number | undefined =>
  numberUnder(fields, 'tables', 'tablecount', 'numberoftables');

export const databases = lookup({
  phrase: 'sql databases',
  says: `
    list databases / which databases exist / show databases / database list / list the databases /
    show mysql schemas / size of the databases / how big are the databases / which databases do we have /
    what databases are there / how many databases / mysql databases / names of the databases /
    which schemas exist / is there a database / how large is the database / show databases of mysql
  `,
  summary: 'List the databases of the SQL server',
  answer: answeredFrom(
    () => allDatabases,
    async (look, { appliance }) => {
      return {
        headline: say`${countText(look, 'database')} on the SQL server of ${strong(appliance.name)}`,
        details: [
          await reportedTable(
            look.all.map(({ name, fields }) =>
              withUnit(isNamed(name, fields) ? fields : { name, ...fields }),
            ),
          ),
        ],
      };
    },
  ),
});

const isNamed = (name: string, fields: Readonly<Record<string, string>>): boolean =>
  Object.values(fields).includes(name);

export const create = change({
  ...acting('Create', 'database', ({ database: name }: OnDatabase) => name),
  phrase: 'sql database create <database>',
  says: `
    create database <database> / new database <database> / add a database <database> /
    make schema <database> / new mysql database <database> / make a database <database> /
    create a mysql database <database> / we need a database <database> / set up database <database> /
    new schema <database> / new db <database> / create db called <database> /
    add mysql database <database> / need a new db called <database> / need a database <database> /
    make a db <database> / we need a database called <database> / add database <database> /
    create schema <database>
  `,
  also: ['sql database add <database>'],
  args: { database: newDatabase },
  summary: 'Create a database',
  example: 'sql database create crm',
  effect: 'write',
  preview: async ({ appliance, args }) => {
    if ((await allDatabases.look(appliance)).all.some(({ name }) => name === args.database))
      return nothing`Database ${strong(args.database)} already exists on ${strong(appliance.name)}.`;
    return ready({
      question: say`Create database ${strong(args.database)} on the SQL server of ${strong(appliance.name)}?`,
      fingerprint: { name: args.database },
    });
  },
  run: ({ appliance, args }) => appliance.sqldb.createDatabase({ database: args.database }),
  // No one-click undo: somebody may have filled it meanwhile.
  verify: readBackIn<OnDatabase, NamedEntry>(
    () => allDatabases,
    async ({ seek }, { args }) =>
      (await seek(({ name }) => name === args.database)).found !== undefined
        ? happened`Databases read back: ${args.database} is there. ${code(`/appliance sql database delete ${args.database}`)} deletes it, after a confirmation.`
        : notHappened`Databases read back: ${args.database} is not among them.`,
  ),
});

export const remove = change({
  ...acting('Delete', 'database', ({ database: name }: OnDatabase) => name),
  phrase: 'sql database delete <database>',
  says: `
    drop database <database> / delete database <database> / remove database <database> /
    delete mysql schema <database> / get rid of database <database> / drop the database <database> /
    remove mysql database <database> / database <database> is not needed any more /
    get rid of db <database> / get rid of mysql schema <database> / erase database <database> /
    drop schema <database>
  `,
  also: ['sql database drop <database>'],
  args: { database },
  summary: 'Delete a database and everything in it',
  example: 'sql database delete crm',
  before: ['sql database create crm'],
  effect: 'destructive',
  preview: async ({ appliance, args }) => {
    const name = args.database;
    if (isOfTheServer(name))
      return nothing`${strong(name)} is a system database that the SQL server needs. It cannot be deleted here.`;
    const [{ found }, connections] = await Promise.all([
      allDatabases.seek(appliance, (one) => one.name === name),
      readConnections(appliance),
    ]);
    if (found === undefined)
      return nothing`Database ${strong(name)} no longer exists on ${strong(appliance.name)}.`;
    const connected = thoseOf(connections, (one) => one.database === name, 'database');
    const users = [...new Set(connected?.map((one) => one.user ?? 'somebody'))];
    return ready({
      question: say`Delete database ${strong(name)} and everything in it (${strong(sizeOf(found.fields))})? This cannot be undone.`,
      fields: {
        'Connected now': say`${connected === undefined ? unread(connections) : users.length === 0 ? 'nobody' : users.join(', ')}`,
      },
      fingerprint: { name, tables: tablesIn(found.fields) ?? null },
    });
  },
  run: ({ appliance, args }) => appliance.sqldb.deleteDatabase({ database: args.database }),
  verify: readBackIn<OnDatabase, NamedEntry>(
    () => allDatabases,
    async ({ seek }, { args: { database: name } }) => {
      const { found, all } = await seek((one) => one.name === name, name);
      return found === undefined
        ? happened`Databases read back: ${name} is gone, ${plural(all.length, 'other')} left.`
        : notHappened`Databases read back: ${name} is still among them.`;
    },
  ),
});

interface OnDatabase {
  readonly database: string;
}

type On = AskingAppliance<OnUser & { readonly database: string }>;

export const grant = change({
  ...granting('grant'),
  phrase: 'sql database grant <database> to <user> [--host]',
  says: `
    grant <user> on <database> / grant select on <database> to <user> /
    give <user> access to database <database> / let <user> use database <database> /
    permissions for <user> on database <database> / grant <user> access to database <database> /
    give mysql user <user> the database <database> / let <user> read <database> /
    <user> needs access to <database> / <user> needs database <database> /
    allow <user> on database <database> / give <user> rights on database <database> /
    rights on <database> for <user> / grant database <database> to <user> /
    open database <database> for <user> / allow <user> to do select on database <database> /
    let <user> read database <database> / <user> needs the database <database> /
    <user> should use database <database> / grant all on <database> to <user> /
    let <user> read the <database> database / let <user> read the <database> db /
    <user> may read <database> / give <user> the <database> database / let <user> into database <database> /
    <user> should read <database>
  `,
  args: { database, user: account, host },
  summary: 'Grant an SQL user privileges on a database (which ones is undocumented)',
  example: 'sql database grant quotas to reports',
  effect: 'write',
  verb: 'Grant',
  doing: (args) => say`Granting database ${args.database} to SQL user ${called(args)}`,
  done: (args) => say`Database ${strong(args.database)} granted to SQL user ${strong(called(args))}`,
  run: ({ appliance, args }) => appliance.sqldb.grantDatabase(pathOf(args)),
  undo: (args, { had }) =>
    had === 'no' ? `sql database revoke ${args.database} from ${called(args)}` : undefined,
});

export const revoke = change({
  ...granting('revoke'),
  phrase: 'sql database revoke <database> from <user> [--host]',
  says: `
    revoke <user> on <database> / take database <database> away from <user> /
    no access for <user> to database <database> / revoke rights on database <database> from <user> /
    revoke access to database <database> from <user> / mysql user <user> must not use database <database> /
    <user> should not have access to database <database> / remove <user> from database <database> /
    take the rights on <database> from <user> / no more access to <database> for <user> /
    <user> must not use database <database> / revoke database <database> from <user> /
    no access to <database> for <user> any more / remove the rights of <user> on <database>
  `,
  args: { database, user: account, host },
  summary: 'Revoke privileges of an SQL user on a database (which ones is undocumented)',
  example: 'sql database revoke statistics from reports',
  effect: 'destructive',
  verb: 'Revoke',
  doing: (args) => say`Revoking database ${args.database} from SQL user ${called(args)}`,
  done: (args) => say`Database ${strong(args.database)} revoked from SQL user ${strong(called(args))}`,
  run: ({ appliance, args }) => appliance.sqldb.revokeDatabase(pathOf(args)),
});

function pathOf(args: On['args']) {
  const { user, host: from } = sureAccount(args);
  return { database: args.database, username: user, host: from };
}

/** Shared by granting and revoking: verified by whether the user's privileges name the database. */
function granting(order: 'grant' | 'revoke') {
  const wanted = order === 'grant' ? 'yes' : 'no';
  return {
    preview: async ({ appliance, args }: On) => {
      const problem = hostProblem(appliance.name, args);
      if (problem !== undefined) return problem;
      const [had, connections] = await Promise.all([
        // Unknown values block nobody.
        readPrivilegesOn(appliance, args).catch(unknownWhereIncomplete),
        readConnections(appliance),
      ]);
      if (order === 'revoke' && had === 'no')
        return nothing`The privileges of SQL user ${strong(called(args))} on ${strong(appliance.name)} do not list database ${strong(args.database)}: there is nothing to revoke.`;
      const own = thoseOf(
        connections,
        (one) => one.user === args.user.user && one.database === args.database,
        'database',
      );
      return ready({
        question:
          order === 'grant'
            ? say`Grant SQL user ${strong(called(args))} privileges on database ${strong(args.database)}?`
            : say`Revoke the privileges of SQL user ${strong(called(args))} on database ${strong(args.database)}?`,
        fields: {
          'Has privileges now': say`${had === 'unknown' ? 'not reported' : had}`,
          'Connected now':
            order === 'grant'
              ? undefined
              : say`${own === undefined ? unread(connections) : own.length === 0 ? 'nobody of this name' : plural(own.length, 'connection')}`,
          Note: say`the API does not document which privileges this changes`,
        },
        fingerprint: { database: args.database, user: called(args), had },
      });
    },
    verify: readBackIn<On['args'], DatabasePrivileges>(
      databasesOf,
      async ({ seek }, { appliance, args }, { had }): Promise<Verification> => {
        const now = await readPrivilegesOn(appliance, args, (fits) =>
          seek(fits, args.database.toLowerCase()),
        );
        const name = called(args);
        if (now === 'unknown' || (had === wanted && now === wanted)) {
          return final(
            notCheckable`the privileges of ${name} ${now === 'unknown' ? 'do not list databases' : `${now === 'yes' ? 'already listed' : 'did not list'} ${args.database} before`}`,
          );
        }
        const said = now === 'yes' ? `list ${args.database}` : `do not list ${args.database}`;
        return now === wanted
          ? happened`Privileges of ${name} read back: they now ${said}.`
          : notHappened`Privileges of ${name} read back: they ${said}.`;
      },
    ),
  } as const;
}
