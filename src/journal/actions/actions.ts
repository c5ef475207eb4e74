import type { Selectable, Updateable } from 'kysely';
import type { Database, Store } from '../database.ts';
import { messageRows, type ToSend } from '../delivery/outbox.ts';
import { newId } from '../id.ts';
import type { Json } from '../json.ts';
import type { ActionsTable } from '../tables.ts';
import { type ActionEvent, eventRows, insertEvents } from './events.ts';
import type { Interaction } from './interaction.ts';
import { type initial, type State, transitions } from './states.ts';

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
  /** The replica that wrote it down, or took it on since. */
  readonly replica: string;
  /** What somebody did where no line was typed; `line` is then that of the answer, the offer or the form. */
  readonly interaction?: Interaction | undefined;
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
  /** Given to it where it may be written twice (`offline/`). */
  readonly id?: string;
  readonly state: (typeof initial)[number];
  readonly team: string;
  readonly channel: string;
  readonly person: string;
  readonly line: string;
  readonly phrase?: string | undefined;
  readonly effect?: string | undefined;
  readonly appliance?: string | undefined;
  readonly args?: Json;
  readonly outcome?: Outcome | undefined;
  /** Which version of the policy counted, and the roles that allowed it. */
  readonly policy?: string | undefined;
  readonly allowedBy?: readonly string[] | undefined;
  /** The delivery of the chat (`Deliveries`) that it comes of. */
  readonly delivery?: string | undefined;
  readonly interaction?: Interaction | undefined;
}

/** What is written down of an action once, and is no part of it. */
export type ActionOrigin = Pick<NewAction, 'policy' | 'allowedBy' | 'delivery'>;

/** What may change together with the state. */
export interface Changes {
  readonly token?: string;
  readonly expiresAt?: number;
  readonly preview?: Json;
  readonly card?: string;
  readonly outcome?: Outcome;
  readonly decidedBy?: string;
  readonly consent?: Json;
  /** Of an unknown outcome: somebody still looks, and if this replica cannot, another does. */
  readonly held?: boolean;
  /** What people are to be told of it: they are, whatever happens to this process from now on. */
  readonly messages?: readonly ToSend[];
  /** What has happened on the way here. */
  readonly events?: readonly ActionEvent[];
}

/** What was asked, decided and done. */
export interface ActionStore {
  readonly write: (action: NewAction) => Promise<Action>;
  /**
   * Writes it down, unless the very same is under way for less than so many milliseconds: the same line of the same person
   * in the same channel. Then it resolves to that one.
   */
  readonly writeOnce: (
    action: NewAction,
    within: number,
  ) => Promise<{ readonly isNew: boolean; readonly action: Action }>;
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
  /**
   * Writes down an action as it has become while the database was away, and what happened on its way: a look-up or a
   * refusal, that this replica holds. Whatever stood there of it gives way.
   */
  readonly writeLate: (action: Action, origin: ActionOrigin, events: readonly ActionEvent[]) => Promise<void>;
  /** Notes where the card of an action stands. */
  readonly placed: (id: string, card: string) => Promise<void>;
  readonly byId: (id: string) => Promise<Action | undefined>;
  readonly byToken: (token: string) => Promise<Action | undefined>;
  /** The newest first, at most so many. */
  readonly recent: (count?: number) => Promise<readonly Action[]>;
  /** The changes that were under way in that time, however they ended; the oldest first. */
  readonly changesIn: (from: number, to: number) => Promise<readonly Action[]>;
  /** What this replica holds and has not moved on since a moment. */
  readonly held: (before: number) => Promise<readonly Action[]>;
  /** What a person has put before others (`consent`): what still waits, and what was asked since a moment. */
  readonly requestsOf: (person: string, since: number) => Promise<readonly Action[]>;
  /** Cards whose time is over. */
  readonly overdue: (at: number) => Promise<readonly Action[]>;
}

/** While it is in one of these, a replica is at it. */
const busy: ReadonlySet<State> = new Set(['asked', 'approved', 'running']);

export function actions(store: Store, replica: string, now: () => number): ActionStore {
  const { durable, quick } = store;
  /**
   * What changes something must outlive a power cut. A lookup or a refusal must outlive a crash of ours; to wait for
   * the disk as well would block everybody else's answers, and nothing hangs on the last of them.
   */
  const databaseFor = (effect: string | undefined) =>
    effect === undefined || effect === 'read' ? quick : durable;
  const select = () => durable.selectFrom('actions').select(actionColumns);

  function rowOf(action: NewAction, alike: string | null): Selectable<ActionsTable> {
    const at = now();
    return {
      id: action.id ?? newId(),
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
      replica,
      held_by: busy.has(action.state) ? replica : null,
      alike,
      policy: action.policy ?? null,
      allowed_by: action.allowedBy === undefined ? null : action.allowedBy.join(','),
      delivery: action.delivery ?? null,
      interaction_json: action.interaction === undefined ? null : JSON.stringify(action.interaction),
      recorded: null,
    };
  }

  return {
    write: async (action) => {
      const row = rowOf(action, null);
      await databaseFor(action.effect).insertInto('actions').values(row).execute();
      return read(row);
    },

    writeOnce: async (action, within) => {
      const alike = JSON.stringify([action.team, action.channel, action.person, action.line]);
      const database = databaseFor(action.effect);
      for (;;) {
        const row = rowOf(action, alike);
        const written = await database
          .insertInto('actions')
          .values(row)
          .onConflict((conflict) => conflict.column('alike').doNothing())
          .returning('id')
          .executeTakeFirst();
        if (written !== undefined) return { isNew: true, action: read(row) };
        const first = await select().where('alike', '=', alike).executeTakeFirst();
        if (first !== undefined && first.created_at > now() - within) {
          return { isNew: false, action: read(first) };
        }
        // It takes so long that whoever asks again means it, or it has ended this moment.
        await database
          .updateTable('actions')
          .set({ alike: null })
          .where('id', '=', first?.id ?? '')
          .execute();
      }
    },

    move: async ({ id, state, effect }, to, changes = {}, token) => {
      if (!transitions[state].includes(to)) throw new Error(`An action cannot go from ${state} to ${to}.`);
      const { messages = [], events = [], held = busy.has(to) } = changes;
      const database = databaseFor(effect);
      const update = (on: Database) =>
        on
          .updateTable('actions')
          .set(({ eb }) => ({
            state: to,
            changed_at: now(),
            held_by: held ? replica : null,
            recorded: null,
            ...(held && { replica }),
            // Until its card stands, nobody can press it.
            ...(to === 'waiting' && {
              held_by: eb.case().when('card', 'is', null).then(replica).else(null).end(),
            }),
            ...(!busy.has(to) && { alike: null }),
            ...columns(changes),
          }))
          .where('id', '=', id)
          .where('state', '=', state)
          .$if(token !== undefined, (query) => query.where('token', '=', token ?? ''))
          .returning(actionColumns);
      const added = {
        ...(messages.length > 0 && { outbox: messageRows(messages, replica, now()) }),
        ...(events.length > 0 && { events: eventRows(id, events, now()) }),
      };
      const isAlone = Object.keys(added).length === 0;
      return one(
        isAlone
          ? await update(database).executeTakeFirst()
          : await store.changeAndAdd(database, update, added),
      );
    },

    writeLate: async (action, origin, events) => {
      const { id, state, createdAt, changedAt, token, expiresAt, decidedBy, card } = action;
      const { preview, consent } = action;
      const row = {
        ...rowOf({ ...action, ...origin, state: 'asked' }, null),
        ...{ id, state, token: token ?? null, created_at: createdAt, changed_at: changedAt },
        ...{ expires_at: expiresAt ?? null, decided_by: decidedBy ?? null, card: card ?? null },
        preview_json: preview === undefined ? null : JSON.stringify(preview),
        consent_json: consent === undefined ? null : JSON.stringify(consent),
        held_by: busy.has(state) || (state === 'waiting' && card === undefined) ? replica : null,
      };
      // What went on only meanwhile has these already.
      const { policy, allowed_by, delivery, ...rest } = row;
      await quick.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('actions')
          .values(row)
          .onConflict((conflict) => conflict.column('id').doUpdateSet(rest))
          .execute();
        await insertEvents(transaction, id, events, now());
      });
    },

    placed: async (id, card) => {
      await quick
        .updateTable('actions')
        .set(({ eb }) => ({
          card,
          // Its buttons work from now on, whoever is there to hear them.
          held_by: eb.case().when('state', '=', 'waiting').then(null).else(eb.ref('held_by')).end(),
        }))
        .where('id', '=', id)
        .execute();
    },
    byId: async (id) => one(await select().where('id', '=', id).executeTakeFirst()),
    byToken: async (token) => one(await select().where('token', '=', token).executeTakeFirst()),
    recent: async (count = 100) =>
      (await select().orderBy('created_at', 'desc').limit(count).execute()).map(read),
    changesIn: async (from, to) =>
      (
        await select()
          // Nothing waits longer for its yes than a week.
          .where('created_at', '>=', from - 7 * 24 * 60 * 60_000)
          .where('created_at', '<=', to)
          .where('changed_at', '>=', from)
          .where('effect', '!=', 'read')
          .where('state', 'in', ['running', 'done', 'failed', 'unknown'])
          .orderBy('created_at')
          .execute()
      ).map(read),
    held: async (before) => {
      const held = select().where('held_by', '=', replica).where('changed_at', '<', before);
      return (await held.orderBy('created_at').execute()).map(read);
    },
    requestsOf: async (person, since) =>
      (
        await select()
          .where('person', '=', person)
          .where('consent_json', 'is not', null)
          .where(({ eb, or }) => or([eb('state', '=', 'waiting'), eb('created_at', '>=', since)]))
          .execute()
      ).map(read),
    overdue: async (at) =>
      (await select().where('state', '=', 'waiting').where('expires_at', '<=', at).execute()).map(read),
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

/** Those that an action is read from, by name: which others there are does not matter then (`postgres.ts`). */
const actionColumns = [
  ...(['id', 'state', 'token', 'created_at', 'changed_at', 'expires_at'] as const),
  ...(['team', 'channel', 'person', 'line', 'phrase', 'effect', 'appliance', 'args_json'] as const),
  ...(['preview_json', 'card', 'outcome_json', 'decided_by', 'consent_json', 'replica'] as const),
  'interaction_json',
] as const satisfies readonly (keyof ActionsTable)[];

type ActionRow = Pick<Selectable<ActionsTable>, (typeof actionColumns)[number]>;

const one = (row: ActionRow | undefined): Action | undefined => (row === undefined ? undefined : read(row));

export function read(row: ActionRow): Action {
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
    replica: row.replica,
    interaction: row.interaction_json === null ? undefined : JSON.parse(row.interaction_json),
  };
}
