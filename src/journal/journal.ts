import { hostname } from 'node:os';
import { type Actions, actions } from './actions.ts';
import { type Approvals, approvals } from './approvals.ts';
import { type Audit, audit } from './audit.ts';
import type { Store } from './database.ts';
import { type Deliveries, deliveries } from './deliveries.ts';
import { type Events, events } from './events.ts';
import { newId } from './id.ts';
import { type KeptForLater, keptForLater } from './kept.ts';
import { type Leases, leases } from './leases.ts';
import { type Outbox, outbox } from './outbox.ts';
import { type OwedApplies, owedApplies } from './owed.ts';
import { policyReloads, type Reloads } from './reloads.ts';
import { type Replicas, replicas } from './replicas.ts';
import { type Sealed, sealed } from './sealed.ts';

export type { Action, Changes, NewAction, Outcome } from './actions.ts';
export type { Given } from './approvals.ts';
export type { Clerk, Findings, Recorded } from './audit.ts';
export type { Missed, Typed } from './deliveries.ts';
export type { ActionEvent } from './events.ts';
export type { Interaction } from './interaction.ts';
export type { Json } from './json.ts';
export type { Kept, ToKeep } from './kept.ts';
export type { Ended, Extension, Lease, ToLease } from './leases.ts';
export type { ToSend, Unsent } from './outbox.ts';
export type { Live, Owed, ToOwe } from './owed.ts';
export type { AuditFilter, AuditRecord, Preview } from './record.ts';
export type { Reload } from './reloads.ts';
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
