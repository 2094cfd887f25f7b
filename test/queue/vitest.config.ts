import { defineConfig } from 'vitest/config';

/** Apart from the other tests: they need a redis-server, which not every machine has. */
export default defineConfig({
  test: {
    name: 'queue',
    include: ['test/queue/**/*.test.ts'],
    globalSetup: 'test/support/home-folder.ts',
    // Tests mostly wait for processes that they started: a core for each is not too many.
    maxWorkers: '100%',
    testTimeout: 120_000,
  },
});
