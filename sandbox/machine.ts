import type { Environment } from '../src/config/secret.ts';

/**
 * Where programs and temporary files lie, the zone, the language, how Node runs and where it keeps what it has compiled, and what
 * stands in for the clock (libfaketime).
 */
const ofTheMachine =
  /^(?:PATH|TMPDIR|NODE_OPTIONS|NODE_COMPILE_CACHE|TZ|LANG|LANGUAGE|LC_\w+|LOCPATH|LD_PRELOAD|FAKETIME\w*|NO_FAKE_STAT)$/;

/** For a process that gets settings of its own and none of ours: what it finds on this machine, whoever starts it. */
export const machine = (): Environment =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => ofTheMachine.test(name)));
