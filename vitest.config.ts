import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** Debian's Chromium; the browser tests drive a real one or are named, in one line, as not run. */
const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';
const browserTests = 'test/browser/**/*.test.ts';
const hasBrowser = existsSync(chromium);

if (!hasBrowser) {
  process.stdout.write(`Browser tests (${browserTests}) are not run: no Chromium at ${chromium}.\n`);
}

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'sandbox/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
    exclude: hasBrowser ? [] : [browserTests],
    testTimeout: 20_000,
    env: { CHROMIUM: chromium },
  },
});
