import type { Migration } from 'kysely/migration';
import * as actions from './0001-actions.ts';
import * as kept from './0002-kept.ts';
import * as owed from './0003-owed.ts';
import * as approvals from './0004-approvals.ts';
import * as leases from './0005-leases.ts';
import * as reloads from './0006-reloads.ts';
import * as outbox from './0007-outbox.ts';
import * as replicas from './0008-replicas.ts';
import * as audit from './0009-audit.ts';
import * as reloadReplicas from './0010-reload-replicas.ts';
import * as keptTaken from './0011-kept-taken.ts';
import * as deliveryHolders from './0012-delivery-holders.ts';
import * as actionDeliveries from './0013-action-deliveries.ts';
import * as schemaDrift from './0014-schema-drift.ts';
import * as interactions from './0015-interactions.ts';
import * as plainNames from './0016-plain-names.ts';
import * as generations from './0017-generations.ts';
import * as replicaState from './0018-replica-state.ts';
import * as claims from './0019-claims.ts';
import * as understoodAs from './0020-understood-as.ts';
import * as places from './0021-places.ts';
import * as watches from './0022-watches.ts';
import * as workflowSteps from './0023-workflow-steps.ts';
import * as temporaryChanges from './0024-temporary-changes.ts';
import * as tickets from './0025-tickets.ts';
import * as siteRequests from './0026-site-requests.ts';
import * as planned from './0027-planned.ts';
import * as webhooks from './0028-webhooks.ts';
import * as plans from './0029-plans.ts';
import * as told from './0030-told.ts';
import * as sizes from './0031-sizes.ts';
import * as siteRequestsIn from './0032-site-requests-in.ts';
import * as auditVerified from './0033-audit-verified.ts';
import * as cleaning from './0034-cleaning.ts';
import * as order from './0035-order.ts';
import * as orderedEnds from './0036-ordered-ends.ts';
import * as oneHolder from './0037-one-holder.ts';
import * as oneRequest from './0038-one-request.ts';

/**
 * In their order. A new one takes the next number and comes last, so that two branches that each add one conflict here. One
 * that is on the main branch is never changed: journals were made with it. The same for SQLite and PostgreSQL.
 */
const byNumber = {
  '0001': ['actions', actions],
  '0002': ['kept', kept],
  '0003': ['owed', owed],
  '0004': ['approvals', approvals],
  '0005': ['leases', leases],
  '0006': ['reloads', reloads],
  '0007': ['outbox', outbox],
  '0008': ['replicas', replicas],
  '0009': ['audit', audit],
  '0010': ['reload-replicas', reloadReplicas],
  '0011': ['kept-taken', keptTaken],
  '0012': ['delivery-holders', deliveryHolders],
  '0013': ['action-deliveries', actionDeliveries],
  '0014': ['schema-drift', schemaDrift],
  '0015': ['interactions', interactions],
  '0016': ['plain-names', plainNames],
  '0017': ['generations', generations],
  '0018': ['replica-state', replicaState],
  '0019': ['claims', claims],
  '0020': ['understood-as', understoodAs],
  '0021': ['places', places],
  '0022': ['watches', watches],
  '0023': ['workflow-steps', workflowSteps],
  '0024': ['temporary-changes', temporaryChanges],
  '0025': ['tickets', tickets],
  '0026': ['site-requests', siteRequests],
  '0027': ['planned', planned],
  '0028': ['webhooks', webhooks],
  '0029': ['plans', plans],
  '0030': ['told', told],
  '0031': ['sizes', sizes],
  '0032': ['site-requests-in', siteRequestsIn],
  '0033': ['audit-verified', auditVerified],
  '0034': ['cleaning', cleaning],
  '0035': ['order', order],
  '0036': ['ordered-ends', orderedEnds],
  '0037': ['one-holder', oneHolder],
  '0038': ['one-request', oneRequest],
} as const satisfies Readonly<Record<string, readonly [words: string, Migration]>>;

/** By their names, which are those of their files, and in their order. */
export const migrations: ReadonlyMap<string, Migration> = new Map(
  Object.entries(byNumber).map(([number, [words, migration]]) => [`${number}-${words}`, migration]),
);

/** Of the tables that they make (`schema.ts`), so that a journal of these is known at once. */
export const schemaDigest = '48a58d3e37a4';
