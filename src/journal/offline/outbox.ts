import type { Outbox, ToSend, Unsent } from '../delivery/outbox.ts';
import type { Journal } from '../journal.ts';
import type { Database } from './database.ts';

/** A message that waits here until it can be written down, or has got out. */
interface Carrying extends Unsent {
  readonly nextAt: number;
  readonly isHeld: boolean;
}

export interface CarriedMessages {
  /** Takes messages that belong to a step which is not written down yet. */
  readonly carry: (told: readonly ToSend[]) => void;
  readonly outbox: Omit<Outbox, 'unsent'>;
}

/** The outbox, in which messages can lie while the database is away. */
export function carriedMessages(
  journal: Journal,
  { askOr, tell, later }: Database,
  now: () => number,
): CarriedMessages {
  const messages = new Map<string, Carrying>();

  function carryMessages(told: readonly ToSend[]): void {
    for (const message of told) {
      messages.set(message.key, {
        ...{ ...message, createdAt: now(), tries: 0, isInDoubt: false },
        ...{ nextAt: now(), isHeld: true },
      });
      later(
        'a message',
        () => writeMessage(message.key),
        () => messages.delete(message.key),
      );
    }
  }

  /** What has got out meanwhile is not there any more. */
  async function writeMessage(key: string): Promise<void> {
    const message = messages.get(key);
    if (message === undefined) return;
    // A step that was written although nobody heard of it has brought its messages along.
    await journal.sent(key);
    await journal.post([message]);
    const current = messages.get(key);
    messages.delete(key);
    if (current === undefined) await journal.sent(key);
    else if (current.tries > 0) await journal.putOff(key, current.nextAt, current.isInDoubt);
    else if (!current.isHeld) await journal.setDown([key]);
  }

  return {
    carry: carryMessages,
    outbox: {
      post: async (told) =>
        askOr(
          () => journal.post(told),
          () => carryMessages(told),
        ),

      claimLane: async (lane) => {
        const here = [...messages.values()].filter((one) => one.lane === lane);
        if (here.length === 0)
          return askOr(
            () => journal.claimLane(lane),
            () => [],
          );
        if (here.some(({ nextAt }) => nextAt > now())) return [];
        for (const one of here) messages.set(one.key, { ...one, isHeld: true });
        return here;
      },

      dueLanes: () =>
        askOr(
          () => journal.dueLanes(),
          () =>
            [...messages.values()].flatMap(({ lane, isHeld, nextAt }) =>
              isHeld || nextAt > now() ? [] : [lane],
            ),
        ),

      sent: async (key) => {
        if (messages.delete(key)) later('that a message got out', () => journal.sent(key));
        else await tell('that a message got out', () => journal.sent(key));
      },

      putOff: async (key, nextAt, isInDoubt) => {
        const here = messages.get(key);
        if (here !== undefined) {
          messages.set(key, { ...here, nextAt, isInDoubt, tries: here.tries + 1, isHeld: false });
          return;
        }
        await tell('that a message did not get out', () => journal.putOff(key, nextAt, isInDoubt));
      },

      setDown: async (keys) => {
        for (const key of keys) {
          const here = messages.get(key);
          if (here !== undefined) messages.set(key, { ...here, isHeld: false });
        }
        const others = keys.filter((key) => !messages.has(key));
        if (others.length > 0) await tell('messages that are left to others', () => journal.setDown(others));
      },
    },
  };
}
