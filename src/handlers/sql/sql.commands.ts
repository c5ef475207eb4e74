import type { UnnamedFields } from '../../api/index.ts';
import { change, lookup } from '../declare.ts';
import { answeredFrom, countText } from '../listing.ts';
import { type Field, say, strong } from '../reply.ts';
import { happened, notCheckable, notHappened, ready } from '../results.ts';
import { impossible } from '../understanding/impossible.ts';
import { acting } from '../wording/acting.ts';
import { reportedTable } from '../wording/reported.ts';
import { statusBehind } from '../wording/service-process.ts';
import { connectionOf, countOf, newestIn, processList, readConnections } from './connections.ts';

export const processes = lookup({
  phrase: 'sql processes',
  says: `
    sql processes / what is the database doing / running queries / database connections / slow queries /
    show processlist / database is slow / who is connected to the database / kill query /
    mysql processlist / which queries run / mysql is slow / who is connected to mysql /
    database connections hanging / running sql statements / what is running on mysql /
    which queries are running / what is the sql server doing / long running queries / database is hanging /
    what blocks the database / mysql connections / who is using the database /
    show processes of the database / mysql load / is a query stuck / give me the sql sessions of <address> /
    which clients use the database / is mysql busy / what is mysql doing /
    connections to mysql from <address> / sql connections / open sql connections / why is the database slow
  `,
  also: ['sql connections'],
  summary: 'List SQL connections and their statements',
  answer: answeredFrom(
    () => processList,
    async (look, { appliance }) => {
      const { all, lack } = look;
      if (all.length === 0)
        return { headline: say`The SQL server of ${strong(appliance.name)} reports no connections` };
      const busy = all.map(connectionOf).filter((one) => one.busy).length;
      const none = lack === undefined ? 'none of them busy' : 'none of those listed busy';
      return {
        headline: say`${countText(look, 'connection')} to the SQL server, ${busy === 0 ? none : `${busy} of them running a statement`}`,
        details: [await reportedTable(all.map(withDashes))],
      };
    },
  ),
});

/** A dash for an empty value: a sleeping connection has no statement. */
const withDashes = (row: UnnamedFields): UnnamedFields =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === '' ? '–' : value]));

export const restart = change({
  ...acting('Restart', 'the SQL server'),
  phrase: 'sql restart',
  says: `
    restart database / restart mysql / restart sql server / bounce the database / database hangs /
    restart mariadb / mysql hangs, restart it / restart the database server / restart the sql service /
    restart the mysql server / mysql is stuck, restart / restart the db / reboot the database / kick mysql /
    database does not answer, restart it
  `,
  also: ['sql service restart', 'sql server restart'],
  summary: 'Restart the SQL server: all connections drop',
  effect: 'destructive',
  preview: async ({ appliance }) => {
    const connections = await readConnections(appliance);
    const users = [...new Set((connections?.all ?? []).flatMap(({ user }) => user ?? []))];
    const fields: readonly Field[] = [
      { name: 'Impact', value: countOf(connections) },
      ...(users.length === 0 ? [] : [{ name: 'Connections of', value: say`${users.join(', ')}` }]),
    ];
    return ready({
      question: say`Restart the SQL server of ${strong(appliance.name)}? Running statements are aborted.`,
      fields,
      // Connections change while somebody reads the question, so they are not confirmed.
      fingerprint: {},
    });
  },
  run: async ({ appliance }) => {
    const before = newestIn(await readConnections(appliance));
    const { confirmed } = await appliance.sqldb.restart();
    return { confirmed, learned: { newest: before ?? null } };
  },
  verify: async ({ appliance }, { newest }) => {
    const { all, lack } = await processList.look(appliance);
    // The newest may be missing from the list.
    if (lack !== undefined) return notCheckable`${appliance.name} ${lack}`;
    const now = newestIn({ all: all.map(connectionOf) });
    if (typeof newest !== 'number' || now === undefined)
      return notCheckable`the process list has no connection IDs, and nothing else shows a restart`;
    return now < newest
      ? happened`Processes read back: connection IDs started over, up to ${now} instead of ${newest}.`
      : notHappened`Processes read back: connection IDs continue (${now} after ${newest}), so the server did not restart.`;
  },
  // It may be unreachable until it has read its logs.
  lasts: 60_000,
  shownWithin: statusBehind,
});

export const deleteSqlUser = impossible({
  says: `
    delete mysql user <user> / drop sql user <user> / remove mysql account <user> / delete mysql user /
    remove the sql user <user> / drop database user <user>
  `,
  why: 'The Web API can create an SQL user and revoke its privileges, but cannot delete one.',
  source: 'appliance-api.md §4.5',
  nearest: ['sql user revoke <user> [--host]', 'sql users'],
});

export const sqlPassword = impossible({
  says: `
    change the mysql password of <user> / reset password of sql user <user> /
    new password for database user <user>
  `,
  why: 'The Web API sets the password of an SQL user when it is created, but cannot change it.',
  source: 'appliance-api.md §4.5',
  nearest: ['sql users'],
});

export const runSql = impossible({
  says: `
    run a sql query / execute a sql statement / select from a table / show the tables of a database /
    kill mysql query / kill sql session <number> / stop the sql query <number> / kill query <number> /
    disconnect the sql session <number> / abort the sql statement / kill the mysql process <number> /
    kill long running query
  `,
  why: 'The Web API lists running SQL statements, but cannot run or stop one.',
  source: 'appliance-api.md §4.5',
  nearest: ['sql processes', 'sql databases'],
});

export const backUpSql = impossible({
  says: `
    backup mysql / dump the database / export the sql database / restore mysql from backup /
    restore the <database> database / restore database <database> from yesterday /
    get yesterday's copy of <database> / export database <database>
  `,
  why: 'The Web API cannot back up or restore a database of the SQL server.',
  source: 'appliance-api.md §4.5',
  nearest: ['sql databases'],
});

export const stopSql = impossible({
  says: `
    stop mysql / shut down the sql server / start mysql / turn off the database server
  `,
  why: 'The Web API can restart the SQL server, but cannot only stop or start it.',
  source: 'appliance-api.md §4.5',
  nearest: ['sql restart', 'sql processes'],
});

export const sqlLog = impossible({
  says: `
    did anybody run drop table / show the sql log / sql log of user <user> / sql audit log /
    who ran this query / which statements did <user> run / which queries were blocked /
    turn on sql filtering / enable the sql filter / block the statement drop table /
    allow delete statements / log of sql statements / who read the table <table> / sql rules /
    who deleted rows / slow query log / what sql statements were blocked /
    why was the query from <address> rejected / rejected by the database filter / blocked sql statements /
    denied queries / who ran the query
  `,
  why: 'The Web API lists SQL users, their privileges and the statements that run now, but keeps no log of statements and cannot filter them.',
  source: 'appliance-api.md §4.5',
  nearest: ['sql processes', 'sql user <user> [--host]'],
});
