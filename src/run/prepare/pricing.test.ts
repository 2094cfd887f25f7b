import { expect, it } from 'vitest';
import type { Agent, AgentBilling, AgentResult, AgentTask } from '../../agents/agent.js';
import { Prices } from '../../prices/prices.js';
import { addPrices } from './pricing.js';

const usage = { inputTokens: 1_000_000, cachedInputTokens: 400_000, outputTokens: 100_000 };
const at = new Date('2026-11-18');
const mini: AgentBilling = { by: 'tokens', provider: 'openai', model: 'gpt-5-mini' };

function run(
  reported: Partial<AgentResult>,
  billing: AgentBilling | undefined,
): Promise<AgentResult> {
  const agent: Agent = {
    identity: { name: 'agent', type: 'llm-agent' },
    billing: () => billing,
    prepare: async () => ({ problems: [] }),
    run: async () => ({ end: 'finished', output: 'done', ...reported }),
  };
  return addPrices(agent, new Prices()).run({ environment: {} } as AgentTask);
}

it('addPrices prices the tokens of an agent that reports no cost', async () => {
  const { cost, costSource } = await run({ answers: [{ at, usage }] }, mini);
  expect(cost).toBeCloseTo(0.36, 12);
  expect(costSource).toBe('priced');
});

it('addPrices prices each answer alone: two short ones are not a long one', async () => {
  const sol: AgentBilling = { by: 'tokens', provider: 'openai', model: 'gpt-6-sol' };
  const short = { at, usage: { inputTokens: 200_000, outputTokens: 0 } };
  const long = { at, usage: { inputTokens: 400_000, outputTokens: 0 } };
  expect((await run({ answers: [short, short] }, sol)).cost).toBeCloseTo(0.4 * 2, 12);
  expect((await run({ answers: [long] }, sol)).cost).toBeCloseTo(0.4 * 4, 12);
});

it('addPrices prices each answer by the model that gave it', async () => {
  const answers = [
    { at, usage, model: 'gpt-5-mini-2025-08-07' },
    { at, usage, model: 'gpt-5-2025-08-07' },
  ];
  expect((await run({ answers }, mini)).cost).toBeCloseTo(0.36 + 1.8, 12);
});

it('addPrices leaves a cost alone that the agent reports, also if it is nothing', async () => {
  expect(await run({ answers: [{ at, usage }], cost: 0 }, mini)).toMatchObject({ cost: 0 });
});

it('addPrices finds a model by the name that answered, if the one asked for has no price', async () => {
  const alias: AgentBilling = { by: 'tokens', provider: 'openai', model: 'our-default' };
  const answering = (model: string) => ({ answers: [{ at, usage, model }] });
  expect(await run(answering('gpt-5-mini-2025-08-07'), alias)).toHaveProperty('cost');
  expect(await run(answering('something-else'), alias)).not.toHaveProperty('cost');
});

it.each([
  ['it has not answered', { answers: [] }, mini],
  ['the tokens of one answer are not known', { answers: [{ at, usage }, { at }] }, mini],
  ['another model answered, which has no price', { answers: [{ at, usage, model: 'x' }] }, mini],
  ['nobody knows whose tokens they are', { answers: [{ at, usage }] }, undefined],
  ['it reports the cost itself, and did not', { usage }, { by: 'agent' } as const],
])('says no cost if %s', async (_, reported, billing) => {
  expect(await run(reported, billing)).not.toHaveProperty('cost');
});

it.each([
  ['x answered for gpt-5-mini, and has no price', [{ at, usage, model: 'x' }]],
  ['an answer of gpt-5-mini does not say which tokens it took', [{ at, usage }, { at }]],
])('says why the cost of a model with a price is not known: %s', async (unpriced, answers) => {
  expect(await run({ answers }, mini)).toMatchObject({ unpriced });
});

it('addPrices does not explain a missing cost of a model that has no price at all', async () => {
  const unknown: AgentBilling = { by: 'tokens', provider: 'openai', model: 'nobody' };
  expect(await run({ answers: [{ at, usage }] }, unknown)).not.toHaveProperty('unpriced');
});
