import { setTimeout as sleep } from 'node:timers/promises';

/** The system, or this process, has no more files to open a connection with. Nothing has left. */
const codes: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE']);
/** In milliseconds: connections that somebody has just used end within seconds. */
const pause = 100;
const longest = 20_000;

/** The same as `fetch`, but waits for a while where there is nothing left to open a connection with. */
export const patientFetch: typeof fetch = async (...given) => {
  const until = performance.now() + longest;
  for (;;) {
    try {
      return await fetch(...given);
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
      const isOutOfFiles = cause !== undefined && 'code' in cause && codes.has(cause.code);
      if (!isOutOfFiles || performance.now() > until) throw error;
      await sleep(pause);
    }
  }
};
