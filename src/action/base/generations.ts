import type { Generation, Journal, Lost } from '../../journal/journal.ts';
import { JournalUnavailable } from '../../journal/unavailable.ts';
import type { Stamp } from './stamp.ts';

/**
 * What the journal calls itself, and what it knew when it began to call itself so. A message is told from others by the
 * generation that it carries (`Stamp`): what was said between a backup and its restore is not in the journal.
 */
export interface Generations {
  readonly current: () => Promise<Generation>;
  /** What a message carries that is said now; undefined while the journal does not know all that has happened. */
  readonly stamp: () => Promise<Pick<Stamp, 'journal'> | undefined>;
  /** How a message stands to the journal. */
  readonly standing: (stamp: Stamp) => Promise<Standing>;
  /** The newest moment that it knew when it was restored: what stood open then has ended since. 0 where it never was. */
  readonly restoredUntil: () => Promise<number>;
  /** Begins the next one. Undefined where another replica has begun it. */
  readonly begin: (lost: Lost) => Promise<Generation | undefined>;
  /** What other replicas have begun meanwhile is known from now on. */
  readonly refresh: () => void;
}

/**
 * `foreign`: said by a journal that this one never was. `lost`: said after the moment that is known, and before the restore was
 * noticed. `own`: by this generation. `known`: all the rest.
 */
type Standing = 'foreign' | 'lost' | 'own' | 'known';

export function createGenerations(
  journal: Pick<Journal, 'generations' | 'beginGeneration' | 'isWritten'>,
): Generations {
  let loading: Promise<readonly Generation[]> | undefined;

  const all = (): Promise<readonly Generation[]> => {
    loading ??= journal.generations();
    const loaded = loading;
    // Away now, it is asked again.
    loaded.catch(() => refresh());
    return loaded;
  };
  const refresh = () => {
    loading = undefined;
  };
  const current = async () => {
    const newest = (await all()).at(-1);
    if (newest === undefined) throw new Error('The journal has no name');
    return newest;
  };

  return {
    current,
    refresh,

    stamp: async () => {
      if (!journal.isWritten()) return undefined;
      try {
        return { journal: (await current()).id };
      } catch (error) {
        if (!(error instanceof JournalUnavailable)) throw error;
        return undefined;
      }
    },

    standing: async ({ journal: id, at = 0 }) => {
      const known = await all();
      const place = known.findIndex((one) => one.id === id);
      if (id === undefined) return 'known';
      const newest = known.at(-1);
      // When the last restore was noticed, this was among what was lost.
      if (place === -1)
        return newest !== undefined && newest.number > 1 && at < newest.beganAt ? 'lost' : 'foreign';
      const next = known[place + 1];
      if (next === undefined) return 'own';
      return at > next.knownUntil && at < next.beganAt ? 'lost' : 'known';
    },

    restoredUntil: async () => {
      const { number, knownUntil } = await current();
      return number > 1 ? knownUntil : 0;
    },

    begin: async (lost) => {
      const { number } = await current();
      const begun = await journal.beginGeneration(number, lost);
      refresh();
      return begun;
    },
  };
}
