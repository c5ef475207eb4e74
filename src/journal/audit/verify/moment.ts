import type { Database } from '../../database.ts';

/**
 * Reads what belongs together, as it stands at one moment. It has to be short, a page of rows: as long as somebody looks at an old moment, nothing that an
 * embedded journal wrote since then can be moved from its log into its file, and PostgreSQL cleans up nothing.
 */
export const atOneMoment = <Value>(
  database: Database,
  read: (moment: Database) => Promise<Value>,
): Promise<Value> => database.transaction().setIsolationLevel('repeatable read').execute(read);
