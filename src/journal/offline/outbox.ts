import type { OutboxStore, ToSend, Unsent } from '../delivery/outbox.ts';
import type { Journal } from '../journal.ts';
import type { BufferedDatabase } from './database.ts';

/** A message that waits here until it can be written down, or has got out. */
interface Buffering extends Unsent {
  readonly nextAt: number;
  readonly isHeld: boolean;
}

export interface BufferedMessages {
  /** Takes messages that belong to a step which is not written down yet. */
  readonly buffer: (told: readonly ToSend[]) => void;
  /** Resolves when none waits here. */
  readonly said: () => Promise<void>;
  readonly outbox: Omit<OutboxStore, 'unsent' | 'postWritten'>;
}

/** The outbox, in which messages can lie while the database is away. */
export function bufferedMessages(
  journal: Journal,
  { askOr, tell, writeBehind }: BufferedDatabase,
  now: () => number,
): BufferedMessages {
  const messages = new Map<string, Buffering>();
  const waiting = new Set<() => void>();

  function remove(key: string): boolean {
    const wasHere = messages.delete(key);
    if (messages.size > 0) return wasHere;
    for (const tell of waiting) tell();
    waiting.clear();
    return wasHere;
  }

  function bufferMessages(told: readonly ToSend[]): void {
    for (const message of told) {
      messages.set(message.key, {
        ...{ ...message, createdAt: now(), tries: 0, isMaybeDelivered: false },
        ...{ nextAt: now(), isHeld: true },
      });
      writeBehind.droppable(
        'a message',
        () => writeMessage(message.key),
        () => remove(message.key),
      );
    }
  }

  /** What has got out while offline is not there any more. */
  async function writeMessage(key: string): Promise<void> {
    const message = messages.get(key);
    if (message === undefined) return;
    // A step that was written although nobody heard of it has brought its messages along.
    await journal.acknowledge(key);
    await journal.tidy();
    await journal.post([message]);
    const current = messages.get(key);
    remove(key);
    if (current === undefined) await journal.acknowledge(key);
    else if (current.tries > 0) await journal.retryLater(key, current.nextAt, current.isMaybeDelivered);
    else if (!current.isHeld) await journal.releaseMessages([key]);
  }

  return {
    buffer: bufferMessages,
    said: async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (messages.size === 0) resolve();
      else waiting.add(resolve);
      await promise;
    },
    outbox: {
      post: async (told) =>
        askOr(
          () => journal.post(told),
          () => bufferMessages(told),
        ),

      claimOrderingKey: async (orderingKey) => {
        const here = [...messages.values()].filter((one) => one.orderingKey === orderingKey);
        if (here.length === 0)
          return askOr(
            () => journal.claimOrderingKey(orderingKey),
            () => [],
          );
        if (here.some(({ nextAt }) => nextAt > now())) return [];
        for (const one of here) messages.set(one.key, { ...one, isHeld: true });
        return here;
      },

      dueOrderingKeys: (most, which) =>
        askOr(
          () => journal.dueOrderingKeys(most, which),
          () =>
            [...messages.values()].flatMap(({ orderingKey, isHeld, nextAt }) =>
              isHeld || nextAt > now() ? [] : [orderingKey],
            ),
        ),

      acknowledge: async (key) => {
        const acknowledge = () => journal.acknowledge(key);
        if (remove(key)) writeBehind.droppable('a delivered message', acknowledge);
        else await tell('a delivered message', acknowledge);
      },

      retryLater: async (key, nextAt, isMaybeDelivered) => {
        const here = messages.get(key);
        if (here !== undefined) {
          messages.set(key, { ...here, nextAt, isMaybeDelivered, tries: here.tries + 1, isHeld: false });
          return;
        }
        await tell('an undelivered message', () => journal.retryLater(key, nextAt, isMaybeDelivered));
      },

      releaseMessages: async (keys) => {
        for (const key of keys) {
          const here = messages.get(key);
          if (here !== undefined) messages.set(key, { ...here, isHeld: false });
        }
        const others = keys.filter((key) => !messages.has(key));
        if (others.length > 0)
          await tell('messages for other replicas to send', () => journal.releaseMessages(others));
      },
    },
  };
}
