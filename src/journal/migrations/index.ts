import type { Migration } from 'kysely/migration';
import * as actions from './2026-11-21-actions.ts';
import * as kept from './2026-11-21-kept.ts';
import * as owed from './2026-11-21-owed.ts';
import * as approvals from './2026-11-22-approvals.ts';
import * as leases from './2026-11-22-leases.ts';
import * as reloads from './2026-11-22-reloads.ts';
import * as outbox from './2026-11-23-outbox.ts';
import * as replicas from './2026-11-23-replicas.ts';
import * as audit from './2026-11-24-audit.ts';
import * as toldOnce from './2026-11-25-reloads.ts';
import * as taken from './2026-11-25-taken.ts';
import * as deliveries from './2026-11-26-deliveries.ts';
import * as delivered from './2026-11-27-actions.ts';

/**
 * In the order of their names, so a new one comes last; one that was released is never edited. The same for SQLite and
 * PostgreSQL.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  '2026-11-21-actions': actions,
  '2026-11-21-kept': kept,
  '2026-11-21-owed': owed,
  '2026-11-22-approvals': approvals,
  '2026-11-22-leases': leases,
  '2026-11-22-reloads': reloads,
  '2026-11-23-outbox': outbox,
  '2026-11-23-replicas': replicas,
  '2026-11-24-audit': audit,
  '2026-11-25-reloads': toldOnce,
  '2026-11-25-taken': taken,
  '2026-11-26-deliveries': deliveries,
  '2026-11-27-actions': delivered,
};
