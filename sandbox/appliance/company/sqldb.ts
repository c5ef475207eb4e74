/** The privilege columns of a user record; the document names three of them as examples (§2.14). */
export const privileges = [
  'Select_priv',
  'Insert_priv',
  'Update_priv',
  'Delete_priv',
  'Create_priv',
  'Drop_priv',
  'Reload_priv',
  'Shutdown_priv',
  'Process_priv',
  'File_priv',
  'Grant_priv',
  'References_priv',
  'Index_priv',
  'Alter_priv',
  'Show_db_priv',
  'Super_priv',
  'Create_tmp_table_priv',
  'Lock_tables_priv',
  'Execute_priv',
  'Repl_slave_priv',
  'Repl_client_priv',
  'Create_view_priv',
  'Show_view_priv',
  'Create_routine_priv',
  'Alter_routine_priv',
  'Create_user_priv',
  'Event_priv',
  'Trigger_priv',
] as const;

export type Privilege = (typeof privileges)[number];

/** An account: a name from a host. The same name from another host is another account. */
export interface SimulatedSqlUser {
  readonly user: string;
  /** May hold the wildcard `%`. */
  readonly host: string;
  /** Never answered. */
  readonly password: string;
  /** On all databases. */
  readonly privileges: Set<Privilege>;
  /** The databases on which it was granted everything. */
  readonly databases: Set<string>;
}

interface SimulatedDatabase {
  readonly name: string;
  readonly tables: number;
  readonly bytes: number;
}

/** A program that holds a connection, and its repeated statements. */
export interface SimulatedClient {
  readonly user: string;
  readonly host: string;
  readonly database: string | null;
  /** Seconds after the start of the server until it connects. */
  readonly connectsAfter: number;
  /** Seconds from one statement to the next, and how many of them the statement takes. */
  readonly every: number;
  readonly takes: number;
  readonly statement: string;
}

export interface SqldbState {
  readonly server: {
    pid: number;
    startedAt: Date;
    /** The number of the first connection; a restart begins at 1 again. */
    firstConnection: number;
  };
  readonly users: SimulatedSqlUser[];
  /** By name. */
  readonly databases: Map<string, SimulatedDatabase>;
  readonly clients: readonly SimulatedClient[];
}

/** The SQL database server, up for 23 days. */
export function sqldbOfTheCompany(now: Date): SqldbState {
  const startedAt = new Date(now.getTime() - 23 * 86_400_000 - 4_271_000);
  return {
    server: { pid: 1893, startedAt, firstConnection: 18_204 },
    users: known.map(([user, host, granted, databases]) => ({
      user,
      host,
      password: `password-of-${user}-at-${host}`,
      privileges: new Set(granted),
      databases: new Set(databases),
    })),
    databases: new Map(stored.map(([name, tables, bytes]) => [name, { name, tables, bytes }])),
    clients: clients.map((client) => ({ ...client })),
  };
}

type Known = [user: string, host: string, granted: readonly Privilege[], databases: readonly string[]];

const reading: readonly Privilege[] = ['Select_priv', 'Show_db_priv', 'Show_view_priv'];

const known: readonly Known[] = [
  ['root', 'localhost', privileges, []],
  ['root', '127.0.0.1', privileges, []],
  ['proxy', 'localhost', [], ['proxydb', 'categories', 'quotas']],
  ['statistics', 'localhost', [...reading, 'Create_tmp_table_priv'], ['statistics']],
  [
    'webconsole',
    'localhost',
    [...reading, 'Reload_priv', 'Process_priv'],
    ['console', 'proxydb', 'categories'],
  ],
  ['rdpgateway', 'localhost', [], ['rdpproxy']],
  ['backup', '10.20.3.81', [...reading, 'Reload_priv', 'Lock_tables_priv', 'Event_priv', 'File_priv'], []],
  ['replica', '10.20.1.%', ['Repl_slave_priv', 'Repl_client_priv'], []],
  ['reports', '%', reading, ['statistics']],
  ['monitoring', '10.20.4.%', ['Process_priv', 'Repl_client_priv'], []],
];

const stored: readonly [name: string, tables: number, bytes: number][] = [
  ['information_schema', 79, 0],
  ['mysql', 31, 11_206_656],
  ['performance_schema', 81, 0],
  ['proxydb', 214, 486_539_264],
  ['categories', 71, 1_934_622_720],
  ['console', 96, 58_720_256],
  ['quotas', 12, 22_020_096],
  ['statistics', 388, 7_516_192_768],
  ['rdpproxy', 24, 9_437_184],
];

const clients: readonly SimulatedClient[] = [
  {
    user: 'webconsole',
    host: 'localhost',
    database: 'console',
    connectsAfter: 1,
    every: 30,
    takes: 1,
    statement: 'SELECT `value` FROM `settings` WHERE `name` = ?',
  },
  {
    user: 'proxy',
    host: 'localhost',
    database: 'proxydb',
    connectsAfter: 2,
    every: 7,
    takes: 2,
    statement: 'INSERT INTO `access_log` VALUES (?)',
  },
  {
    user: 'proxy',
    host: 'localhost',
    database: 'categories',
    connectsAfter: 4,
    every: 11,
    takes: 1,
    statement: 'SELECT `category` FROM `sites` WHERE `name` = ?',
  },
  {
    user: 'rdpgateway',
    host: 'localhost',
    database: 'rdpproxy',
    connectsAfter: 6,
    every: 60,
    takes: 1,
    statement: 'SELECT * FROM `sessions`',
  },
  {
    user: 'statistics',
    host: 'localhost',
    database: 'statistics',
    connectsAfter: 15,
    every: 300,
    takes: 140,
    statement: 'INSERT INTO `hourly` SELECT `site`, SUM(`bytes`) FROM `access` GROUP BY `site`',
  },
  {
    user: 'monitoring',
    host: '10.20.4.9:50112',
    database: null,
    connectsAfter: 25,
    every: 20,
    takes: 1,
    statement: 'SHOW GLOBAL STATUS',
  },
  {
    user: 'reports',
    host: '10.20.7.31:61004',
    database: 'statistics',
    connectsAfter: 50,
    every: 900,
    takes: 45,
    statement: 'SELECT `user`, SUM(`bytes`) FROM `daily` GROUP BY `user` ORDER BY 2 DESC LIMIT 100',
  },
];
