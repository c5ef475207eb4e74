import { JournalUnavailable } from '../unavailable.ts';

/** What whoever runs the bot is told, once for each time that the database is away, and once more where it is so for another reason. */
export interface Notices {
  readonly away: (why: JournalUnavailable) => void;
  /** It is back, and so much of what was buffered was written down. */
  readonly back: (written: number) => void;
  /** This event is not recorded in the journal, and why. */
  readonly lost: (what: string, why: unknown) => void;
}

/** Asks the database while it is there, and buffers what is to be written when it is back. */
export interface BufferedDatabase {
  /** While it is away, nobody waits for it again: rejects with `JournalUnavailable` at once. */
  readonly ask: <Value>(does: () => Promise<Value>) => Promise<Value>;
  readonly askOr: <Value>(does: () => Promise<Value>, otherwise: () => Value) => Promise<Value>;
  /** Writes it now, or when the database is back. */
  readonly tell: (what: string, write: () => Promise<unknown>) => Promise<void>;
  readonly writeBehind: WriteBehind;
  /** Whether nothing waits to be written. */
  readonly isWritten: () => boolean;
  /** Resolves when that is so, or nobody waits for the database any more. */
  readonly written: () => Promise<void>;
  /** Writes what can be written still, and tells of the rest. */
  readonly close: () => Promise<void>;
}

/** Writes when the database is back, in the order in which it was asked to. */
interface WriteBehind {
  /** Of what a change has come to: never given up. */
  readonly required: (what: string, write: () => Promise<unknown>) => void;
  /** Of too much, the oldest is given up: `drop` forgets what is buffered for it. */
  readonly droppable: (what: string, write: () => Promise<unknown>, drop?: () => void) => void;
}

/** How often it is tried whether the database is back, in milliseconds. */
const pause = 500;
/** So much is buffered until it can be written. */
const most = 10_000;

/** Something to be written when the database is back. */
interface PendingWrite {
  readonly what: string;
  readonly write: () => Promise<unknown>;
  readonly drop: (() => void) | undefined;
}

/** `probe` rejects with `JournalUnavailable` while the database is away. */
export function bufferedDatabase(probe: () => Promise<unknown>, notices: Notices): BufferedDatabase {
  let away: JournalUnavailable | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const pending: PendingWrite[] = [];
  /** Pending while it is away. */
  let returned = Promise.withResolvers<void>();

  const ask: BufferedDatabase['ask'] = async (does) => {
    if (away !== undefined) throw new JournalUnavailable(away.cause, away.trouble);
    try {
      return await does();
    } catch (error) {
      if (error instanceof JournalUnavailable && away === undefined) {
        goAway(error);
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

  const writeBehind: WriteBehind = {
    required: (what, write) => {
      pending.push({ what, write, drop: undefined });
    },
    droppable: (what, write, drop = () => undefined) => {
      const oldest = pending.length < most ? -1 : pending.findIndex((one) => one.drop !== undefined);
      for (const dropped of oldest === -1 ? [] : pending.splice(oldest, 1)) {
        dropped.drop?.();
        notices.lost(dropped.what, new Error(`More than ${most} writes were waiting`));
      }
      pending.push({ what, write, drop });
    },
  };

  return {
    ...{ ask, askOr, writeBehind },
    isWritten: () => away === undefined,
    written: async () => {
      if (away !== undefined && !isClosed) await returned.promise;
    },
    tell: async (what, write) => {
      await askOr(write, () => writeBehind.required(what, write));
    },
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      if (pending.length > 0) await comeBack();
      returned.resolve();
      for (const { what } of pending) notices.lost(what, new Error('The bot was stopped'));
    },
  };

  function goAway(why: JournalUnavailable): void {
    const isNews = away?.trouble !== why.trouble;
    if (away === undefined) returned = Promise.withResolvers<void>();
    away = why;
    if (isNews) notices.away(why);
  }

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
      for (let next = pending[0]; next !== undefined; next = pending[0]) {
        try {
          await next.write();
          written += 1;
        } catch (error) {
          if (error instanceof JournalUnavailable) throw error;
          notices.lost(next.what, error);
          next.drop?.();
        }
        const at = pending.indexOf(next);
        if (at !== -1) pending.splice(at, 1);
      }
    } catch (error) {
      if (error instanceof JournalUnavailable) goAway(error);
      tryLater();
      return;
    }
    away = undefined;
    returned.resolve();
    notices.back(written);
  }
}
