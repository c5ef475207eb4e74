import type { Selectable, Updateable } from 'kysely';
import { claimsOn, freed } from '../claims.ts';
import type { Store } from '../database.ts';
import { insertMessages, type ToSend } from '../delivery/outbox.ts';
import { newId } from '../id.ts';
import { type Json, parsed } from '../json.ts';
import type { SiteRequestsTable } from '../tables.ts';

/** A site that somebody asks to have allowed. Moments: milliseconds since the epoch. */
export interface SiteRequestRow {
  readonly id: string;
  /** Grows with every change, each of which is a compare-and-swap on it. */
  readonly revision: number;
  readonly state: SiteRequestsTable['state'];
  readonly team: string;
  /** Where it is decided. */
  readonly channel: string;
  /** Who asked, where that is somebody whom the chat knows. */
  readonly person: string | undefined;
  readonly site: string;
  readonly appliances: readonly string[];
  /** In milliseconds; for good where it is absent. */
  readonly lasts: number | undefined;
  readonly reason: string;
  /** Who asked, what was found, and what was decided. */
  readonly content: Json;
  /** The message in which it is decided. */
  readonly card: string | undefined;
  /** The action by which it was allowed. */
  readonly action: string | undefined;
  readonly createdAt: number;
  /** Nobody decides it any more from then on. */
  readonly closesAt: number;
  readonly nextAt: number;
}

interface NewSiteRequest
  extends Pick<
    SiteRequestRow,
    'team' | 'channel' | 'person' | 'site' | 'appliances' | 'lasts' | 'reason' | 'content' | 'closesAt'
  > {
  /** How many requests of this person may be open, and how many there may be since a moment. */
  readonly limits?: { readonly open: number; readonly most: number; readonly since: number } | undefined;
}

type OpenedSiteRequest =
  | { readonly kind: 'new'; readonly row: SiteRequestRow }
  /** The site is asked for there already. */
  | { readonly kind: 'open'; readonly row: SiteRequestRow }
  | { readonly kind: 'too_many_open' }
  /** From then on there is room for one more. */
  | { readonly kind: 'too_many'; readonly again: number };

/** What becomes of one, and what people are told of it, in one transaction. */
export interface SiteRequestChange {
  readonly state?: SiteRequestRow['state'];
  readonly content: Json;
  readonly action?: string | null;
  /** Whoever made it does not want it any more: it is this one's by now. */
  readonly first?: Pick<SiteRequestRow, 'person' | 'lasts' | 'reason'> | undefined;
  /** When it is looked at next; now unless told. */
  readonly nextAt?: number;
  /** This replica goes on with it, and nobody else does before it has come to an end. */
  readonly isHeld?: boolean;
  readonly messages?: readonly ToSend[];
}

/** Sites that people ask for. A replica holds one while it is at it; of several, each is looked at by one. */
export interface SiteRequestStore {
  /** This replica holds what is new. */
  readonly openSiteRequest: (request: NewSiteRequest) => Promise<OpenedSiteRequest>;
  readonly siteRequest: (id: string) => Promise<SiteRequestRow | undefined>;
  /** Those that are decided in one of these channels and are not over, the oldest first. */
  readonly siteRequestsIn: (channels: readonly string[]) => Promise<readonly SiteRequestRow[]>;
  /** Those that a person has made or joined and that are not over, or were made since that moment, the oldest first. */
  readonly siteRequestsOf: (person: string, since?: number) => Promise<readonly SiteRequestRow[]>;
  /** Undefined when something else has changed it before. What is not held any more is free for all. */
  readonly changeSiteRequest: (
    row: Pick<SiteRequestRow, 'id' | 'revision'>,
    change: SiteRequestChange,
  ) => Promise<SiteRequestRow | undefined>;
  /** The same for what does not move it on: whoever is at it stays at it, and has to read it again. */
  readonly joinSiteRequest: (
    row: Pick<SiteRequestRow, 'id' | 'revision'>,
    change: Pick<SiteRequestChange, 'content' | 'messages'>,
  ) => Promise<SiteRequestRow | undefined>;
  /** Claims those that are due. */
  readonly claimSiteRequests: () => Promise<readonly SiteRequestRow[]>;
  /** Nothing came of looking at it: it is due again then. */
  readonly siteRequestLater: (id: string, nextAt: number) => Promise<void>;
  /** Notes where its card stands. */
  readonly placedSiteRequest: (id: string, card: string) => Promise<void>;
  /** The newest action that was asked with this delivery, if one was written down. */
  readonly actionOfDelivery: (delivery: string, since: number) => Promise<string | undefined>;
  /** What has taken an action back since a moment. */
  readonly undoneSince: (
    action: string,
    since: number,
  ) => Promise<{ readonly person: string; readonly at: number } | undefined>;
}

/** In these a site is asked for; after them it may be asked for anew. */
const open = ['checking', 'open', 'asking', 'waiting', 'verifying'] as const;
/** In these it is not over. */
const live = [...open, 'allowed'] as const;
/** In these it takes one of the places that a person has. */
const undecided = open.filter((state) => state !== 'verifying');
const isOpen = (state: SiteRequestRow['state']): boolean => open.some((one) => one === state);
/** Of a site that nothing blocks nobody hears: so many times as often as the policy lets somebody ask may be looked at. */
const looks = 2;
/** The clock may have been set back between the click and its action, by milliseconds. */
const drift = 60 * 60_000;

export function siteRequestStore(store: Store, replica: string, now: () => number): SiteRequestStore {
  const { durable } = store;
  const claims = claimsOn('site_requests', store, replica, now);
  const select = () => durable.selectFrom('site_requests').selectAll();

  async function openOf(channel: string, site: string): Promise<SiteRequestRow | undefined> {
    const row = await select()
      .where('channel', '=', channel)
      .where('open_site', '=', site)
      .executeTakeFirst();
    return row && read(row);
  }

  /** Two lines of one person at the same moment may both pass: the limit is against a flood. */
  async function excessOf(
    person: string,
    { open: mostOpen, most, since }: NonNullable<NewSiteRequest['limits']>,
  ): Promise<OpenedSiteRequest | undefined> {
    const mine = await select().where('person', '=', person).where('created_at', '>', since).execute();
    const waiting = await select().where('person', '=', person).where('state', 'in', undecided).execute();
    if (waiting.length >= mostOpen) return { kind: 'too_many_open' };
    const byTime = mine.toSorted((one, other) => one.created_at - other.created_at);
    // What was over before anybody had to decide was no trouble to anybody, but who only looks what can be reached ends, too.
    const asked = byTime.filter(({ card, state }) => card !== null || isOpen(state));
    const oldest = asked.at(-most) ?? byTime.at(-looks * most);
    return oldest === undefined
      ? undefined
      : { kind: 'too_many', again: oldest.created_at + (now() - since) };
  }

  /** Where nothing else has changed it before. */
  const swap = (
    { id, revision }: Pick<SiteRequestRow, 'id' | 'revision'>,
    { content, messages = [] }: Pick<SiteRequestChange, 'content' | 'messages'>,
    columns: Updateable<SiteRequestsTable>,
  ): Promise<SiteRequestRow | undefined> =>
    durable.transaction().execute(async (transaction) => {
      const row = await transaction
        .updateTable('site_requests')
        .set({ ...columns, revision: revision + 1, content_json: JSON.stringify(content) })
        .where('id', '=', id)
        .where('revision', '=', revision)
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return undefined;
      await insertMessages(transaction, messages, replica, now());
      return read(row);
    });

  return {
    openSiteRequest: async ({ team, channel, person, site, appliances, lasts, reason, content, ...more }) => {
      for (;;) {
        const there = await openOf(channel, site);
        if (there !== undefined) return { kind: 'open', row: there };
        const excess =
          person === undefined || more.limits === undefined ? undefined : await excessOf(person, more.limits);
        if (excess !== undefined) return excess;
        const row = await durable
          .insertInto('site_requests')
          .values({
            ...{ id: newId(), revision: 1, state: 'checking', team, channel, site, open_site: site, reason },
            ...{ person: person ?? null, appliances: appliances.join(','), lasts: lasts ?? null },
            ...{ content_json: JSON.stringify(content), card: null, action: null },
            ...{
              created_at: now(),
              closes_at: more.closesAt,
              tries: 0,
              next_try_at: now(),
              ...claims.held(),
            },
          })
          .onConflict((conflict) => conflict.columns(['channel', 'open_site']).doNothing())
          .returningAll()
          .executeTakeFirst();
        if (row !== undefined) return { kind: 'new', row: read(row) };
      }
    },
    siteRequest: async (id) => {
      const row = await select().where('id', '=', id).executeTakeFirst();
      return row && read(row);
    },
    siteRequestsIn: async (channels) =>
      channels.length === 0
        ? []
        : (
            await select()
              .where('channel', 'in', channels)
              .where('state', 'in', live)
              .orderBy('created_at')
              .execute()
          ).map(read),
    siteRequestsOf: async (person, since) => {
      // Who has joined stands in the content alone, so those that are not over are looked through: by their states, for the index.
      const open = select()
        .where('state', 'in', live)
        .where(({ or, eb }) =>
          or([eb('person', '=', person), eb('content_json', 'like', `%"person":"${person}"%`)]),
        );
      const over = select()
        .where('person', '=', person)
        .where('created_at', '>', since ?? now())
        .where('state', '=', 'closed');
      const rows = await Promise.all([open.execute(), over.execute()]);
      return rows
        .flat()
        .toSorted((one, other) => one.created_at - other.created_at)
        .map(read);
    },
    changeSiteRequest: (of, { state, action, first, nextAt = now(), isHeld, ...change }) =>
      swap(of, change, {
        ...(state !== undefined && { state, ...(isOpen(state) ? {} : { open_site: null }) }),
        ...(action !== undefined && { action }),
        ...(first && { person: first.person ?? null, lasts: first.lasts ?? null, reason: first.reason }),
        ...{ tries: 0, next_try_at: nextAt, ...(isHeld === true ? claims.held() : freed) },
      }),
    joinSiteRequest: (of, change) => swap(of, change, {}),
    claimSiteRequests: async () => {
      const due = await claims.claim(({ and, eb }) =>
        and([eb('state', 'in', live), claims.isFree(), claims.isDue()]),
      );
      return due.map(read);
    },
    siteRequestLater: async (id, nextAt) => {
      await claims.retryLater([id], nextAt);
    },
    placedSiteRequest: async (id, card) => {
      await durable.updateTable('site_requests').set({ card }).where('id', '=', id).execute();
    },
    actionOfDelivery: async (delivery, since) => {
      const row = await durable
        .selectFrom('actions')
        .select('id')
        // For the index.
        .where('created_at', '>=', since - drift)
        .where('delivery', '=', delivery)
        .orderBy('created_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row?.id;
    },
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
  };
}

const read = (row: Selectable<SiteRequestsTable>): SiteRequestRow => ({
  ...{ id: row.id, revision: row.revision, state: row.state, team: row.team, channel: row.channel },
  ...{ site: row.site, reason: row.reason, content: parsed(row.content_json) },
  person: row.person ?? undefined,
  appliances: row.appliances.split(',').filter((name) => name !== ''),
  lasts: row.lasts ?? undefined,
  card: row.card ?? undefined,
  action: row.action ?? undefined,
  createdAt: row.created_at,
  closesAt: row.closes_at,
  nextAt: row.next_try_at,
});
