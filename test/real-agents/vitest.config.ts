import { defineConfig } from 'vitest/config';

/** Apart from the other tests: it takes two gigabytes of programs. */
export default defineConfig({
  test: {
    name: 'agents',
    include: ['test/real-agents/*.test.ts'],
    globalSetup: ['test/support/home-folder.ts', 'test/real-agents/install-programs.ts'],
    // Many of these tests only wait.
    maxWorkers: 3,
    testTimeout: 120_000,
  },
});
