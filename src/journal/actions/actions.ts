import { claimsOn, freed } from '../claims.ts';
import type { Store } from '../database.ts';
import { messageRows, type ToSend } from '../delivery/outbox.ts';
import type { Tidying } from '../delivery/tidying.ts';
import type { Announceable } from '../delivery/webhook-events.ts';
import type { WebhookStore } from '../delivery/webhooks.ts';
import type { Json } from '../json.ts';
import { isRunBy } from '../plans/plans.ts';
import { createLease, type Lease } from '../replicas/lease.ts';
import { type TypedStore, typedStore } from '../watches/typed.ts';
import { type Action, type ActionOrigin, actionFields, type NewAction } from './action.ts';
import {
  actionColumns,
  changedColumns,
  dedupeKeyOf,
  newRow,
  readAction,
  readOne,
  rowOf,
} from './action-row.ts';
import { addedWith } from './added.ts';
import type { Changes } from './changes.ts';
import { type ActionEvent, eventRows } from './events.ts';
import { columnsOf } from './field.ts';
import { asked, drift } from './order.ts';
import { busy, isChange, isWaiting, type State, transitions, underWay } from './states.ts';

/** What was asked, decided and done. */
export interface ActionStore extends TypedStore {
  readonly write: (action: NewAction) => Promise<Action>;
  /**
   * Writes it down, unless the very same is under way for less than so many milliseconds, or waits for a click: the same
   * line of the same person in the same channel. Then it resolves to that one.
   */
  readonly writeOnce: (
    action: NewAction,
    within: number,
    /** What tells it from another one with the same line. */
    distinct?: string,
  ) => Promise<{ readonly isNew: boolean; readonly action: Action }>;
  /** What is known by that (`NewAction.only`), while it is under way or waits for a click. */
  readonly onlyOne: (only: string) => Promise<Action | undefined>;
  /** The newest action that was asked with this delivery, if one was written down. */
  readonly actionOfDelivery: (delivery: string, since: number) => Promise<Action | undefined>;
  /** What has taken an action back since a moment. */
  readonly undoneSince: (
    action: string,
    since: number,
  ) => Promise<{ readonly person: string; readonly at: number } | undefined>;
  /** Who wants a site is others by now. False where the action has moved on since, or somebody else was first. */
  readonly changeRequest: (
    action: Pick<Action, 'id' | 'state' | 'request'>,
    request: Json,
    messages?: readonly ToSend[],
  ) => Promise<boolean>;
  /**
   * Moves an action on, by compare-and-swap: undefined when it is not in `action.state` any more, which is how the
   * second of two clicks learns that it is the second. With `token`, it must also still show that question.
   * Throws when the transition is not a legal one.
   */
  readonly move: (
    action: Announceable,
    to: State,
    changes?: Changes,
    token?: string,
  ) => Promise<Action | undefined>;
  /**
   * Writes down an action as it has become while the database was away, and what happened on its way: a look-up or a
   * refusal, that this replica holds. Whatever stood there of it gives way.
   */
  readonly writeLate: (action: Action, origin: ActionOrigin, events: readonly ActionEvent[]) => Promise<void>;
  /** Notes where the card of an action stands: in a moment, together with others, where nobody can press it. */
  readonly placed: (id: string, card: string, isPressed?: boolean) => Promise<void>;
  readonly byId: (id: string) => Promise<Action | undefined>;
  readonly byToken: (token: string) => Promise<Action | undefined>;
  /** By what people call it; the newest, should there be two. */
  readonly byReference: (reference: string) => Promise<Action | undefined>;
  /** Whose card this message is, or what was asked in the thread below it; the newest first, at most so many. */
  readonly under: (message: string, most: number) => Promise<readonly Action[]>;
  /** What was asked last in a direct message. */
  readonly lastIn: (direct: string) => Promise<Action | undefined>;
  /** The newest first, at most so many. */
  readonly recent: (count?: number) => Promise<readonly Action[]>;
  /** What waits for a click on a question of somebody's in a channel, the newest first. */
  readonly waitingOf: (channel: string, person: string) => Promise<readonly Action[]>;
  /** What waits for a click in any of these channels, the newest first, at most so many. */
  readonly waitingIn: (channels: readonly string[], most: number) => Promise<readonly Action[]>;
  /** The changes that people had under way in that time, however they ended; the oldest first. Of these commands, or of all. */
  readonly changesIn: (from: number, to: number, phrases?: readonly string[]) => Promise<readonly Action[]>;
  /** What this replica has held for a minute without moving it on. */
  readonly forgotten: () => Promise<readonly Action[]>;
  /** What a person has put before others, and the sites that they asked for: what still waits, and what was asked since a moment. */
  readonly requestsOf: (person: string, since: number) => Promise<readonly Action[]>;
}

export function actions(
  store: Store,
  replica: string,
  now: () => number,
  tidying: Pick<Tidying, 'placed'>,
  lease: Pick<Lease, 'condition'> = createLease(replica, false),
  announced: WebhookStore['announced'] = { changes: 'none' },
): ActionStore {
  const { durable, quick } = store;
  const claims = claimsOn('actions', store, replica, now);
  /**
   * What changes something must outlive a power cut. A lookup or a refusal must outlive a crash of ours; to wait for
   * the disk as well would block everybody else's answers, and nothing hangs on the last of them.
   */
  const databaseFor = (effect: string | undefined) =>
    effect === undefined || effect === 'read' ? quick : durable;
  const select = () => durable.selectFrom('actions').select(actionColumns);

  const all = async (query: Pick<ReturnType<typeof select>, 'execute'>) =>
    (await query.execute()).map(readAction);

  const begun = (action: NewAction, dedupeKey: string | null) => newRow(action, dedupeKey, replica, now());

  return {
    ...typedStore(store),

    write: async (action) => {
      const row = begun(action, null);
      await databaseFor(action.effect).insertInto('actions').values(row).execute();
      return readAction(row);
    },

    writeOnce: async (action, within, distinct) => {
      const dedupeKey = dedupeKeyOf(action, distinct);
      const database = databaseFor(action.effect);
      for (;;) {
        const row = begun(action, dedupeKey);
        const written = await database
          .insertInto('actions')
          .values(row)
          .onConflict((conflict) => conflict.column('dedupe_key').doNothing())
          .returning('id')
          .executeTakeFirst();
        if (written !== undefined) return { isNew: true, action: readAction(row) };
        const first = await select().where('dedupe_key', '=', dedupeKey).executeTakeFirst();
        if (first !== undefined && first.created_at > now() - within) {
          return { isNew: false, action: readAction(first) };
        }
        // It takes so long that whoever asks again means it, or it has ended this moment.
        await database
          .updateTable('actions')
          .set({ dedupe_key: null })
          .where('id', '=', first?.id ?? '')
          .execute();
      }
    },

    onlyOne: async (only) => readOne(await select().where('dedupe_key', '=', only).executeTakeFirst()),

    actionOfDelivery: async (delivery, since) =>
      readOne(
        await select()
          // For the index.
          .where('created_at', '>=', since - drift)
          .where('delivery', '=', delivery)
          .orderBy(asked, 'desc')
          .limit(1)
          .executeTakeFirst(),
      ),

    undoneSince: async (action, since) => {
      const row = await durable
        .selectFrom('actions')
        .select(['person', 'changed_at'])
        .where('created_at', '>=', since - drift)
        .where('undoes', '=', action)
        .where('state', '=', 'done')
        .limit(1)
        .executeTakeFirst();
      return row && { person: row.person, at: row.changed_at };
    },

    changeRequest: async ({ id, state, request: before }, request, messages = []) => {
      const columns = ({ request: is }: Pick<Action, 'request'>) =>
        columnsOf({ request: actionFields.request }, { request: is });
      const stood = columns({ request: before }).request_json;
      const query = durable
        .updateTable('actions')
        .set(columns({ request }))
        .where('id', '=', id)
        .where('state', '=', state)
        .where('request_json', stood === null ? 'is' : '=', stood)
        .returning('id');
      const changed = await store.write('durable', {
        swap: [{ query }],
        add: { outbox: messageRows(messages, replica, now()) },
      });
      return changed !== undefined;
    },

    move: async (action, to, changes = {}, token) => {
      const { id, state, effect } = action;
      if (!transitions[state].includes(to)) throw new Error(`An action cannot go from ${state} to ${to}.`);
      const { held = busy.has(to), inChannel = false, ofPlan } = changes;
      const database = databaseFor(effect);
      // The intent of an order: whoever was evicted meanwhile does not write one.
      const isIn = to === 'running' && database === durable ? lease.condition() : undefined;
      const query = database
        .updateTable('actions')
        .set(({ eb }) => ({
          state: to,
          changed_at: now(),
          ...(held ? { ...claims.held(), replica } : freed),
          recorded: null,
          // A question of its own: what was agreed to before says nothing to it.
          ...(to === 'waiting' &&
            changes.token !== undefined && { run_at: null, decided_by: null, consent_json: null }),
          // Until its card stands, nobody can press it.
          ...(to === 'waiting' && {
            held_by: eb.case().when('card', 'is', null).then(replica).else(null).end(),
            held_since: now(),
          }),
          ...(!underWay.has(to) && { dedupe_key: null }),
          ...changedColumns(changes),
          ...(inChannel && { direct: null, thread: null }),
        }))
        .where('id', '=', id)
        .where('state', '=', state)
        .$if(token !== undefined, (query) => query.where('token', '=', token ?? ''))
        .$call((query) => (isIn === undefined ? query : query.where('held_by', '=', replica).where(isIn)))
        .$if(ofPlan !== undefined, (query) => query.where(isRunBy(replica, ofPlan ?? '')))
        .returning(actionColumns);
      const moved = await store.write(database === durable ? 'durable' : 'quick', {
        swap: [{ query }],
        add: addedWith(action, to, changes, { replica, now: now(), announced: announced.changes }),
      });
      return readOne(moved?.[0]);
    },

    writeLate: async (action, origin, events) => {
      const { id, state, card } = action;
      const row = {
        ...begun({ ...action, ...origin, state: 'asked' }, null),
        ...rowOf(action),
        replica,
        ...(busy.has(state) || (state === 'waiting' && card === undefined) ? claims.held() : freed),
      };
      // What went on only meanwhile has these already.
      const { policy, allowed_by, delivery, ...rest } = row;
      const writes = quick
        .insertInto('actions')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doUpdateSet(rest))
        .returning('id');
      await store.write('quick', {
        swap: [{ query: writes }],
        add: { events: eventRows(id, events, now()) },
      });
    },

    placed: async (id, card, isPressed = true) => {
      if (!isPressed) return tidying.placed(id, card);
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
    byId: async (id) => readOne(await select().where('id', '=', id).executeTakeFirst()),
    byToken: async (token) => readOne(await select().where('token', '=', token).executeTakeFirst()),
    byReference: async (reference) =>
      readOne(
        await select().where('reference', '=', reference).orderBy(asked, 'desc').limit(1).executeTakeFirst(),
      ),
    under: (message, most) =>
      all(
        select()
          .where(({ eb }) => eb.or([eb('card', '=', message), eb('thread', '=', message)]))
          .orderBy(asked, 'desc')
          .limit(most),
      ),
    lastIn: async (direct) =>
      readOne(await select().where('direct', '=', direct).orderBy(asked, 'desc').limit(1).executeTakeFirst()),
    recent: (count = 100) => all(select().orderBy('asked_seq', 'desc').limit(count)),
    waitingOf: (channel, person) =>
      all(
        select()
          .where(isWaiting)
          .where('channel', '=', channel)
          .where('person', '=', person)
          .orderBy(asked, 'desc'),
      ),
    waitingIn: (channels, most) =>
      all(
        select()
          .where(isWaiting)
          .where('channel', 'in', store.among(channels))
          .orderBy(asked, 'desc')
          .limit(most),
      ),
    changesIn: (from, to, phrases) =>
      all(
        select()
          .where(isChange)
          .where('state', 'in', ['running', 'done', 'failed', 'unknown'])
          .$if(phrases !== undefined, (query) => query.where('phrase', 'in', store.among(phrases ?? [])))
          .where('changed_at', '>=', from)
          .where('created_at', '<=', to)
          .where('interaction_json', 'is', null)
          .orderBy(asked),
      ),
    forgotten: () => all(select().where(claims.isForgotten()).orderBy(asked)),
    requestsOf: (person, since) =>
      all(
        select()
          .where(({ eb, or }) => or([eb('consent_json', 'is not', null), eb('request_json', 'is not', null)]))
          // For each there is an index.
          .where(({ eb, and, or }) =>
            or([
              and([eb('person', '=', person), isWaiting]),
              and([eb('person', '=', person), eb('created_at', '>=', since)]),
            ]),
          ),
      ),
  };
}
