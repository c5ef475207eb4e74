import { sql } from 'kysely';
import { claimsOn } from '../claims.ts';
import type { Store } from '../database.ts';

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
  let gathered: Tidied[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  function add(one: Tidied): void {
    gathered.push(one);
    wait();
  }

  function wait(): void {
    timer ??= setTimeout(() => void flush().catch(() => undefined), within).unref();
  }

  /** Resolves when all that was added before is written. */
  function flush(): Promise<void> {
    writing = writing.then(writeGathered, writeGathered);
    return writing;
  }

  /** What could not be written is written with what comes next. */
  async function writeGathered(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (gathered.length === 0) return;
    const all = gathered;
    gathered = [];
    try {
      await write(all);
    } catch (error) {
      gathered = [...all, ...gathered];
      wait();
      throw error;
    }
  }

  async function write(all: readonly Tidied[]): Promise<void> {
    const sent = all.flatMap((one) => ('sent' in one ? [one.sent] : []));
    const cards = all.flatMap((one) => ('card' in one ? [one] : []));
    const seenTo = all.flatMap((one) => ('seenTo' in one ? [one.seenTo] : []));
    const ids = cards.map(({ action }) => action);
    const each = cards.map(({ action, card }) => sql`when ${action} then ${card}`);
    const placed = () =>
      store.quick
        .updateTable('actions')
        .set({ card: sql<string>`case id ${sql.join(each, sql` `)} else card end` })
        .where('id', 'in', ids);
    await store.write('quick', {
      sweep: [
        ...(cards.length > 0 ? [placed()] : []),
        ...(sent.length > 0 ? [outbox.finishing(sent)] : []),
        ...(seenTo.length > 0 ? [deliveries.freeing(seenTo)] : []),
      ],
    });
  }

  return {
    sent: (sent) => add({ sent }),
    placed: (action, card) => add({ action, card }),
    seenTo: (seenTo) => add({ seenTo }),
    flush,
  };
}
