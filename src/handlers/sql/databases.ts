import type { NamedEntry } from '../../api/index.ts';
import { type Argument, listed, word } from '../argument.ts';
import { listedIn, listing } from '../listing.ts';
import { bytes, number } from '../wording/quantities.ts';
import { amountUnder, numberUnder } from '../wording/reported.ts';

/** A database of the SQL server, by its name, which is all that identifies it (appliance-api.md §4.5). */
export const allDatabases = listing<NamedEntry>({
  things: 'databases',
  read: ({ sqldb }) => sqldb.listDatabases(),
  keyOf: ({ name }) => name,
});

const databases = listed<string>('a database', 'statistics', (appliance) =>
  listedIn(allDatabases, appliance, ({ name, fields }) => ({
    word: name,
    name,
    value: name,
    hint: sizeOf(fields),
  })),
);

export const database: Argument<string> = {
  ...databases,
  read: (typed) => (/^\d+$/.test(typed) ? { ok: true, value: typed } : databases.read(typed)),
};

export const newDatabase: Argument<string> = word('a name for the database', 'crm', {
  test: /^[\w$-]{1,64}$/,
  wanted: 'a name of at most 64 letters, digits and _ - $',
});

/** Without these the server does not run, so they are not deleted, whatever an appliance would say to it. */
export const isOfTheServer = (name: string): boolean =>
  ['mysql', 'information_schema', 'performance_schema', 'sys'].includes(name.toLowerCase());

/** Nobody writes the unit of a size beside it: it is in bytes (field notes). */
export const withUnit = (fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [/^size$/i.test(name) ? `${name}_bytes` : name, value]),
  );

/** "388 tables, 7.5 GB", as far as it is reported. */
export function sizeOf(fields: Readonly<Record<string, string>>): string {
  const tables = tablesIn(fields);
  const size = amountUnder(fields, 'bytes', ['sizebytes', 'bytes', 'size', 'datasize']);
  const told = [
    ...(tables === undefined ? [] : [`${number(tables)} ${tables === 1 ? 'table' : 'tables'}`]),
    ...(size === undefined ? [] : [bytes(size)]),
  ];
  return told.length === 0 ? 'size not reported' : told.join(', ');
}

export const tablesIn = (fields: Readonly<Record<string, string>>): number | undefined =>
  numberUnder(fields, 'tables', 'tablecount', 'numberoftables');
