import { z } from 'zod';
import { area } from '../endpoint.ts';
import { neverEmpty, type ReplyReader, type Report, report, under } from '../reading/reply.ts';
import { list } from '../reading/shape.ts';
import { named, rows, searchable, undocumented } from '../reading/unnamed.ts';
import { form, secret } from '../wire/body.ts';
import { sqlPrivileges, sqlUser } from './sql-accounts.ts';

/** What came of an order of which nobody knows whether it changes something. */
export interface SqlUserReport extends Report {
  /** True when the appliance said Status true and named no error. An answer without a word of it is no success. */
  readonly confirmed: boolean;
}

const sqlUserReport: ReplyReader<SqlUserReport> = {
  read: (answer) => ({
    ...report.read(answer),
    confirmed: answer.status === true && answer.error === '',
  }),
  wire: report.wire,
};

const whose = 'The name of the user.';
const whence = 'The host the user connects from: an address or a name, or a wildcard such as `%`.';
const account = { user: z.string().min(1).describe(whose), host: z.string().min(1).describe(whence) };
const wireNames = { user: 'User', host: 'Host' } as const;
const accountBody = form('SqlAccount', 'A user of the SQL server.', account, wireNames);
const accountSlots = { username: z.string().describe(whose), host: z.string().describe(whence) };
const databaseSlot = { database: z.string().describe('The name of the database.') };

const endpoint = area({ section: '§4.5', availableFrom: '4.50 SP1, or 4.50 hotfix 20230911-11' });

/** The SQL database server. */
export const sqldb = {
  restart: endpoint('- /sqldb/service/restart', {
    summary: 'Restarts the database server.',
    effect: 'destructive',
    slow: true,
  }),

  listProcesses: endpoint('- /sqldb/service/processes', {
    summary: 'The processes of the database server.',
    effect: 'read',
    reply: rows('process', undocumented('SqlProcess', 'A process of the SQL server.')),
  }),

  listUsers: endpoint('- /sqldb/users', {
    summary: 'All users with all their privileges.',
    effect: 'read',
    reply: neverEmpty(under('Users', searchable(list(sqlUser)), 'All users.')),
  }),

  // A write, though no operation is shown that takes a user away again: nothing that was there before is lost by it.
  createUser: endpoint('POST /sqldb/users/create', {
    summary: 'Creates a user.',
    effect: 'write',
    body: form(
      'NewSqlAccount',
      'A user of the SQL server to create.',
      { ...account, password: secret.describe('The password of the user.') },
      { ...wireNames, password: 'Password' },
    ),
  }),

  grantUser: endpoint('POST /sqldb/users/grant', {
    summary: 'Grants privileges to a user; which ones is not documented.',
    effect: 'write',
    body: accountBody,
  }),

  // Destructive, as is revoking a database: which privileges go is not shown, so a grant may not put them back.
  revokeUser: endpoint('POST /sqldb/users/revoke', {
    summary: 'Revokes privileges of a user; which ones is not documented.',
    effect: 'destructive',
    body: accountBody,
  }),

  // Only its URL and method are shown. It may create, change or read something.
  postUser: endpoint('POST /sqldb/user/{username}/{host}', {
    summary: 'Performs an undocumented action on a user.',
    effect: 'unknown',
    slots: accountSlots,
    reply: sqlUserReport,
  }),

  getPrivileges: endpoint('- /sqldb/user/{username}/{host}/privileges', {
    summary: 'The privileges of a user, database by database.',
    effect: 'read',
    slots: accountSlots,
    reply: sqlPrivileges,
  }),

  grantDatabase: endpoint('- /sqldb/database/grant/{database}/{username}/{host}', {
    summary: 'Grants privileges on a database to a user.',
    effect: 'write',
    slots: { ...databaseSlot, ...accountSlots },
  }),

  revokeDatabase: endpoint('- /sqldb/database/revoke/{database}/{username}/{host}', {
    summary: 'Revokes privileges on a database of a user.',
    effect: 'destructive',
    slots: { ...databaseSlot, ...accountSlots },
  }),

  listDatabases: endpoint('- /sqldb/databases', {
    summary: 'All databases.',
    effect: 'read',
    reply: neverEmpty(
      named('database', undocumented('SqlDatabase', 'A database, which is identified by its name.')),
    ),
  }),

  createDatabase: endpoint('- /sqldb/database/create/{database}', {
    summary: 'Creates a database.',
    effect: 'write',
    slots: databaseSlot,
  }),

  deleteDatabase: endpoint('POST /sqldb/database/delete/{database}', {
    summary: 'Deletes a database with everything in it.',
    effect: 'destructive',
    slots: databaseSlot,
  }),
};
