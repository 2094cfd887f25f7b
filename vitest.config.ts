import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.ts'], testTimeout: 60_000 } },
      {
        test: {
          name: 'e2e',
          include: ['test/**/*.test.ts'],
          // They need other programs: npm run test:agents
          exclude: ['test/agents/**'],
          globalSetup: 'test/support/home-folder.ts',
          testTimeout: 120_000,
        },
      },
    ],
  },
});
