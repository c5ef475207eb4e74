import { JournalUnavailable } from '../unavailable.ts';

/** What whoever runs the bot is told, once for each time that the database is away. */
export interface Notices {
  readonly away: (cause: unknown) => void;
  /** It is back, and so much of what happened meanwhile was written down. */
  readonly back: (written: number) => void;
  /** This will not be in the journal, and why. */
  readonly lost: (what: string, why: unknown) => void;
}

/** Asks the database while it is there, and remembers what is to be written when it is back. */
export interface BufferedDatabase {
  /** While it is away, nobody waits for it again: rejects with `JournalUnavailable` at once. */
  readonly ask: <Value>(does: () => Promise<Value>) => Promise<Value>;
  readonly askOr: <Value>(does: () => Promise<Value>, otherwise: () => Value) => Promise<Value>;
  /** Writes it now, or when the database is back. */
  readonly tell: (what: string, write: () => Promise<unknown>) => Promise<void>;
  /** Writes it when the database is back. Of too much, the oldest is given up: `drop` forgets what is remembered for it. */
  readonly later: (what: string, write: () => Promise<unknown>, drop?: () => void) => void;
  /** The same for what a change has come to, which is never given up. */
  readonly must: (what: string, write: () => Promise<unknown>) => void;
  /** Writes what can be written still, and tells of the rest. */
  readonly close: () => Promise<void>;
}

/** How often it is tried whether the database is back, in milliseconds. */
const pause = 500;
/** So much is remembered until it can be written. */
const most = 10_000;

/** Something to be written when the database is back. */
interface Late {
  readonly what: string;
  readonly write: () => Promise<unknown>;
  readonly drop: (() => void) | undefined;
}

/** `probe` rejects with `JournalUnavailable` while the database is away. */
export function watch(probe: () => Promise<unknown>, notices: Notices): BufferedDatabase {
  let away: { readonly cause: unknown } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const late: Late[] = [];

  const ask: BufferedDatabase['ask'] = async (does) => {
    if (away !== undefined) throw new JournalUnavailable(away.cause);
    try {
      return await does();
    } catch (error) {
      if (error instanceof JournalUnavailable && away === undefined) {
        away = { cause: error.cause };
        notices.away(error.cause);
        tryLater();
      }
      throw error;
    }
  };

  const askOr: BufferedDatabase['askOr'] = async (does, otherwise) => {
    try {
      return await ask(does);
    } catch (error) {
      if (!(error instanceof JournalUnavailable)) throw error;
      return otherwise();
    }
  };

  const must: BufferedDatabase['must'] = (what, write) => {
    late.push({ what, write, drop: undefined });
  };

  return {
    ...{ ask, askOr, must },
    tell: async (what, write) => {
      await askOr(write, () => must(what, write));
    },
    later: (what, write, drop = () => undefined) => {
      const oldest = late.length < most ? -1 : late.findIndex((one) => one.drop !== undefined);
      for (const dropped of oldest === -1 ? [] : late.splice(oldest, 1)) {
        dropped.drop?.();
        notices.lost(dropped.what, new Error(`More than ${most} things waited to be written`));
      }
      late.push({ what, write, drop });
    },
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      if (late.length > 0) await comeBack();
      for (const { what } of late) notices.lost(what, new Error('The bot was stopped'));
    },
  };

  function tryLater(): void {
    if (isClosed) return;
    timer = setTimeout(() => void comeBack(), pause);
    timer.unref();
  }

  /** Writes what has waited, in its order. Only when nothing is left, the database is used again. */
  async function comeBack(): Promise<void> {
    let written = 0;
    try {
      await probe();
      for (let next = late[0]; next !== undefined; next = late[0]) {
        try {
          await next.write();
          written += 1;
        } catch (error) {
          if (error instanceof JournalUnavailable) throw error;
          notices.lost(next.what, error);
          next.drop?.();
        }
        const at = late.indexOf(next);
        if (at !== -1) late.splice(at, 1);
      }
    } catch {
      tryLater();
      return;
    }
    away = undefined;
    notices.back(written);
  }
}
