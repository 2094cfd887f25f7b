import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** They take minutes: `npm run test:full`, which names them, runs them, and so does CI. */
const deepTests = [
  'test/check/chaos.test.ts',
  'test/check/leaks.test.ts',
  'test/check/planted-secrets.test.ts',
  'test/proxy/load.test.ts',
  'test/proxy/memory.test.ts',
  'test/report/accessible.test.ts',
];

export default defineConfig({
  test: {
    // End-to-end tests wait for processes that they started half of the time.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.ts'], testTimeout: 60_000 } },
      {
        test: {
          name: 'e2e',
          include: ['test/**/*.test.ts'],
          // They need other programs: npm run test:agents, npm run test:queue
          exclude: [
            'test/real-agents/**',
            'test/queue/**',
            ...(process.env.PROCTOR_TEST_FULL === undefined ? deepTests : []),
          ],
          globalSetup: 'test/support/home-folder.ts',
          testTimeout: 120_000,
          // They start servers, on machines that may have other work.
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
