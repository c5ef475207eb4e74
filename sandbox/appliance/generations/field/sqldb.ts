import { type Privilege, privileges, type SimulatedSqlUser } from '../../company/sqldb.ts';
import type { Order } from '../../route.ts';
import { type Layers, said } from '../generation.ts';

/** The SQL server, as the vendor's client reads it. */
export const sqldb: Layers = {
  // One account, flat.
  'POST /sqldb/user/{username}/{host}': said((order) => {
    const user = accountOf(order);
    return { Status: true, Error: '', User: user.user, Host: user.host, ...flags(user.privileges) };
  }),
  // Database by database: none is global.
  '- /sqldb/user/{username}/{host}/privileges': said((order) => ({
    Status: true,
    Error: '',
    Databases: [...accountOf(order).databases].map((DatabaseName) => ({
      DatabaseName,
      ...flags(granted),
    })),
  })),
  '- /sqldb/databases': said(({ state }) => ({
    Status: true,
    Error: '',
    Databases: [...state.sqldb.databases.values()].map(({ name, bytes }) => ({ Name: name, Size: bytes })),
  })),
};

/** The privileges of a grant on a database. */
const granted: ReadonlySet<Privilege> = new Set(privileges.filter((one) => one !== 'Grant_priv'));

/** The account exists, or the operation would have been refused. */
function accountOf({ state, slots }: Order): SimulatedSqlUser {
  const [name, host] = [slots.get('username'), slots.get('host')];
  return state.sqldb.users.find((one) => one.user === name && one.host === host) as SimulatedSqlUser;
}

function flags(granted: ReadonlySet<Privilege>) {
  return Object.fromEntries(privileges.map((privilege) => [privilege, granted.has(privilege) ? 'Y' : 'N']));
}
