import type { AskedAppliance, UnnamedFields } from '../../api/index.ts';
import { plural, say, type Text } from '../reply.ts';
import { readIn, settle } from '../wording/answer.ts';
import { numberUnder, reportedUnder } from '../wording/reported.ts';

/** What is looked for in a row of the process list; the document names none of its fields (appliance-api.md §4.5). */
export interface SqlConnection {
  /** Counts up from the start of the server. */
  readonly id: number | undefined;
  readonly user: string | undefined;
  readonly database: string | undefined;
  /** Whether it runs a statement at the moment. */
  readonly busy: boolean;
  /** Whether the row has these at all: a connection may have no database, and says so by an empty one. */
  readonly tells: { readonly user: boolean; readonly database: boolean };
}

const has = (row: UnnamedFields, ...names: readonly string[]): boolean =>
  Object.keys(row).some((name) => names.includes(name.toLowerCase().replaceAll(/[^a-z]/g, '')));

/** Those that fit; undefined when they could not be read, or when none fits and not all of them tell that. */
export function thoseOf(
  connections: readonly SqlConnection[] | undefined,
  fits: (one: SqlConnection) => boolean,
  needed: keyof SqlConnection['tells'],
): readonly SqlConnection[] | undefined {
  const those = connections?.filter(fits) ?? [];
  const isTold = connections?.every(({ tells }) => tells[needed]) === true;
  return those.length === 0 && !isTold ? undefined : those;
}

export const connectionOf = (row: UnnamedFields): SqlConnection => ({
  id: numberUnder(row, 'id', 'processid', 'connectionid', 'threadid'),
  user: reportedUnder(row, 'user', 'username'),
  database: reportedUnder(row, 'db', 'database'),
  tells: { user: has(row, 'user', 'username'), database: has(row, 'db', 'database') },
  busy: /^(?:query|execute)$/i.test(reportedUnder(row, 'command') ?? ''),
});

/** Undefined when it cannot be read, which keeps nobody from acting: a server in trouble may not tell what it does. */
export async function readConnections(
  appliance: AskedAppliance,
): Promise<readonly SqlConnection[] | undefined> {
  const rows = readIn(await settle(appliance.sqldb.listProcesses()));
  // A server that lists its processes is busy with that: none at all was not read.
  return rows === undefined || rows.length === 0 ? undefined : rows.map(connectionOf);
}

/** Why it is not known who is connected. */
export const unread = (connections: readonly SqlConnection[] | undefined): string =>
  connections === undefined ? 'could not be read' : 'not reported';

/** "7 connections, 2 of them busy" */
export function countOf(connections: readonly SqlConnection[] | undefined): Text {
  if (connections === undefined) return say`could not be read`;
  const busy = connections.filter((one) => one.busy).length;
  return say`${plural(connections.length, 'connection')}${busy === 0 ? '' : `, ${busy} of them busy`}`;
}

/** The highest number that a connection has; it begins anew with every start of the server. */
export function newestIn(connections: readonly SqlConnection[] | undefined): number | undefined {
  const ids = (connections ?? []).flatMap(({ id }) => id ?? []);
  return ids.length === 0 ? undefined : Math.max(...ids);
}
