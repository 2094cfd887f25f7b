import { describe, expect, it } from 'vitest';
import { localLimitsOfEvals } from './local-limits.js';

const model = { provider: 'openai', model: 'm' };
/** Whoever has to wait goes away. */
const impatient = () => AbortSignal.timeout(1);

describe('limits of several evals', () => {
  it('have one rate for a model, the lowest, whoever asks', async () => {
    const [first, second] = localLimitsOfEvals([
      { rates: [[], [{ requestsPerMinute: 100 }]] },
      { rates: [[], [{ requestsPerMinute: 1, tokensPerMinute: 100 }]] },
    ]);
    await first?.rates.acquire(model, 1, impatient());
    await expect(second?.rates.acquire(model, 1, impatient())).rejects.toThrow();
    await expect(first?.rates.acquire(model, 1, impatient())).rejects.toThrow();
    await first?.close();
  });

  it('have as many agents at once as each says', async () => {
    const [first, second] = localLimitsOfEvals([
      { concurrentAgents: 1, rates: [] },
      { concurrentAgents: 2, rates: [] },
    ]);
    await first?.agents.enter(impatient());
    await expect(first?.agents.enter(impatient())).rejects.toThrow();
    await second?.agents.enter(impatient());
    await second?.agents.enter(impatient());
    await expect(second?.agents.enter(impatient())).rejects.toThrow();
  });
});
