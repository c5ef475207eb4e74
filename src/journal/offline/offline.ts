import type { Journal } from '../journal.ts';
import { bufferedActions } from './actions.ts';
import { bufferedDatabase, type Notices } from './database.ts';
import { bufferedMessages } from './outbox.ts';
import { bufferedApplies } from './pending-applies.ts';
import { bufferedTimedChanges } from './timed-changes.ts';
import { bufferedTokens } from './tokens.ts';

/** What nobody waits for the answer of: it is written now, or when the database is back. With what is said of it where it is lost. */
const toldOf = {
  seenTo: 'a handled line',
  forgetSealed: 'the removal of a password',
  releaseOf: 'the release of a button',
  formOpened: 'an opened form',
  formSearched: 'a search in a form',
  voidTimedChange: 'the cancellation of a scheduled end',
  sawTimedChange: 'a state read from an appliance',
  undoesTimedChange: 'how a temporary change is undone',
  leftByTimedChange: 'what a temporary change has left',
  expediteTimedChanges: 'the retry of a scheduled end',
  timedEndsGoOn: 'the progress of a scheduled end',
  reminded: 'a sent reminder',
  placedReport: 'the location of a report',
  reported: 'a reported end',
} as const satisfies { readonly [Name in keyof Journal]?: string };

/** Of these there is nothing while the database is away: nobody takes up what others cannot see that it is taken. */
const empty = [
  'approvalsOf',
  'claimReminders',
  'claimEnds',
  'claimReports',
] as const satisfies readonly (keyof Journal)[];

/**
 * A journal whose database may be away for a while. Look-ups and refusals are answered then, and written down when it is
 * back. Whatever begins a change, or moves one towards the appliance, rejects with `JournalUnavailable`: intent is
 * written before the call, or there is no call. What a change that was sent already has come to is buffered until it is
 * written; should the process die first, it is unknown, as after any crash.
 */
export function offline(journal: Journal, notices: Notices, now: () => number): Journal {
  const database = bufferedDatabase(journal.probe, notices);
  const { ask, askOr, tell, writeBehind } = database;
  const messages = bufferedMessages(journal, database, now);
  const delivered = new Set<string>();

  // What is not told otherwise is refused while the database is away. A cast, because `Object.entries` forgets which
  // function has which name: every one of them is there, and answers as it did.
  const asking = Object.fromEntries(
    Object.entries(journal).map(([name, value]) => {
      if (typeof value !== 'function') return [name, value];
      const what: string | undefined = Reflect.get(toldOf, name);
      const isEmpty = empty.some((one) => one === name);
      return [
        name,
        async (...given: readonly unknown[]) => {
          const does = async () => Reflect.apply(value, journal, given);
          if (what !== undefined) return tell(what, does);
          return isEmpty ? askOr(does, () => []) : ask(does);
        },
      ];
    }),
  ) as unknown as Journal;

  return {
    ...asking,
    ...bufferedActions(journal, database, messages.buffer, now),
    ...messages.outbox,
    ...bufferedTokens(journal, database, now),
    ...bufferedApplies(journal, database, messages.buffer, now),
    ...bufferedTimedChanges(journal, database, now),

    isWritten: database.isWritten,
    secured: () => Promise.race([database.written(), messages.said()]),
    // It is for who asks whether the database is back, and for nobody else.
    probe: journal.probe,

    // What is gathered meanwhile is written when the database is back.
    tidy: () => askOr(journal.tidy, () => undefined),

    claimDelivery: async (key, typed) => {
      if (delivered.has(key)) return false;
      const take = () => journal.claimDelivery(key, typed);
      return askOr(take, () => {
        // Both that came at once may have been on their way to the database.
        if (delivered.has(key)) return false;
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

    writeReload: (reload) => {
      const write = () => journal.writeReload(reload);
      return askOr(write, () => {
        writeBehind.required('a reload of the policy', write);
        return true;
      });
    },

    close: async () => {
      await database.close();
      await journal.close();
    },
  };
}
