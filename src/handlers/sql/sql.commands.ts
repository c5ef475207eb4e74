import type { UnnamedFields } from '../../api/index.ts';
import { change, lookup } from '../declare.ts';
import { type Field, plural, say, strong } from '../reply.ts';
import { happened, notCheckable, notHappened, ready } from '../results.ts';
import { impossible } from '../understanding/impossible.ts';
import { reportedTable } from '../wording/reported.ts';
import { connectionOf, countOf, newestIn, readConnections } from './connections.ts';

export const processes = lookup({
  phrase: 'sql processes',
  says: `
    sql processes / what is the database doing / running queries / database connections / slow queries /
    show processlist / database is slow / who is connected to the database / kill query /
    mysql processlist / which queries run / mysql is slow / who is connected to mysql /
    database connections hanging / running sql statements / what is running on mysql /
    which queries are running / what is the sql server doing / long running queries / database is hanging /
    what blocks the database / mysql connections / who is using the database /
    show processes of the database / mysql load / is a query stuck
  `,
  also: ['sql connections'],
  summary: 'Show what the SQL server is doing: its connections and their statements',
  answer: async ({ appliance }) => {
    const rows = await appliance.sqldb.listProcesses();
    if (rows.length === 0)
      return { headline: say`The SQL server of ${strong(appliance.name)} reports no connections` };
    const busy = rows.map(connectionOf).filter((one) => one.busy).length;
    return {
      headline: say`${strong(plural(rows.length, 'connection'))} to the SQL server, ${busy === 0 ? 'none of them busy' : `${busy} of them with a statement at this moment`}`,
      details: [await reportedTable(rows.map(withDashes))],
    };
  },
});

/** What is empty is so on purpose: a connection that sleeps has no statement. */
const withDashes = (row: UnnamedFields): UnnamedFields =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === '' ? '–' : value]));

export const restart = change({
  phrase: 'sql restart',
  says: `
    restart database / restart mysql / restart sql server / bounce the database / database hangs /
    restart mariadb / mysql hangs, restart it / restart the database server / restart the sql service /
    restart the mysql server / mysql is stuck, restart / restart the db / reboot the database / kick mysql /
    database does not answer, restart it
  `,
  also: ['sql service restart', 'sql server restart'],
  summary: 'Restart the SQL server: every connection to it breaks',
  effect: 'destructive',
  verb: 'Restart',
  doing: () => say`Restarting the SQL server`,
  done: () => say`The SQL server is restarted`,
  preview: async ({ appliance }) => {
    const connections = await readConnections(appliance);
    const users = [...new Set((connections ?? []).flatMap(({ user }) => user ?? []))];
    const fields: readonly Field[] = [
      { name: 'Breaks', value: countOf(connections) },
      ...(users.length === 0 ? [] : [{ name: 'Connections of', value: say`${users.join(', ')}` }]),
    ];
    return ready({
      question: say`Restart the SQL server of ${strong(appliance.name)}? Statements that run now are broken off.`,
      fields,
      // Connections come and go while somebody reads the question: it stays the same restart.
      fingerprint: {},
    });
  },
  run: async ({ appliance }) => {
    const before = newestIn(await readConnections(appliance));
    const { confirmed } = await appliance.sqldb.restart();
    return { confirmed, learned: { newest: before ?? null } };
  },
  verify: async ({ appliance }, { newest }) => {
    const now = newestIn((await appliance.sqldb.listProcesses()).map(connectionOf));
    if (typeof newest !== 'number' || now === undefined)
      return notCheckable`the process list does not number the connections, and nothing else tells one run of the server from the next`;
    return now < newest
      ? happened`Processes read back: the server numbers its connections anew, up to ${now} and not ${newest}.`
      : notHappened`Processes read back: the server goes on numbering its connections (${now} after ${newest}): it is the same run as before.`;
  },
  // It may be out of reach until it has read its logs.
  lasts: 60_000,
});

export const deleteSqlUser = impossible({
  says: `
    delete mysql user <user> / drop sql user <user> / remove mysql account <user> / delete mysql user /
    remove the sql user <user> / drop database user <user>
  `,
  why: 'The Web API can create an SQL user and revoke its privileges, but has no call that deletes one.',
  source: 'appliance-api.md §4.5',
  nearest: ['sql user revoke <user> [--host]', 'sql users'],
});

export const sqlPassword = impossible({
  says: `
    change the mysql password of <user> / reset password of sql user <user> /
    new password for database user <user>
  `,
  why: 'The Web API sets the password of an SQL user when it is created, and has no call that changes it.',
  source: 'appliance-api.md §4.5',
  nearest: ['sql users'],
});

export const runSql = impossible({
  says: `
    run a sql query / execute a sql statement / select from a table / show the tables of a database /
    kill mysql query
  `,
  why: 'The Web API lists the statements that run on the SQL server, but has no call that runs or stops one.',
  source: 'appliance-api.md §4.5',
  nearest: ['sql processes', 'sql databases'],
});

export const backUpSql = impossible({
  says: `
    backup mysql / dump the database / export the sql database / restore mysql from backup
  `,
  why: 'The Web API has no call that backs up or restores a database of the SQL server.',
  source: 'appliance-api.md §4.5',
  nearest: ['sql databases'],
});

export const stopSql = impossible({
  says: `
    stop mysql / shut down the sql server / start mysql / turn off the database server
  `,
  why: 'The Web API can restart the SQL server, but has no call that only stops or only starts it.',
  source: 'appliance-api.md §4.5',
  nearest: ['sql restart', 'sql processes'],
});
