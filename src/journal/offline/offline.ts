import type { Journal } from '../journal.ts';
import { bufferedActions } from './actions.ts';
import { bufferedDatabase, type Notices } from './database.ts';
import { bufferedMessages } from './outbox.ts';
import { bufferedApplies } from './pending-applies.ts';
import { bufferedTimedChanges } from './timed-changes.ts';
import { bufferedTokens } from './tokens.ts';

/**
 * A journal whose database may be away for a while. Look-ups and refusals are answered then, and written down when it is
 * back. Whatever begins a change, or moves one towards the appliance, rejects with `JournalUnavailable`: intent is
 * written before the call, or there is no call. What a change that was sent already has come to is buffered until it is
 * written; should the process die first, it is unknown, as after any crash.
 */
export function offline(journal: Journal, notices: Notices, now: () => number): Journal {
  const database = bufferedDatabase(() => journal.recent(1), notices);
  const { ask, askOr, tell, writeBehind } = database;
  const messages = bufferedMessages(journal, database, now);
  const delivered = new Set<string>();

  // What is not told otherwise below is refused while the database is away. A cast, because `Object.entries` forgets which
  // function has which name: every one of them is there, and answers as it did.
  const asking = Object.fromEntries(
    Object.entries(journal).map(([name, value]) => [
      name,
      typeof value === 'function'
        ? (...given: readonly unknown[]) => ask(async () => Reflect.apply(value, journal, given))
        : value,
    ]),
  ) as unknown as Journal;

  return {
    ...asking,
    ...bufferedActions(journal, database, messages.buffer, now),
    ...messages.outbox,
    ...bufferedTokens(journal, database, now),
    ...bufferedApplies(journal, database, messages.buffer, now),
    ...bufferedTimedChanges(journal, database, now),

    approvalsOf: (action, question) =>
      askOr(
        () => journal.approvalsOf(action, question),
        () => [],
      ),

    claimDelivery: async (key, typed) => {
      if (delivered.has(key)) return false;
      const take = () => journal.claimDelivery(key, typed);
      return askOr(take, () => {
        delivered.add(key);
        writeBehind.droppable(
          'a delivery',
          async () => {
            await take();
            delivered.delete(key);
          },
          () => delivered.delete(key),
        );
        return true;
      });
    },

    seenTo: async (key) => {
      await tell('that a line was seen to', () => journal.seenTo(key));
    },

    forgetSealed: async (id) => {
      await tell('a password to be forgotten', () => journal.forgetSealed(id));
    },

    writeReload: (reload) => {
      const write = () => journal.writeReload(reload);
      return askOr(write, () => {
        writeBehind.required('that the policy was read again', write);
        return true;
      });
    },

    close: async () => {
      await database.close();
      await journal.close();
    },
  };
}
