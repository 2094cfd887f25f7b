import { expect, it } from 'vitest';
import type { Agent, AgentBilling, AgentResult, AgentTask } from '../agents/agent.js';
import { Prices } from '../prices/prices.js';
import { pricedAgent } from './priced-agent.js';

const usage = { inputTokens: 1_000_000, cachedInputTokens: 400_000, outputTokens: 100_000 };
const mini: AgentBilling = { by: 'tokens', provider: 'openai', model: 'gpt-5-mini' };

function run(told: Partial<AgentResult>, billing: AgentBilling | undefined): Promise<AgentResult> {
  const agent: Agent = {
    identity: { name: 'agent', type: 'llm-agent' },
    billing: () => billing,
    prepare: async () => ({ problems: [] }),
    run: async () => ({ end: 'finished', output: 'done', ...told }),
  };
  return pricedAgent(agent, new Prices()).run({ environment: {} } as AgentTask);
}

it('prices the tokens of an agent that reports no cost', async () => {
  const { cost, costSource } = await run({ usage }, mini);
  expect(cost).toBeCloseTo(0.36, 12);
  expect(costSource).toBe('priced');
});

it('leaves a cost alone that the agent reports, also if it is nothing', async () => {
  expect(await run({ usage, cost: 0 }, mini)).toEqual({
    end: 'finished',
    output: 'done',
    usage,
    cost: 0,
  });
});

it('knows a model by the name that answered, if the one asked for has no price', async () => {
  const alias: AgentBilling = { by: 'tokens', provider: 'openai', model: 'our-default' };
  expect(await run({ usage, model: 'gpt-5-mini-2025-08-07' }, alias)).toHaveProperty('cost');
  expect(await run({ usage, model: 'something-else' }, alias)).not.toHaveProperty('cost');
});

it.each([
  ['its tokens are not known', {}, mini],
  ['nobody knows whose tokens they are', { usage }, undefined],
  ['it tells the cost itself, and did not', { usage }, { by: 'agent' } as const],
])('tells no cost if %s', async (_, told, billing) => {
  expect(await run(told, billing)).not.toHaveProperty('cost');
});
