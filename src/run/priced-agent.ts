import type { Agent, AgentResult } from '../agents/agent.js';
import type { Prices } from '../prices/prices.js';
import { costOfRequest } from '../prices/token-cost.js';

/** An agent that also says what its tokens cost, where it does not say so itself and prices are known. */
export function pricedAgent(agent: Agent, prices: Prices): Agent {
  return {
    identity: agent.identity,
    billing: (environment) => agent.billing?.(environment),
    prepare: (context) => agent.prepare(context),
    async run(task) {
      const result = await agent.run(task);
      return { ...result, ...priceOf(agent, result, task.environment, prices) };
    },
  };
}

function priceOf(
  agent: Agent,
  { cost, answers = [] }: AgentResult,
  environment: NodeJS.ProcessEnv,
  prices: Prices,
): Pick<AgentResult, 'cost' | 'costSource'> {
  const billing = agent.billing?.(environment);
  if (cost !== undefined || billing?.by !== 'tokens' || answers.length === 0) return {};
  let sum = 0;
  for (const { at, model, usage } of answers) {
    const price = prices.of(billing.provider, billing.model, model);
    const dollars = price && usage && costOfRequest(price, { usage, at });
    // The rest alone would look like the whole.
    if (dollars === undefined) return {};
    sum += dollars;
  }
  return { cost: sum, costSource: 'priced' };
}
