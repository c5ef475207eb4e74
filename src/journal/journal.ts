import { hostname } from 'node:os';
import { type Actions, actions } from './actions/actions.ts';
import { type Approvals, approvals } from './actions/approvals.ts';
import { type Sealed, sealed } from './actions/encrypted.ts';
import { type Events, events } from './actions/events.ts';
import { type KeptForLater, keptForLater } from './actions/tokens.ts';
import { type Audit, audit } from './audit/audit.ts';
import type { Store } from './database.ts';
import { type Deliveries, deliveries } from './delivery/deliveries.ts';
import { type Outbox, outbox } from './delivery/outbox.ts';
import { newId } from './id.ts';
import { policyReloads, type Reloads } from './reloads.ts';
import { type Replicas, replicas } from './replicas.ts';
import { type OwedApplies, owedApplies } from './timed/pending-applies.ts';
import { type Leases, leases } from './timed/timed-changes.ts';

export type { Action, Changes, NewAction, Outcome } from './actions/actions.ts';
export type { Given } from './actions/approvals.ts';
export type { ActionEvent } from './actions/events.ts';
export type { Interaction } from './actions/interaction.ts';
export type { Kept, ToKeep } from './actions/tokens.ts';
export type { Clerk, Findings, Recorded } from './audit/audit.ts';
export type { AuditFilter, AuditRecord, Preview } from './audit/record.ts';
export type { Missed, Typed } from './delivery/deliveries.ts';
export type { ToSend, Unsent } from './delivery/outbox.ts';
export type { Json } from './json.ts';
export type { Reload } from './reloads.ts';
export type { Live, Owed, ToOwe } from './timed/pending-applies.ts';
export type { Ended, Extension, Lease, ToLease } from './timed/timed-changes.ts';
export { JournalUnavailable } from './unavailable.ts';

/** What was asked, decided and done, and what is still to be done. Nothing here ever waits for Slack or an appliance. */
export interface Journal
  extends Actions,
    Events,
    Audit,
    KeptForLater,
    OwedApplies,
    Approvals,
    Leases,
    Outbox,
    Reloads,
    Replicas,
    Deliveries,
    Sealed,
    Pick<Store, 'isShared' | 'exclusively'> {
  readonly close: () => Promise<void>;
}

/** Names a process among those that may work on the same journal; never given twice. */
export const newReplica = (): string => `${hostname()}-${process.pid}-${newId().slice(0, 6)}`;

/** Opens the journal in a store. `now` gives milliseconds since the epoch. */
export async function openJournal(
  store: Store,
  now: () => number,
  replica: string = newReplica(),
): Promise<Journal> {
  try {
    await store.migrate();
  } catch (error) {
    await store.close();
    throw error;
  }
  return {
    ...actions(store, replica, now),
    ...events(store, now),
    ...audit(store, now),
    ...keptForLater(store, replica, now),
    ...owedApplies(store, replica, now),
    ...approvals(store, now),
    ...leases(store, replica, now),
    ...outbox(store, replica, now),
    ...policyReloads(store, replica, now),
    ...replicas(store, replica, now),
    ...deliveries(store, replica, now),
    ...sealed(store, now),
    isShared: store.isShared,
    exclusively: store.exclusively,
    close: store.close,
  };
}
