import type { Environment } from '../src/config/secret.ts';

/** Where programs and temporary files lie, the zone, the language, how Node runs, and what stands in for the clock (libfaketime). */
const ofTheMachine =
  /^(?:PATH|TMPDIR|NODE_OPTIONS|TZ|LANG|LANGUAGE|LC_\w+|LOCPATH|LD_PRELOAD|FAKETIME\w*|NO_FAKE_STAT)$/;

/** For a process that gets settings of its own and none of ours: what it finds on this machine, whoever starts it. */
export const machine = (): Environment => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => ofTheMachine.test(name))),
  // Where tests start many of them, only the first of each program is compiled (`test/setup.ts`).
  NODE_COMPILE_CACHE: process.env.APPLIANCE_BOT_COMPILED,
});
