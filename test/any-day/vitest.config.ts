import { defineConfig } from 'vitest/config';

/** `as-ordered.ts` is none of the tests: on its own nothing has been ordered. `npm test` asks for the project by its name. */
export default defineConfig({
  test: {
    name: 'quick',
    include: ['test/any-day/as-ordered.ts'],
    globalSetup: 'test/setup.ts',
    testTimeout: 60_000,
  },
});
