import type { Selectable, Updateable } from 'kysely';
import { type Approvals, approvals } from './approvals.ts';
import { type ActionsTable, migrate, openDatabase } from './database.ts';
import { newId } from './id.ts';
import type { Json } from './json.ts';
import { type KeptForLater, keptForLater } from './kept.ts';
import { type Leases, leases } from './leases.ts';
import { type OwedApplies, owedApplies } from './owed.ts';
import { policyReloads, type Reloads } from './reloads.ts';
import { type initial, type State, transitions } from './states.ts';

export type { Given } from './approvals.ts';
export type { Json } from './json.ts';
export type { Kept, ToKeep } from './kept.ts';
export type { Ended, Extension, Lease, ToLease } from './leases.ts';
export type { Live, Owed, ToOwe } from './owed.ts';
export type { Reload } from './reloads.ts';

/** One invocation and what became of it. */
export interface Action {
  readonly id: string;
  readonly state: State;
  readonly token: string | undefined;
  readonly createdAt: number;
  readonly changedAt: number;
  readonly expiresAt: number | undefined;
  readonly team: string;
  readonly channel: string;
  readonly person: string;
  readonly line: string;
  readonly phrase: string | undefined;
  readonly effect: string | undefined;
  readonly appliance: string | undefined;
  readonly args: Json;
  readonly preview: Json | undefined;
  readonly card: string | undefined;
  readonly outcome: Outcome | undefined;
  readonly decidedBy: string | undefined;
  /** Whose yes it waits for, where the asker's own is not enough. */
  readonly consent: Json | undefined;
}

/** How an action ended: a code for programs, one plain sentence for people. */
export interface Outcome {
  readonly code: string;
  readonly says: string;
  /** The line that stands on the card, where `says` is more than that. */
  readonly headline?: string;
}

/** What is known when an action is first written down. */
export interface NewAction {
  readonly state: (typeof initial)[number];
  readonly team: string;
  readonly channel: string;
  readonly person: string;
  readonly line: string;
  readonly phrase?: string | undefined;
  readonly effect?: string | undefined;
  readonly appliance?: string | undefined;
  readonly args?: Json;
  readonly outcome?: Outcome;
}

/** What may change together with the state. */
export interface Changes {
  readonly token?: string;
  readonly expiresAt?: number;
  readonly preview?: Json;
  readonly card?: string;
  readonly outcome?: Outcome;
  readonly decidedBy?: string;
  readonly consent?: Json;
}

/** What was asked, decided and done. Nothing here ever waits for the network. */
export interface Journal extends KeptForLater, OwedApplies, Approvals, Leases, Reloads {
  readonly write: (action: NewAction) => Promise<Action>;
  /**
   * Moves an action on, by compare-and-swap: undefined when it is not in `action.state` any more, which is how the
   * second of two clicks learns that it is the second. With `token`, it must also still show that question.
   * Throws when the transition is not a legal one.
   */
  readonly move: (
    action: Pick<Action, 'id' | 'state' | 'effect'>,
    to: State,
    changes?: Changes,
    token?: string,
  ) => Promise<Action | undefined>;
  /** Notes where the card of an action stands. */
  readonly placed: (id: string, card: string) => Promise<void>;
  readonly byId: (id: string) => Promise<Action | undefined>;
  readonly byToken: (token: string) => Promise<Action | undefined>;
  readonly inState: (...states: readonly State[]) => Promise<readonly Action[]>;
  /** The newest first, at most so many. */
  readonly recent: (count?: number) => Promise<readonly Action[]>;
  /** The changes that were under way in that time, however they ended; the oldest first. */
  readonly changesIn: (from: number, to: number) => Promise<readonly Action[]>;
  /** Cards whose time is over. */
  readonly overdue: (at: number) => Promise<readonly Action[]>;
  readonly close: () => Promise<void>;
}

/** Opens the journal in a file. `now` gives milliseconds since the epoch; `open` opens each of its two connections. */
export async function openJournal(file: string, now: () => number, open = openDatabase): Promise<Journal> {
  const database = open(file, 'power_cut');
  await migrate(database);
  const quick = open(file, 'crash');
  /**
   * What changes something must outlive a power cut. A lookup or a refusal must outlive a crash of ours; to wait for
   * the disk as well would block everybody else's answers, and nothing hangs on the last of them.
   */
  const databaseFor = (effect: string | undefined) =>
    effect === undefined || effect === 'read' ? quick : database;
  const select = () => database.selectFrom('actions').selectAll();

  return {
    ...keptForLater(database, quick, now),
    ...owedApplies(database, now),
    ...approvals(database, now),
    ...leases(database, now),
    ...policyReloads(database, now),

    write: async (action) => {
      const at = now();
      const row: Selectable<ActionsTable> = {
        id: newId(),
        state: action.state,
        token: null,
        created_at: at,
        changed_at: at,
        expires_at: null,
        team: action.team,
        channel: action.channel,
        person: action.person,
        line: action.line,
        phrase: action.phrase ?? null,
        effect: action.effect ?? null,
        appliance: action.appliance ?? null,
        args_json: JSON.stringify(action.args ?? {}),
        preview_json: null,
        card: null,
        outcome_json: action.outcome === undefined ? null : JSON.stringify(action.outcome),
        decided_by: null,
        consent_json: null,
      };
      await databaseFor(action.effect).insertInto('actions').values(row).execute();
      return read(row);
    },

    move: async ({ id, state, effect }, to, changes = {}, token) => {
      if (!transitions[state].includes(to)) throw new Error(`An action cannot go from ${state} to ${to}.`);
      const row = await databaseFor(effect)
        .updateTable('actions')
        .set({ state: to, changed_at: now(), ...columns(changes) })
        .where('id', '=', id)
        .where('state', '=', state)
        .$if(token !== undefined, (query) => query.where('token', '=', token ?? ''))
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? undefined : read(row);
    },

    placed: async (id, card) => {
      await quick.updateTable('actions').set({ card }).where('id', '=', id).execute();
    },
    byId: async (id) => one(await select().where('id', '=', id).executeTakeFirst()),
    byToken: async (token) => one(await select().where('token', '=', token).executeTakeFirst()),
    inState: async (...states) =>
      (await select().where('state', 'in', states).orderBy('created_at').execute()).map(read),
    recent: async (count = 100) =>
      (await select().orderBy('created_at', 'desc').limit(count).execute()).map(read),
    changesIn: async (from, to) =>
      (
        await select()
          // Nothing waits longer for its yes than a day.
          .where('created_at', '>=', from - 24 * 60 * 60_000)
          .where('created_at', '<=', to)
          .where('changed_at', '>=', from)
          .where('effect', '!=', 'read')
          .where('state', 'in', ['running', 'done', 'failed', 'unknown'])
          .orderBy('created_at')
          .execute()
      ).map(read),
    overdue: async (at) =>
      (await select().where('state', '=', 'waiting').where('expires_at', '<=', at).execute()).map(read),
    close: async () => {
      await quick.destroy();
      await database.destroy();
    },
  };
}

function columns(changes: Changes): Updateable<ActionsTable> {
  const { token, expiresAt, preview, card, outcome, decidedBy, consent } = changes;
  return {
    ...(token === undefined ? {} : { token }),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
    ...(preview === undefined ? {} : { preview_json: JSON.stringify(preview) }),
    ...(card === undefined ? {} : { card }),
    ...(outcome === undefined ? {} : { outcome_json: JSON.stringify(outcome) }),
    ...(decidedBy === undefined ? {} : { decided_by: decidedBy }),
    ...(consent === undefined ? {} : { consent_json: JSON.stringify(consent) }),
  };
}

const one = (row: Selectable<ActionsTable> | undefined): Action | undefined =>
  row === undefined ? undefined : read(row);

function read(row: Selectable<ActionsTable>): Action {
  return {
    id: row.id,
    state: row.state,
    token: row.token ?? undefined,
    createdAt: row.created_at,
    changedAt: row.changed_at,
    expiresAt: row.expires_at ?? undefined,
    team: row.team,
    channel: row.channel,
    person: row.person,
    line: row.line,
    phrase: row.phrase ?? undefined,
    effect: row.effect ?? undefined,
    appliance: row.appliance ?? undefined,
    args: JSON.parse(row.args_json),
    preview: row.preview_json === null ? undefined : JSON.parse(row.preview_json),
    card: row.card ?? undefined,
    outcome: row.outcome_json === null ? undefined : JSON.parse(row.outcome_json),
    decidedBy: row.decided_by ?? undefined,
    consent: row.consent_json === null ? undefined : JSON.parse(row.consent_json),
  };
}
