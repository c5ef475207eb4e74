import { hostname } from 'node:os';
import { type ActionStore, actions } from './actions/actions.ts';
import { type ApprovalStore, approvals } from './actions/approvals.ts';
import { type EncryptedStore, encryptedStore } from './actions/encrypted.ts';
import { type Events, events } from './actions/events.ts';
import { type Expiry, expiry } from './actions/expiry.ts';
import { type PlannedStore, plannedStore } from './actions/planned.ts';
import { type TokenStore, tokenStore } from './actions/tokens.ts';
import { type AuditStore, audit } from './audit/audit.ts';
import type { Store } from './database.ts';
import { type Deliveries, deliveries } from './delivery/deliveries.ts';
import { type OutboxStore, outbox } from './delivery/outbox.ts';
import { createTidying } from './delivery/tidying.ts';
import { type ToldStore, toldStore } from './delivery/told.ts';
import { type WebhookStore, webhookStore } from './delivery/webhooks.ts';
import { type FigureStore, figureStore } from './figures.ts';
import { type GenerationStore, generationStore, nameJournal } from './generations.ts';
import { newId } from './id.ts';
import { type PlanStore, planStore } from './plans/plans.ts';
import { policyReloads, type Reloads } from './reloads.ts';
import { createLease } from './replicas/lease.ts';
import { type Replicas, replicas } from './replicas/replicas.ts';
import type { SharedClock } from './replicas/shared-clock.ts';
import { type StepStore, stepStore } from './steps/steps.ts';
import { type PendingApplies, pendingApplies } from './timed/pending-applies.ts';
import { type SetBack, setBack } from './timed/set-back.ts';
import { type TimedChangeStore, timedChangeStore } from './timed/timed-changes.ts';
import { type WatchStore, watchStore } from './watches/watches.ts';

export type { Action, NewAction, Outcome } from './actions/action.ts';
export type { Given } from './actions/approvals.ts';
export type { Changes } from './actions/changes.ts';
export type { ActionEvent } from './actions/events.ts';
export type { Interaction } from './actions/interaction.ts';
export type { Kept, ToKeep } from './actions/tokens.ts';
export type { Recorded } from './audit/hash-chain.ts';
export type { AuditRecord } from './audit/record.ts';
export type { Recorder } from './audit/recording.ts';
export type { AuditFilter } from './audit/search-terms.ts';
export type { Missed } from './delivery/deliveries.ts';
export type { ToSend, Unsent } from './delivery/outbox.ts';
export type { PendingWebhook } from './delivery/webhooks.ts';
export type { Generation, Lost } from './generations.ts';
export type { Json, JsonObject } from './json.ts';
export type { Reload } from './reloads.ts';
export { Evicted } from './replicas/lease.ts';
export type { Beat, Peer } from './replicas/replicas.ts';
export type { OpenStep } from './steps/steps.ts';
export type { EndRecord } from './timed/end-row.ts';
export type { AppliedTold, PendingApply } from './timed/pending-applies.ts';
export type { Ended, Extension, NewTimedChange, TimedChangeRow } from './timed/timed-change-row.ts';
export { type JournalTrouble, JournalUnavailable } from './unavailable.ts';
export { scheduledDelivery, type WatchRow } from './watches/watches.ts';

/** What was asked, decided and done, and what is still to be done. Nothing here ever waits for Slack or an appliance. */
export interface Journal
  extends ActionStore,
    Events,
    Expiry,
    PlannedStore,
    AuditStore,
    TokenStore,
    PendingApplies,
    ApprovalStore,
    TimedChangeStore,
    WatchStore,
    StepStore,
    PlanStore,
    OutboxStore,
    WebhookStore,
    Reloads,
    ToldStore,
    Replicas,
    Deliveries,
    EncryptedStore,
    GenerationStore,
    FigureStore,
    SetBack,
    Pick<Store, 'isShared' | 'exclusively' | 'probe'> {
  /** Whether all that has happened stands in it: while its database is away, some of it only waits to be written. */
  readonly isWritten: () => boolean;
  /** Resolves when it does, or when nothing of it waits to be said: should this process die, nobody would miss anything. */
  readonly secured: () => Promise<void>;
  /** Resolves when also that is written which is gathered for a moment, because nobody waits for it. */
  readonly tidy: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Names a process among those that may work on the same journal; never given twice. */
export const newReplica = (): string => `${hostname()}-${process.pid}-${newId().slice(0, 6)}`;

/** Opens the journal in a store. `now` gives milliseconds since the epoch: the time of `clock`, where replicas share one. */
export async function openJournal(
  store: Store,
  now: () => number,
  replica: string = newReplica(),
  clock?: SharedClock,
  elapsed?: () => number,
): Promise<Journal> {
  try {
    await store.migrate();
    await nameJournal(store, now);
  } catch (error) {
    await store.close();
    throw error;
  }
  const lease = createLease(replica, store.isShared, elapsed);
  const announced: WebhookStore['announced'] = { changes: 'none' };
  const tidying = createTidying(store, replica, now);
  const others = replicas(store, replica, now, { lease, clock, elapsed });
  /** What is left of it is looked through by whoever is next. */
  const tidyUp = () => tidying.flush().catch(() => undefined);
  return {
    ...actions(store, replica, now, tidying, lease, announced),
    ...events(store, now),
    ...expiry(store, now, announced),
    ...plannedStore(store),
    ...audit(store, now, tidying),
    ...tokenStore(store, replica, now),
    ...pendingApplies(store, replica, now),
    ...approvals(store, now),
    ...timedChangeStore(store, replica, now, announced),
    ...watchStore(store, replica, now),
    ...stepStore(store, replica, now),
    ...planStore(store),
    ...outbox(store, replica, now, tidying),
    ...webhookStore(store, replica, now, announced),
    ...policyReloads(store, replica, now),
    ...toldStore(store, now),
    ...others,
    ...deliveries(store, replica, now, tidying),
    ...encryptedStore(store, now),
    ...generationStore(store, now),
    ...figureStore(store, now),
    ...setBack(store, replica, now),
    isShared: store.isShared,
    isWritten: () => true,
    secured: async () => undefined,
    exclusively: store.exclusively,
    probe: store.probe,
    tidy: tidying.flush,
    leave: async () => {
      await tidyUp();
      await others.leave();
    },
    close: async () => {
      await tidyUp();
      await store.close();
    },
  };
}
