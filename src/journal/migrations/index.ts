import type { Migration } from 'kysely/migration';
import * as actions from './2026-11-21-actions.ts';
import * as kept from './2026-11-21-kept.ts';
import * as owed from './2026-11-21-owed.ts';

/** In the order of their names; a migration that was released is never edited. */
export const migrations: Readonly<Record<string, Migration>> = {
  '2026-11-21-actions': actions,
  '2026-11-21-kept': kept,
  '2026-11-21-owed': owed,
};
