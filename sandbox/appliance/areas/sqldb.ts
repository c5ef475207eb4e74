import { type Privilege, privileges, type SimulatedSqlUser } from '../company/sqldb.ts';
import { done, refused } from '../envelope.ts';
import type { Area, Order } from '../route.ts';
import { processesAt, restart } from './sqldb-processes.ts';

/** The SQL database server: appliance-api.md §4.5. But for the user list, the document shows no shape. */
export const sqldb: Area = {
  routes: [
    {
      method: '-',
      path: '/sqldb/service/restart',
      answer({ state, now }) {
        restart(state.sqldb.server, now);
        return done('The SQL server is restarted');
      },
    },
    {
      method: '-',
      path: '/sqldb/service/processes',
      answer: ({ state, now }) => ({ ...done(), Processes: processesAt(state.sqldb, now) }),
    },
    {
      method: '-',
      path: '/sqldb/users',
      answer: ({ state }) => ({ ...done(), Users: state.sqldb.users.map(shown) }),
    },
    { method: 'POST', path: '/sqldb/users/create', answer: createUser },

    // On all databases: the document shows no further fields, so it is everything or nothing.
    {
      method: 'POST',
      path: '/sqldb/users/grant',
      answer: (order) =>
        withUser(order, order.form.get('User'), order.form.get('Host'), (user) => {
          for (const privilege of privileges) if (privilege !== 'Grant_priv') user.privileges.add(privilege);
          return done(`${nameOf(user)} has all privileges`);
        }),
    },
    {
      method: 'POST',
      path: '/sqldb/users/revoke',
      answer: (order) =>
        withUser(order, order.form.get('User'), order.form.get('Host'), (user) => {
          user.privileges.clear();
          return done(`${nameOf(user)} has no privileges`);
        }),
    },

    // The document does not say what it does. Here it answers the user's record and changes nothing.
    {
      method: 'POST',
      path: '/sqldb/user/{username}/{host}',
      answer: (order) => withUserOfPath(order, (user) => ({ ...done(), User: shown(user) })),
    },
    {
      method: '-',
      path: '/sqldb/user/{username}/{host}/privileges',
      answer: (order) =>
        withUserOfPath(order, (user) => ({
          ...done(),
          Privileges: shown(user),
          Databases: [...user.databases],
        })),
    },
    {
      method: '-',
      path: '/sqldb/database/grant/{database}/{username}/{host}',
      answer: (order) =>
        withUserOfPath(order, (user) => {
          const database = order.slots.get('database');
          if (!order.state.sqldb.databases.has(database)) return refused('database not found');
          user.databases.add(database);
          return done(`${nameOf(user)} has all privileges on ${database}`);
        }),
    },
    {
      method: '-',
      path: '/sqldb/database/revoke/{database}/{username}/{host}',
      answer: (order) =>
        withUserOfPath(order, (user) => {
          const database = order.slots.get('database');
          if (!order.state.sqldb.databases.has(database)) return refused('database not found');
          if (!user.databases.delete(database)) return refused('there is no such grant');
          return done(`${nameOf(user)} has no privileges on ${database}`);
        }),
    },
    {
      method: '-',
      path: '/sqldb/databases',
      answer: ({ state }) => ({
        ...done(),
        Databases: [...state.sqldb.databases.values()].map(({ name, tables, bytes }) => ({
          Database: name,
          Tables: tables,
          SizeBytes: bytes,
        })),
      }),
    },
    {
      method: '-',
      path: '/sqldb/database/create/{database}',
      answer({ state, slots }) {
        const name = slots.get('database');
        if (!/^[\w$-]{1,64}$/.test(name)) return refused('malformed database name');
        if (state.sqldb.databases.has(name)) return refused('database exists already');
        state.sqldb.databases.set(name, { name, tables: 0, bytes: 0 });
        return done(`Database ${name} is created`);
      },
    },
    {
      method: 'POST',
      path: '/sqldb/database/delete/{database}',
      answer({ state, slots }) {
        const name = slots.get('database');
        if (indispensable.has(name)) return refused('a database of the server itself is not deleted');
        if (!state.sqldb.databases.delete(name)) return refused('database not found');
        // A new database of this name must not inherit the grants of the old one.
        for (const user of state.sqldb.users) user.databases.delete(name);
        return done(`Database ${name} is deleted`);
      },
    },
  ],
};

const indispensable = new Set(['information_schema', 'mysql', 'performance_schema']);

/** Every column of the record, a letter each, and never the password. */
function shown({ user, host, privileges: granted }: SimulatedSqlUser) {
  const flags = privileges.map((privilege) => [privilege, granted.has(privilege) ? 'Y' : 'N']);
  return { User: user, Host: host, ...Object.fromEntries(flags) };
}

function nameOf({ user, host }: SimulatedSqlUser): string {
  return `${user}@${host}`;
}

function createUser({ state, form }: Order) {
  const [user, host, password] = [form.get('User') ?? '', form.get('Host') ?? '', form.get('Password') ?? ''];
  if (!/^[^\s'"`\\@]{1,80}$/.test(user)) return refused('User is missing or malformed');
  if (!/^[\w.:%/-]{1,255}$/.test(host)) return refused('Host is missing or malformed');
  if (password === '') return refused('Password is missing');
  if (state.sqldb.users.some((one) => one.user === user && one.host === host))
    return refused('user exists already');
  const created = { user, host, password, privileges: new Set<Privilege>(), databases: new Set<string>() };
  state.sqldb.users.push(created);
  return done(`${nameOf(created)} is created`);
}

/** The account is a name and a host as they are stored: `%` is a letter like any other here, and finds only itself. */
function withUser(
  { state }: Order,
  name: string | null,
  host: string | null,
  answer: (user: SimulatedSqlUser) => object,
): object {
  const found = state.sqldb.users.find((one) => one.user === name && one.host === host);
  return found === undefined ? refused('user not found') : answer(found);
}

function withUserOfPath(order: Order, answer: (user: SimulatedSqlUser) => object): object {
  return withUser(order, order.slots.get('username'), order.slots.get('host'), answer);
}
