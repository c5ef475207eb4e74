import { defineConfig } from 'vitest/config';

/** `as-ordered.ts` is none of the tests: on its own nothing has been ordered. */
export default defineConfig({
  test: { include: ['test/any-day/as-ordered.ts'], globalSetup: 'test/setup.ts', testTimeout: 60_000 },
});
