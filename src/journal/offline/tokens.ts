import type { Kept, TokenStore } from '../actions/tokens.ts';
import { newId } from '../id.ts';
import type { Journal } from '../journal.ts';
import { JournalUnavailable } from '../unavailable.ts';
import type { BufferedDatabase } from './database.ts';

/** What stands behind buttons, of which some can be offered and pressed while the database is away. */
export function bufferedTokens(
  journal: Journal,
  { ask, askOr, tell, writeBehind }: BufferedDatabase,
  now: () => number,
): Pick<TokenStore, 'keep' | 'kept' | 'take' | 'wasTaken' | 'release' | 'keptOf'> {
  const buffered = new Map<string, Kept>();

  return {
    keep: async (thing) => {
      const token = thing.token ?? newId();
      await askOr(
        () => journal.keep({ ...thing, token }),
        () => {
          const { person, action, ...rest } = thing;
          buffered.set(token, { ...rest, ...untaken, token, person, action });
          writeBehind.droppable(
            'the content of a button',
            async () => {
              await journal.keep({ ...thing, token });
              const taken = buffered.get(token)?.takenBy;
              if (taken !== undefined) await journal.take(token, taken);
              buffered.delete(token);
            },
            () => buffered.delete(token),
          );
          return token;
        },
      );
      return token;
    },

    kept: async (token) => bufferedToken(token) ?? ask(() => journal.kept(token)),

    take: async (token, person) => {
      const here = bufferedToken(token);
      if (here === undefined) return takeThere(token, person);
      if (here.takenBy !== undefined || (here.person ?? person) !== person) return undefined;
      const taken = { ...here, takenBy: person, takenAt: now() };
      buffered.set(token, taken);
      return taken;
    },

    // In its order: what was kept and taken while offline is in the database by then.
    wasTaken: async (token, action) => {
      const note = () => journal.wasTaken(token, action);
      if (bufferedToken(token) === undefined) await tell('the use of a button', note);
      else writeBehind.droppable('the use of a button', note);
    },

    release: async (token, person) => {
      const here = bufferedToken(token);
      if (here?.takenBy === person) buffered.set(token, { ...here, ...untaken });
      if (here !== undefined) return;
      await tell('the release of a button', () => journal.release(token, person));
    },

    keptOf: (action, kind) =>
      askOr(
        () => journal.keptOf(action, kind),
        () => [...buffered.values()].filter((one) => one.action === action && one.kind === kind),
      ),
  };

  /** Where nobody hears whether it was taken, nothing comes of it: it is given back, and can be pressed again. */
  async function takeThere(token: string, person: string): Promise<Kept | undefined> {
    const at = now();
    try {
      return await ask(() => journal.take(token, person, at));
    } catch (error) {
      if (error instanceof JournalUnavailable) {
        writeBehind.required('the release of a button', () => journal.release(token, person, at));
      }
      throw error;
    }
  }

  function bufferedToken(token: string): Kept | undefined {
    const here = buffered.get(token);
    return here === undefined || here.until <= now() ? undefined : here;
  }
}

const untaken = { takenBy: undefined, takenAt: undefined, became: undefined };
