import { openDatabase, pragmasFor } from '../src/journal/storage/sqlite-connection.ts';

/** Nobody pulls the plug here, so that no commit has to wait for the disk. That the bot's do: `database.test.ts`. */
export const unsynced: typeof openDatabase = (file, survives, commits, keeper) =>
  openDatabase(file, survives, commits, keeper, `${pragmasFor(survives)} pragma synchronous = off;`);
