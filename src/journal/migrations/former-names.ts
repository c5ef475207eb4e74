/** What the migrations were called before they had numbers: so they stand in journals that were written then. */
export const formerNames: ReadonlyMap<string, string> = new Map([
  ['2026-11-21-actions', '0001-actions'],
  ['2026-11-21-kept', '0002-kept'],
  ['2026-11-21-owed', '0003-owed'],
  ['2026-11-22-approvals', '0004-approvals'],
  ['2026-11-22-leases', '0005-leases'],
  ['2026-11-22-reloads', '0006-reloads'],
  ['2026-11-23-outbox', '0007-outbox'],
  ['2026-11-23-replicas', '0008-replicas'],
  ['2026-11-24-audit', '0009-audit'],
  ['2026-11-25-reloads', '0010-reload-replicas'],
  ['2026-11-25-taken', '0011-kept-taken'],
  ['2026-11-26-deliveries', '0012-delivery-holders'],
  ['2026-11-27-actions', '0013-action-deliveries'],
]);
