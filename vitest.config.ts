import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** They take long, and look deep: `npm run test:full` runs them, and so does CI. */
const slowTests = process.env.PROCTOR_TEST_FULL === undefined ? ['**/*.slow.test.ts'] : [];

export default defineConfig({
  test: {
    // End-to-end tests wait for processes that they started half of the time.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    projects: [
      {
        test: {
          name: 'unit',
          isolate: false,
          include: ['src/**/*.test.ts'],
          exclude: slowTests,
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/**/*.test.ts'],
          // They need other programs: npm run test:agents, npm run test:queue
          exclude: ['test/real-agents/**', 'test/queue/**', ...slowTests],
          globalSetup: 'test/support/home-folder.ts',
          testTimeout: 120_000,
          // They start servers, on machines that may have other work.
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
