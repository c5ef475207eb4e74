import { z } from 'zod';
import { area } from '../endpoint.ts';
import { Misfit } from '../reading/bounds.ts';
import { field, isRecord } from '../reading/envelope.ts';
import { readExtent, withExtent } from '../reading/extent.ts';
import {
  neverEmpty,
  type ReplyReader,
  type Report,
  report,
  tellingReport,
  under,
} from '../reading/reply-reader.ts';
import { isNested, plain, textOf, truthOf } from '../reading/said.ts';
import { component, list, optional, record, required, type Shape, text } from '../reading/shape.ts';
import {
  fieldsOf,
  finder,
  named,
  rows,
  searchable,
  type UnnamedFields,
  undocumented,
} from '../reading/unnamed.ts';
import { form, secret } from '../wire/body.ts';

/** Under the names of their columns: `{ Reload_priv: true, File_priv: false }`. */
export type FlaggedPrivileges = Readonly<Record<string, boolean>>;

/** A user of the SQL server, with one letter in each privilege column (appliance-api.md §2.14). */
export interface SqlUser {
  /** '' is the anonymous user. */
  readonly user: string;
  /** The host that the user connects from; undocumented in answers. May be a wildcard. */
  readonly host?: string;
  /** Global privileges. A column without yes or no stays as text among the fields. */
  readonly privileges: FlaggedPrivileges;
  readonly fields: UnnamedFields;
}

export interface DatabasePrivileges {
  readonly database: string;
  /** Empty if the appliance lists bare names. */
  readonly privileges: FlaggedPrivileges;
}

/** A user's privileges: those on single databases apart from all others. */
export interface SqlPrivileges extends Report {
  /** Absent if the answer has no list of databases, which does not mean that there are none. */
  readonly databases?: readonly DatabasePrivileges[];
}

const identity = record({
  user: required('User', text, 'The name of the user; empty for the anonymous one.'),
  host: optional(
    'Host',
    text,
    'The hosts the user may connect from, possibly with wildcards; not among the documented fields.',
  ),
});

const sqlUser: Shape<SqlUser> = component(
  'SqlUser',
  'A user of the SQL server with their privileges on everything (§2.14).',
  {
    read(value) {
      if (!isRecord(value)) throw new Misfit('', 'is not an object');
      const { user, host } = identity.read(value);
      const { privileges, others } = flagsIn(value);
      const fields = Object.entries(others).filter(([name]) => !/^(user|host)$/i.test(name.trim()));
      return {
        user,
        ...(host === undefined ? {} : { host }),
        privileges,
        fields: Object.fromEntries(fields),
      };
    },
    wire: {
      ...identity.wire,
      patternProperties: {
        _priv$: { type: 'string', enum: ['Y', 'N'], description: 'Whether the user has this privilege.' },
      },
    },
  },
);

/** Privileges beside a database name are not global (field notes: the list is per database). */
const sqlPrivileges: ReplyReader<SqlPrivileges> = {
  read(answer) {
    const { body } = answer;
    const listed = field(body, 'databases');
    // A missing list means none only in an answer with Status true.
    const databases = listed === null && answer.status === true ? [] : rowsOf(listed);
    if (!isRecord(body) || databases === undefined) return tellingReport.read(answer);
    const others = Object.entries(body).filter(([name]) => plain(name) !== 'databases');
    withExtent(databases, readExtent('sqldb.getPrivileges', body, databases.length));
    return { ...report.read({ ...answer, body: Object.fromEntries(others) }), databases };
  },
  wire: report.wire,
};

const find = finder({ name: ['databasename', 'database', 'dbname', 'db', 'schema', 'name'] });

/** Undefined if it is no readable list of databases. */
function rowsOf(listed: unknown): readonly DatabasePrivileges[] | undefined {
  const keys = isRecord(listed) ? Object.keys(listed) : [];
  if (!isNested(listed) || (!Array.isArray(listed) && (keys.length === 0 || !keys.every(isPlace)))) {
    return undefined;
  }
  const rows = Object.values(listed).map((row): DatabasePrivileges | undefined => {
    const [database] = isRecord(row) ? find(fieldsOf(row))('name') : isNested(row) ? [] : [textOf(row)];
    if (database === undefined || database === '') return undefined;
    return { database, privileges: isRecord(row) ? flagsIn(row).privileges : {} };
  });
  return rows.every((row) => row !== undefined) ? rows : undefined;
}

const isPlace = (key: string): boolean => /^\d+$/.test(key);

function flagsIn(row: Record<string, unknown>) {
  const privileges: [string, boolean][] = [];
  const others: [string, string][] = [];
  for (const [name, written] of Object.entries(fieldsOf(row))) {
    const granted =
      plain(name).endsWith('priv') && /_priv$/i.test(name.trim()) ? truthOf(written) : undefined;
    if (granted === undefined) others.push([name, written]);
    else privileges.push([name, granted]);
  }
  return { privileges: Object.fromEntries(privileges), others: Object.fromEntries(others) };
}

export interface SqlUserReport extends Report {
  /** True if the appliance said Status true and named no error. An answer without a status is no success. */
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

  // A write, although no documented operation deletes a user: nothing existing is lost.
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

  // Destructive, like revoking a database: the revoked privileges are undocumented, so a grant may not restore
  // them.
  revokeUser: endpoint('POST /sqldb/users/revoke', {
    summary: 'Revokes privileges of a user; which ones is not documented.',
    effect: 'destructive',
    body: accountBody,
  }),

  // Only its URL and method are documented. It may create, change or read something.
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
