import type { Migration } from 'kysely/migration';
import * as actions from './2026-11-21-actions.ts';

/** In the order of their names; a migration that was released is never edited. */
export const migrations: Readonly<Record<string, Migration>> = {
  '2026-11-21-actions': actions,
};
