import type { SimulatedClient, SqldbState } from '../company/sqldb.ts';
import { secondsBetween } from '../times.ts';

/** One row, in the manner of an SQL server's process list: the document shows none (§4.5). */
interface Process {
  readonly Id: number;
  readonly User: string;
  readonly Host: string;
  readonly db: string | null;
  readonly Command: 'Query' | 'Sleep';
  /** Seconds in this command. */
  readonly Time: number;
  readonly State: string;
  /** The statement; null while the connection sleeps. */
  readonly Info: string | null;
}

/** The current connections and their statements. The last row is the connection that asks. */
export function processesAt({ server, clients, databases }: SqldbState, now: Date): Process[] {
  const uptime = secondsBetween(server.startedAt, now);
  const connected = clients.filter(
    ({ connectsAfter, database }) =>
      connectsAfter <= uptime && (database === null || databases.has(database)),
  );
  return [
    ...connected.map((client) => processOf(client, server.firstConnection + clients.indexOf(client), uptime)),
    {
      Id: server.firstConnection + clients.length,
      User: 'root',
      Host: 'localhost',
      db: null,
      Command: 'Query',
      Time: 0,
      State: 'starting',
      Info: 'SHOW FULL PROCESSLIST',
    },
  ];
}

/** Breaks every connection; the clients come back one after the other. The server is up again when this answers. */
export function restart(server: SqldbState['server'], now: Date): void {
  server.pid += 71;
  server.startedAt = now;
  server.firstConnection = 1;
}

function processOf(client: SimulatedClient, Id: number, uptime: number): Process {
  const since = (uptime - client.connectsAfter) % client.every;
  const row = { Id, User: client.user, Host: client.host, db: client.database } as const;
  return since < client.takes
    ? { ...row, Command: 'Query', Time: since, State: 'executing', Info: client.statement }
    : { ...row, Command: 'Sleep', Time: since - client.takes, State: '', Info: null };
}
