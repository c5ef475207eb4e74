import { sql } from 'kysely';
import { claimsOn } from '../claims.ts';
import type { Store } from '../database.ts';
import { gather } from '../storage/gather.ts';

/**
 * What only tidies up after others: nobody waits for it, and it is written for all together. After a crash that comes before,
 * what was sent is looked for before it is sent again, as after one that came before it was known to have been sent.
 */
export interface Tidying {
  /** A message got out, or never will. */
  readonly sent: (key: string) => void;
  /** Where the card of an action stands that nobody can press. */
  readonly placed: (action: string, card: string) => void;
  /** Something came of a typed line. */
  readonly seenTo: (delivery: string) => void;
  /** Writes what was gathered. */
  readonly flush: () => Promise<void>;
}

/** In milliseconds. */
const within = 250;

type Tidied =
  | { readonly sent: string }
  | { readonly action: string; readonly card: string }
  | { readonly seenTo: string };

export function createTidying(store: Store, replica: string, now: () => number): Tidying {
  const outbox = claimsOn('outbox', store, replica, now);
  const deliveries = claimsOn('deliveries', store, replica, now);

  const { add, flush } = gather(async (all: readonly Tidied[]) => {
    const sent = all.flatMap((one) => ('sent' in one ? [one.sent] : []));
    const cards = all.flatMap((one) => ('card' in one ? [one] : []));
    const seenTo = all.flatMap((one) => ('seenTo' in one ? [one.seenTo] : []));
    await store.quick.transaction().execute(async (transaction) => {
      if (cards.length > 0) {
        const each = cards.map(({ action, card }) => sql`when ${action} then ${card}`);
        await transaction
          .updateTable('actions')
          .set({ card: sql<string>`case id ${sql.join(each, sql` `)} else card end` })
          .where(
            'id',
            'in',
            cards.map(({ action }) => action),
          )
          .execute();
      }
      await outbox.finish(sent, transaction);
      await deliveries.free(seenTo, { within: transaction });
    });
  }, within);

  return {
    sent: (sent) => add({ sent }),
    placed: (action, card) => add({ action, card }),
    seenTo: (seenTo) => add({ seenTo }),
    flush,
  };
}
