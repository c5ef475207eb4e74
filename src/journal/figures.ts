import type { State } from './actions/states.ts';
import { headOf } from './audit/hash-chain.ts';
import type { Store } from './database.ts';

/** What whoever watches the bot wants to know of its journal now. Times are milliseconds since the epoch. */
export interface Figures {
  /** Actions that are not over, or not recorded so far. */
  readonly actions: ReadonlyMap<State, number>;
  /** Those of them that wait for other people's approval. */
  readonly awaitingApproval: number;
  readonly messages: Backlog;
  readonly webhooks: Backlog;
  /** What is on for a time, and how much of that should have ended by now. */
  readonly timed: { readonly count: number; readonly overdue: number };
  /** The number of the newest record. */
  readonly auditHead: number;
  /** Whether its records are as they were written, as far as the bot has verified them (`audit/verify/ongoing.ts`). */
  readonly isAuditIntact: boolean;
}

/** What waits to be delivered, and since when the oldest of it. */
interface Backlog {
  readonly count: number;
  readonly oldest: number | undefined;
}

export interface FigureStore {
  readonly figures: () => Promise<Figures>;
}

export function figureStore({ quick }: Store, now: () => number): FigureStore {
  const backlogOf = async (table: 'outbox' | 'webhooks'): Promise<Backlog> => {
    const row = await quick
      .selectFrom(table)
      .select(({ fn }) => [fn.countAll().as('count'), fn.min('created_at').as('oldest')])
      .executeTakeFirstOrThrow();
    return { count: Number(row.count), oldest: row.oldest === null ? undefined : Number(row.oldest) };
  };

  return {
    figures: async () => {
      const open = await quick
        .selectFrom('actions')
        .select(({ fn }) => ['state', fn.countAll().as('count'), fn.count('consent_json').as('asking')])
        .where('recorded', 'is', null)
        .groupBy('state')
        .execute();
      const timed = await quick
        .selectFrom('timed_changes')
        .select(({ fn, eb }) => [
          fn.countAll().as('count'),
          fn.sum(eb.case().when('ends_at', '<', now()).then(1).else(0).end()).as('overdue'),
        ])
        .where('state', '!=', 'over')
        .executeTakeFirstOrThrow();
      const broken = await quick
        .selectFrom('audit_verified')
        .select('part')
        .where('broken', 'is not', null)
        .execute();
      return {
        actions: new Map(open.map(({ state, count }) => [state, Number(count)])),
        awaitingApproval: Number(open.find(({ state }) => state === 'waiting')?.asking ?? 0),
        messages: await backlogOf('outbox'),
        webhooks: await backlogOf('webhooks'),
        timed: { count: Number(timed.count), overdue: Number(timed.overdue ?? 0) },
        auditHead: (await headOf(quick)).seq,
        isAuditIntact: broken.length === 0,
      };
    },
  };
}
