import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** Debian's Chromium; the browser tests drive a real one or are named, in one line, as not run. */
const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';
const browserTests = 'test/browser/**/*.test.ts';
const hasBrowser = existsSync(chromium);

if (!hasBrowser) {
  const missing = `Browser tests (${browserTests}) are not run: no Chromium at ${chromium}.`;
  // Whoever names one wants them to be run.
  if (process.env.CHROMIUM !== undefined) throw new Error(missing);
  process.stdout.write(`${missing}\n`);
}

/**
 * Files that start and stop all they need and change nothing of their process (no nock, no environment, no clock of
 * Node's): they share one and load the modules once, which takes longer than most of them.
 */
const sharing = [
  'src/{action,auth,config,handlers,journal}/**/*.test.ts',
  'test/*.test.ts',
  'test/commands/*.test.ts',
];

export default defineConfig({
  test: {
    testTimeout: 20_000,
    // Some tests start the bot as a process of its own.
    globalSetup: 'test/setup.ts',
    env: { CHROMIUM: chromium },
    // More than there are cores: some files wait most of the time, for a replica to be missed or a server to be back.
    maxWorkers: '150%',
    // They begin in the order of their names: the longest files are in the first, and none is left to the end.
    projects: [
      {
        extends: true,
        test: {
          name: 'solitary',
          include: ['src/**/*.test.ts', 'sandbox/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: [...sharing, ...(hasBrowser ? [] : [browserTests])],
        },
      },
      { extends: true, test: { name: 'sharing', include: sharing, isolate: false } },
    ],
  },
});
