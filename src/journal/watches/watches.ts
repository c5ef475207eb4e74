import { type Selectable, type SqlBool, sql } from 'kysely';
import { claimsOn, freed } from '../claims.ts';
import type { Store } from '../database.ts';
import { type Json, parsed } from '../json.ts';
import type { WatchesTable } from '../tables.ts';

/** Something that is looked at again and again on somebody's behalf, or a line that is asked at its time. */
export interface WatchRow {
  readonly id: number;
  readonly kind: 'watch' | 'schedule';
  readonly team: string;
  readonly channel: string;
  /** Whose it is: by their rights it is looked at. */
  readonly person: string;
  /** What is watched, as it is declared; or the line that is asked. */
  readonly subject: string;
  readonly appliances: readonly string[];
  /** What was asked for with it. */
  readonly terms: Json;
  /** What was seen and told so far. */
  readonly state: Json;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly nextAt: number;
}

type NewWatch = Omit<WatchRow, 'id' | 'createdAt'>;

/** In the place of a delivery of the chat: nobody typed it, its time had come. */
const scheduled = 'schedule:';
export const scheduledDelivery = (id: number, at: number): string => `${scheduled}${id}:${at}`;

/** Whether an action is of somebody, and not of a schedule of theirs, or a step of a plan, which is what they have typed. */
export const isTyped = sql<SqlBool>`(step is null and request_json is null and (delivery is null or delivery not like ${`${scheduled}%`}))`;

/** What is on watch. A replica holds one while it looks; of several, each is looked at by one. */
export interface WatchStore {
  readonly startWatch: (watch: NewWatch) => Promise<WatchRow>;
  /** Has what was asked for with it changed; how it stands, and what was told of it, stays. False where it is none any more. */
  readonly changeWatch: (id: number, terms: Json) => Promise<boolean>;
  /** False where it is none any more. */
  readonly stopWatch: (id: number) => Promise<boolean>;
  /** Those of a channel, or of all; the oldest first. */
  readonly watches: (channel?: string) => Promise<readonly WatchRow[]>;
  /** Claims those that are due. */
  readonly claimWatches: () => Promise<readonly WatchRow[]>;
  /** What was seen is written down while it is held. False where it was stopped, or went to another replica. */
  readonly noteWatch: (id: number, state: Json) => Promise<boolean>;
  /** It was looked at, and is due again then. */
  readonly watched: (id: number, state: Json, nextAt: number) => Promise<void>;
}

export function watchStore(store: Store, replica: string, now: () => number): WatchStore {
  const { durable } = store;
  const claims = claimsOn('watches', store, replica, now);

  return {
    startWatch: async ({ kind, team, channel, person, subject, appliances, terms, state, nextAt }) => {
      const row = await durable
        .insertInto('watches')
        .values({
          ...{ kind, team, channel, person, subject, created_at: now() },
          ...{ appliances: appliances.join(','), terms_json: JSON.stringify(terms) },
          ...{ ...freed, state_json: JSON.stringify(state), tries: 0, next_try_at: nextAt },
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return readWatch(row);
    },
    changeWatch: async (id, terms) => {
      const changed = await durable
        .updateTable('watches')
        .set({ terms_json: JSON.stringify(terms) })
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst();
      return changed !== undefined;
    },
    stopWatch: async (id) => {
      const gone = await durable
        .deleteFrom('watches')
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst();
      return gone !== undefined;
    },
    watches: async (channel) => {
      const rows = await durable
        .selectFrom('watches')
        .selectAll()
        .$if(channel !== undefined, (query) => query.where('channel', '=', channel ?? ''))
        .orderBy('id')
        .execute();
      return rows.map(readWatch);
    },
    claimWatches: async () => {
      const due = await claims.claim(({ and }) => and([claims.isFree(), claims.isDue()]));
      return due.map(readWatch);
    },
    noteWatch: async (id, state) => {
      const row = await durable
        .updateTable('watches')
        .set({ state_json: JSON.stringify(state) })
        .where('id', '=', id)
        .where('held_by', '=', replica)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },
    watched: async (id, state, nextAt) => {
      await claims.free([id], { changes: { state_json: JSON.stringify(state), next_try_at: nextAt } });
    },
  };
}

const readWatch = (row: Selectable<WatchesTable>): WatchRow => ({
  id: row.id,
  kind: row.kind,
  team: row.team,
  channel: row.channel,
  person: row.person,
  subject: row.subject,
  appliances: row.appliances.split(',').filter((name) => name !== ''),
  terms: parsed(row.terms_json),
  state: parsed(row.state_json),
  createdAt: row.created_at,
  nextAt: row.next_try_at,
});
