import type { AskedAppliance, UnnamedFields } from '../../api/index.ts';
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
): Promise<Naming> {
  const { user, host } = sureAccount(args);
  const answer = await settle(appliance.sqldb.getPrivileges({ username: user, host }));
  if (!answer.answered && answer.failure.code !== 'refused') throw answer.failure;
  const told = readIn(answer);
  if (told?.databases === undefined) return namingIn(told?.fields ?? {}, args.database);
  const wanted = args.database.toLowerCase();
  return told.databases.some((one) => one.database.toLowerCase() === wanted && isGranted(one)) ? 'yes' : 'no';
}

export function namingIn(fields: UnnamedFields, database: string): Naming {
  const about = Object.entries(fields).filter(
    ([name, value]) =>
      value !== '' && /databases?|grants?|schemas?|dbs?$/i.test(name) && !/_priv$/i.test(name),
  );
  if (about.length === 0) return 'unknown';
  const wanted = database.toLowerCase();
  const words = about.flatMap(([name, value]) =>
    `${name.slice(name.indexOf('.') + 1)} ${value}`.toLowerCase().split(/[^\w$-]+/),
  );
  return words.includes(wanted) ? 'yes' : 'no';
}
