import type { Selectable, SelectQueryBuilder } from 'kysely';
import { claimsOn, freed, orphanedAmong } from '../claims.ts';
import type { Store } from '../database.ts';
import { messageRows, type ToSend } from '../delivery/outbox.ts';
import { newId } from '../id.ts';
import { type Json, parsed } from '../json.ts';
import type { Tables, TokensTable } from '../tables.ts';
import { events } from './events.ts';

/** Something that a later click, form or page needs. */
export interface ToKeep {
  /** Given to it where it may be kept twice (`offline/`), which is once. */
  readonly token?: string;
  readonly kind: TokensTable['kind'];
  readonly content: Json;
  /** Who alone may take it; without, anybody may who holds its token. */
  readonly person?: string | undefined;
  readonly channel: string;
  /** The action that it came from. */
  readonly action?: string | undefined;
  /** When its time is over: milliseconds since the epoch. */
  readonly until: number;
}

export interface Kept {
  readonly token: string;
  readonly kind: TokensTable['kind'];
  readonly content: Json;
  readonly person: string | undefined;
  readonly channel: string;
  readonly action: string | undefined;
  readonly until: number;
  readonly takenBy: string | undefined;
  readonly takenAt: number | undefined;
  /** The action that came of it. */
  readonly became: string | undefined;
}

/** What stands behind a button, so that the button itself carries nothing but a token. */
export interface TokenStore {
  /** Keeps it and answers its token, which nobody can guess. */
  readonly keep: (thing: ToKeep) => Promise<string>;
  /** Taken or not. Undefined when there is none, or its time is over. */
  readonly kept: (token: string) => Promise<Kept | undefined>;
  /**
   * Takes it, once and for one person, and that outlives a power cut. Undefined for everybody after the first (also
   * for the first, a second time), for anybody but the person it is kept for, and when its time is over: `kept` tells
   * these apart. `at`: the moment that it was taken at, now unless told.
   */
  readonly take: (token: string, person: string, at?: number) => Promise<Kept | undefined>;
  /** What it was taken for is answered, or stands in the journal as this action: it does not get lost with this process. */
  readonly wasTaken: (token: string, action?: string) => Promise<void>;
  /** Gives back what an action came of that has ended before it began. */
  readonly releaseOf: (action: string) => Promise<void>;
  /**
   * Gives back what was taken by a replica that is gone, and of which nothing came, a piece of it: it can be taken again.
   * What `tell` makes of each is written into the outbox with it.
   */
  readonly giveBackTaken: (tell: (taken: Kept) => readonly ToSend[]) => Promise<readonly ToSend[]>;
  /**
   * Gives back what this person took, because what it was taken for could not even begin. With `at`, only what they took at
   * that moment.
   */
  readonly release: (token: string, person: string, at?: number) => Promise<void>;
  /** What of a kind was kept with an action, in the order it was kept, taken or not, while its time lasts. */
  readonly keptOf: (action: string, kind: Kept['kind']) => Promise<readonly Kept[]>;
  /** The offer that this action came of, while its time lasts. */
  readonly offerBehind: (action: string) => Promise<Kept | undefined>;
  /** Something else stands behind it from now on. */
  readonly keepInstead: (token: string, content: Json) => Promise<void>;
  /** A form was opened, and that is recorded as this action. */
  readonly formOpened: (token: string, action: string) => Promise<void>;
  /** Somebody searched in it. How often goes into its action's record when it is taken, or its time is over. */
  readonly formSearched: (token: string) => Promise<void>;
  /** Deletes what has its time over at that moment: at most so many. Resolves to how many they were. */
  readonly forgetOver: (at: number, most: number) => Promise<number>;
}

/** Only to take something waits for the disk: an undo must not run twice, while an offer that is lost can be typed. */
export function tokenStore(store: Store, replica: string, now: () => number): TokenStore {
  const { durable, quick } = store;
  const claims = claimsOn('tokens', store, replica, now);
  const { note } = events(store, now);
  const lasting = () => quick.selectFrom('tokens').selectAll().where('until', '>', now());

  return {
    keep: async ({ kind, content, person, channel, action, until, token = newId() }) => {
      await quick
        .insertInto('tokens')
        .values({
          token,
          kind,
          content_json: JSON.stringify(content),
          person: person ?? null,
          channel,
          action: action ?? null,
          until,
          taken_by: null,
          taken_at: null,
          ...freed,
          became: null,
          opened: null,
          searches: 0,
        })
        .onConflict((conflict) => conflict.column('token').doNothing())
        .execute();
      return token;
    },

    kept: async (token) => one(await lasting().where('token', '=', token).executeTakeFirst()),

    take: async (token, person, at = now()) => {
      const row = await durable
        .updateTable('tokens')
        .set({ taken_by: person, taken_at: at, ...claims.held() })
        .where('token', '=', token)
        .where('taken_by', 'is', null)
        .where('until', '>', at)
        .where(({ eb, or }) => or([eb('person', 'is', null), eb('person', '=', person)]))
        .returningAll()
        .executeTakeFirst();
      if (row !== undefined && row.searches > 0)
        await tellSearches((rows) => rows.where('token', '=', token));
      return one(row);
    },

    wasTaken: (token, action) =>
      claims.free([token], { changes: action === undefined ? {} : { became: action } }),

    releaseOf: async (action) => {
      await quick
        .updateTable('tokens')
        .set({ taken_by: null, taken_at: null, became: null })
        .where('became', '=', action)
        .execute();
    },

    giveBackTaken: async (tell) => {
      if ((await orphanedAmong(['tokens'], store, replica)).length === 0) return [];
      const messages = await claims.freeOrphansWith(
        async (rows) => {
          const made = rows.map(read).flatMap(tell);
          return { made, added: { outbox: messageRows(made, replica, now()) } };
        },
        { taken_by: null, taken_at: null },
      );
      return messages ?? [];
    },

    release: async (token, person, at) => {
      await quick
        .updateTable('tokens')
        .set({ ...freed, taken_by: null, taken_at: null })
        .where('token', '=', token)
        .where('taken_by', '=', person)
        .$if(at !== undefined, (query) => query.where('taken_at', '=', at ?? 0))
        .execute();
    },

    keptOf: async (action, kind) =>
      (await lasting().where('action', '=', action).where('kind', '=', kind).orderBy('id').execute()).map(
        read,
      ),

    offerBehind: async (action) =>
      one(await lasting().where('became', '=', action).where('kind', '=', 'offer').executeTakeFirst()),

    keepInstead: async (token, content) => {
      await quick
        .updateTable('tokens')
        .set({ content_json: JSON.stringify(content) })
        .where('token', '=', token)
        .execute();
    },

    formOpened: async (token, action) => {
      await tellSearches((rows) => rows.where('token', '=', token));
      await quick.updateTable('tokens').set({ opened: action }).where('token', '=', token).execute();
    },

    formSearched: async (token) => {
      await quick
        .updateTable('tokens')
        .set(({ eb }) => ({ searches: eb('searches', '+', 1) }))
        .where('token', '=', token)
        .execute();
    },

    forgetOver: async (at, most) => {
      const over = await quick
        .selectFrom('tokens')
        .select('id')
        .where('until', '<=', at)
        .limit(most)
        .execute();
      if (over.length === 0) return 0;
      const ids = store.among(over.map(({ id }) => id));
      await tellSearches((rows) => rows.where('id', 'in', ids));
      await quick.deleteFrom('tokens').where('id', 'in', ids).execute();
      return over.length;
    },
  };

  /** Notes with the action that each form was opened as how often was searched in it, once. */
  async function tellSearches(which: (rows: Searched) => Searched): Promise<void> {
    const rows = await which(
      quick.selectFrom('tokens').select(['token', 'opened', 'searches']).where('searches', '>', 0),
    ).execute();
    for (const { token, opened, searches: count } of rows) {
      // A search can overtake the note of what the form was opened as.
      if (opened === null) continue;
      const told = await quick
        .updateTable('tokens')
        .set({ searches: 0 })
        .where('token', '=', token)
        .where('searches', '=', count)
        .returning('token')
        .executeTakeFirst();
      if (told !== undefined) await note(opened, { kind: 'searched', content: { count } });
    }
  }
}

type Searched = SelectQueryBuilder<Tables, 'tokens', Pick<TokensTable, 'opened' | 'searches' | 'token'>>;

const one = (row: Selectable<TokensTable> | undefined): Kept | undefined =>
  row === undefined ? undefined : read(row);

function read(row: Selectable<TokensTable>): Kept {
  return {
    token: row.token,
    kind: row.kind,
    content: parsed(row.content_json),
    person: row.person ?? undefined,
    channel: row.channel,
    action: row.action ?? undefined,
    until: row.until,
    takenBy: row.taken_by ?? undefined,
    takenAt: row.taken_at ?? undefined,
    became: row.became ?? undefined,
  };
}
