import {
  type AskedAppliance,
  type DatabasePrivileges,
  IncompleteList,
  type SqlPrivileges,
  type UnnamedFields,
} from '../../api/index.ts';
import { type Listing, listing, NotListed } from '../listing.ts';
import { readIn, settle } from '../wording/answer.ts';
import { isGranted } from './privileges.ts';
import { type OnUser, sureAccount } from './users.ts';

/** Whether a user's privileges name a database; unknown if the appliance reports no databases there. */
export type Naming = 'yes' | 'no' | 'unknown';

/**
 * The shape of a user's privileges is undocumented (appliance-api.md §4.5), so this searches for the database's
 * whole name among names, values and lists. An appliance that refuses to report them is no failure here; an
 * unreachable one is.
 */
export async function readPrivilegesOn(
  appliance: AskedAppliance,
  args: OnUser & { readonly database: string },
  seek: (fits: (one: DatabasePrivileges) => boolean) => ReturnType<Listing<DatabasePrivileges>['seek']> = (
    fits,
  ) => databasesOf(args).seek(appliance, fits),
): Promise<Naming> {
  const wanted = args.database.toLowerCase();
  try {
    const { found } = await seek((one) => one.database.toLowerCase() === wanted && isGranted(one));
    return found === undefined ? 'no' : 'yes';
  } catch (error) {
    // Only `databasesOf` is searched here.
    if (error instanceof NotListed) return namingIn((error.told as ToldOfUser)?.fields ?? {}, args.database);
    throw error;
  }
}

/** The report on a user's privileges; undefined if the appliance refuses. */
type ToldOfUser = SqlPrivileges | undefined;

async function readTold(appliance: AskedAppliance, args: OnUser): Promise<ToldOfUser> {
  const { user, host } = sureAccount(args);
  const answer = await settle(appliance.sqldb.getPrivileges({ username: user, host }));
  if (!answer.answered && answer.failure.code !== 'refused') throw answer.failure;
  return readIn(answer);
}

/** The databases on which a user has privileges. */
export const databasesOf = (args: OnUser): Listing<DatabasePrivileges> =>
  listing<DatabasePrivileges>({
    things: 'databases of the user',
    read: async (appliance) => {
      const told = await readTold(appliance, args);
      if (told?.databases === undefined)
        throw new NotListed('the API does not report the privileges on single databases', told);
      return told.databases;
    },
    keyOf: ({ database }) => database.toLowerCase(),
    // Listing databases shows that the server has loaded its data.
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
