import { openFile } from '../src/journal/storage/sqlite-connection.ts';

/**
 * These tests survive no power cut, so that no commit has to wait for the disk. `database.test.ts` tests the bot's own
 * settings.
 */
export const unsynced: typeof openFile = (file, parts) => openFile(file, { ...parts, isSynced: false });
