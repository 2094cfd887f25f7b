import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Tests mostly wait for processes that they started: a core for each is not too many.
    maxWorkers: '100%',
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.ts'], testTimeout: 60_000 } },
      {
        test: {
          name: 'e2e',
          include: ['test/**/*.test.ts'],
          // They need other programs: npm run test:agents, npm run test:queue
          exclude: ['test/agents/**', 'test/queue/**'],
          globalSetup: 'test/support/home-folder.ts',
          testTimeout: 120_000,
        },
      },
    ],
  },
});
