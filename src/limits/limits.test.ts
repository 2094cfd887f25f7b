import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { describeAgentSlots } from '../../testing/limit-behaviours.js';
import { LocalAgentSlots, makeLocalLimitsForEvals } from './limits.js';

const model = { provider: 'openai', model: 'm' };
/** Whoever has to wait goes away. */
const impatient = () => AbortSignal.timeout(1);

describe('limits of several evals', () => {
  it('have one rate for a model, the lowest, whoever asks', async () => {
    const [first, second] = makeLocalLimitsForEvals([
      { rates: [[], [{ requestsPerMinute: 100 }]] },
      { rates: [[], [{ requestsPerMinute: 1, tokensPerMinute: 100 }]] },
    ]);
    await first?.rates.acquire(model, 1, impatient());
    await expect(second?.rates.acquire(model, 1, impatient())).rejects.toThrow();
    await expect(first?.rates.acquire(model, 1, impatient())).rejects.toThrow();
    await first?.close();
  });

  it('have as many agents at once as each says', async () => {
    const [first, second] = makeLocalLimitsForEvals([
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

describeAgentSlots('slots for agents of one process', async (count) => {
  const slots = new LocalAgentSlots(count);
  return {
    slots: [slots, slots],
    settled: () => setImmediate(),
  };
});

describe('slots without a limit', () => {
  it('are there for everybody', async () => {
    const slots = new LocalAgentSlots(Number.POSITIVE_INFINITY);
    const never = new AbortController().signal;
    expect(await Promise.all([1, 2, 3].map(() => slots.enter(never)))).toHaveLength(3);
  });
});
