import { field, isRecord } from '../reading/envelope.ts';
import { readExtent, withExtent } from '../reading/extent.ts';
import { type ReplyReader, type Report, report, tellingReport } from '../reading/reply.ts';
import { isNested, plain, textOf } from '../reading/said.ts';
import { component, Misfit, optional, record, required, type Shape, text } from '../reading/shape.ts';
import { truthOf } from '../reading/truth.ts';
import { fieldsOf, finder, type UnnamedFields } from '../reading/unnamed.ts';

/** Under the names of their columns: `{ Reload_priv: true, File_priv: false }`. */
export type FlaggedPrivileges = Readonly<Record<string, boolean>>;

/** A user of the SQL server: User, and privilege columns with one letter in each (appliance-api.md §2.14). */
export interface SqlUser {
  /** '' is the anonymous user. */
  readonly user: string;
  /** Where the user may come from; not among the documented fields of an answer. May be a wildcard. */
  readonly host?: string;
  /** On everything. A column that says neither yes nor no is not among them and stays as text among the fields. */
  readonly privileges: FlaggedPrivileges;
  /** Everything else. */
  readonly fields: UnnamedFields;
}

/** The privileges of a user on one database. */
export interface DatabasePrivileges {
  readonly database: string;
  /** None where the appliance lists bare names. */
  readonly privileges: FlaggedPrivileges;
}

/** What an appliance tells of the privileges of one user: those on single databases apart from all others. */
export interface SqlPrivileges extends Report {
  /** Absent where it lists no databases, which is another thing than that there are none. */
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

export const sqlUser: Shape<SqlUser> = component(
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

/** Privileges are global only where they stand beside no database (field notes: the list is per database). */
export const sqlPrivileges: ReplyReader<SqlPrivileges> = {
  read(answer) {
    const { body } = answer;
    const listed = field(body, 'databases');
    // No list at all is one without entries only in an answer that says of itself that it is one.
    const databases = listed === null && answer.status === true ? [] : rowsOf(listed);
    if (!isRecord(body) || databases === undefined) return tellingReport.read(answer);
    const others = Object.entries(body).filter(([name]) => plain(name) !== 'databases');
    withExtent(databases, readExtent('sqldb.getPrivileges', body, databases.length));
    return { ...report.read({ ...answer, body: Object.fromEntries(others) }), databases };
  },
  wire: report.wire,
};

const find = finder({ name: ['databasename', 'database', 'dbname', 'db', 'schema', 'name'] });

/** Undefined where it is no list of databases that can all be told. */
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
