import { expect, test } from 'vitest';
import { runChaos } from '../chaos/chaos.js';

// More of it: npm run test:chaos
test('a check that is killed at random moments loses nothing, and leaves nothing behind', async () => {
  const { kills, flaws, folder } = await runChaos({ kills: 6, seed: 20 });

  expect(flaws, folder).toEqual([]);
  expect(kills).toBe(6);
});
