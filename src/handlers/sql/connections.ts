import type { AskedAppliance, UnnamedFields } from '../../api/index.ts';
import { countText, type Look, listing } from '../listing.ts';
import { say, type Text } from '../reply.ts';
import { readIn, settle } from '../wording/answer.ts';
import { numberUnder, reportedUnder } from '../wording/reported.ts';

/** The used fields of a row in the process list, which are undocumented (appliance-api.md §4.5). */
export interface SqlConnection {
  readonly id: number | undefined;
  readonly user: string | undefined;
  readonly database: string | undefined;
  /** Whether it is running a statement. */
  readonly busy: boolean;
  /** Whether the row has these fields at all: a connection without a database has an empty one. */
  readonly tells: { readonly user: boolean; readonly database: boolean };
}

const has = (row: UnnamedFields, ...names: readonly string[]): boolean =>
  Object.keys(row).some((name) => names.includes(name.toLowerCase().replaceAll(/[^a-z]/g, '')));

/** The matching ones; undefined if they could not be read, or if none matches and some rows lack the field. */
export function thoseOf(
  connections: Connections | undefined,
  fits: (one: SqlConnection) => boolean,
  needed: keyof SqlConnection['tells'],
): readonly SqlConnection[] | undefined {
  const those = connections?.all.filter(fits) ?? [];
  const isTold =
    connections?.lack === undefined && connections?.all.every(({ tells }) => tells[needed]) === true;
  return those.length === 0 && !isTold ? undefined : those;
}

/** Those that were listed, and what the list lacks. */
export type Connections = Look<SqlConnection>;

export const processList = listing<UnnamedFields>({
  things: 'connections',
  read: ({ sqldb }) => sqldb.listProcesses(),
  keyOf: (row) => connectionOf(row).id,
});

export const connectionOf = (row: UnnamedFields): SqlConnection => ({
  id: numberUnder(row, 'id', 'processid', 'connectionid', 'threadid'),
  user: reportedUnder(row, 'user', 'username'),
  database: reportedUnder(row, 'db', 'database'),
  tells: { user: has(row, 'user', 'username'), database: has(row, 'db', 'database') },
  busy: /^(?:query|execute)$/i.test(reportedUnder(row, 'command') ?? ''),
});

/** Undefined if they cannot be read. That blocks nobody: a server in trouble may not answer. */
export async function readConnections(appliance: AskedAppliance): Promise<Connections | undefined> {
  const look = readIn(await settle(processList.look(appliance)));
  // Listing processes is itself a process, so an empty list was not read.
  return look === undefined || look.all.length === 0
    ? undefined
    : { ...look, all: look.all.map(connectionOf) };
}

export const unread = (connections: Connections | undefined): string => {
  if (connections === undefined) return 'could not be read';
  return connections.lack === undefined ? 'not reported' : 'not known: the list is incomplete';
};

/** "7 connections, 2 of them busy" */
export function countOf(connections: Connections | undefined): Text {
  if (connections === undefined) return say`could not be read`;
  const busy = connections.all.filter((one) => one.busy).length;
  return say`${countText(connections, 'connection')}${busy === 0 ? '' : `, ${busy} of them busy`}`;
}

/** The highest number of a connection; it restarts with the server. */
export function newestIn(connections: Pick<Connections, 'all'> | undefined): number | undefined {
  const ids = (connections?.all ?? []).flatMap(({ id }) => id ?? []);
  return ids.length === 0 ? undefined : Math.max(...ids);
}
