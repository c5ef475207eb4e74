import type { Environment } from '../src/config/secret.ts';

/**
 * Variables for the folders of programs and temporary files, the zone, the language, Node's options and compile cache,
 * and a fake clock (libfaketime).
 */
const ofTheMachine =
  /^(?:PATH|TMPDIR|NODE_OPTIONS|NODE_COMPILE_CACHE|TZ|LANG|LANGUAGE|LC_\w+|LOCPATH|LD_PRELOAD|FAKETIME\w*|NO_FAKE_STAT)$/;

/** The machine's own settings, for a process with an environment of its own. */
export const machine = (): Environment =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => ofTheMachine.test(name)));
