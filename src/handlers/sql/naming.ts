import {
  type AskedAppliance,
  type DatabasePrivileges,
  IncompleteList,
  type SqlPrivileges,
  type UnnamedFields,
} from '../../api/index.ts';
import { type Listing, listing } from '../listing.ts';
import { readIn, settle } from '../wording/answer.ts';
import { isGranted } from './privileges.ts';
import { type OnUser, sureAccount } from './users.ts';

/** Whether a user's privileges name a database; unknown where the appliance tells nothing of databases there. */
export type Naming = 'yes' | 'no' | 'unknown';

/**
 * The document does not show what the privileges of a user look like (appliance-api.md §4.5), so a database is only
 * looked for by its whole name among names, values and lists. An appliance that will not tell a user's privileges is
 * no failure here; one that cannot be reached is.
 */
export async function readPrivilegesOn(
  appliance: AskedAppliance,
  args: OnUser & { readonly database: string },
  seek: (fits: (one: DatabasePrivileges) => boolean) => ReturnType<Listing<DatabasePrivileges>['seek']> = (
    fits,
  ) => databasesOf(args).seek(appliance, fits),
): Promise<Naming> {
  const told = await readTold(appliance, args);
  if (told?.databases === undefined) return namingIn(told?.fields ?? {}, args.database);
  const wanted = args.database.toLowerCase();
  const { found } = await seek((one) => one.database.toLowerCase() === wanted && isGranted(one));
  return found === undefined ? 'no' : 'yes';
}

async function readTold(appliance: AskedAppliance, args: OnUser): Promise<SqlPrivileges | undefined> {
  const { user, host } = sureAccount(args);
  const answer = await settle(appliance.sqldb.getPrivileges({ username: user, host }));
  if (!answer.answered && answer.failure.code !== 'refused') throw answer.failure;
  return readIn(answer);
}

/** The databases on which a user has privileges; empty where the appliance does not list them. */
export const databasesOf = (args: OnUser): Listing<DatabasePrivileges> =>
  listing<DatabasePrivileges>({
    things: 'databases of the user',
    read: async (appliance) => (await readTold(appliance, args))?.databases ?? [],
    keyOf: ({ database }) => database.toLowerCase(),
    // It lists its own databases, so that it has read what it keeps.
    isUp: async ({ sqldb }) => (await sqldb.listDatabases()).length > 0,
  });

export function unknownWhereIncomplete(error: unknown): Naming {
  if (error instanceof IncompleteList) return 'unknown';
  throw error;
}

export function namingIn(fields: UnnamedFields, database: string): Naming {
  const about = Object.entries(fields).filter(
    ([name, value]) =>
      !/^(?:|\[\]|\{\})$/.test(value) &&
      /databases?|grants?|schemas?|dbs?$/i.test(name) &&
      !/_priv$/i.test(name),
  );
  if (about.length === 0) return 'unknown';
  const wanted = database.toLowerCase();
  const words = about.flatMap(([name, value]) =>
    `${name.slice(name.indexOf('.') + 1)} ${value}`.toLowerCase().split(/[^\w$-]+/),
  );
  return words.includes(wanted) ? 'yes' : 'no';
}
