import { expect, test } from 'vitest';
import { runQueueChaos } from './chaos/queue-chaos.js';

// More of it: npm run test:queue-chaos
test('a run over a queue whose workers, check and Redis are killed at random moments loses nothing', async () => {
  const { rounds, flaws } = await runQueueChaos({ rounds: 3, seed: 301, atOnce: 2 });

  expect(flaws).toEqual([]);
  expect(rounds).toBe(3);
}, 240_000);
