import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { describeAgentSlots } from '../testing/limit-behaviours.js';
import { LocalAgentSlots } from './local-agent-slots.js';

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
