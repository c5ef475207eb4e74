import { setTimeout as sleep } from 'node:timers/promises';

/** The system, or this process, has no more files to open a connection with. Nothing has left. */
const codes: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE']);
/** In milliseconds: connections that somebody has just used end within seconds. */
const pause = 100;
const longest = 20_000;

/** The same `fetch`, but it waits for a while where there is nothing left to open a connection with. */
export function patient(hasty: typeof fetch): typeof fetch {
  return async (...given) => {
    const until = performance.now() + longest;
    for (;;) {
      try {
        return await hasty(...given);
      } catch (error) {
        if (!isOutOfFiles(error) || performance.now() > until) throw error;
        await sleep(pause);
      }
    }
  };
}

export function isOutOfFiles(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
  return cause !== undefined && 'code' in cause && codes.has(cause.code);
}
