import type { Agent, AgentResult } from '../agents/agent.js';
import type { Prices } from '../prices/prices.js';
import { costOfTokens } from '../prices/token-cost.js';

/** An agent that also tells what its tokens cost, where it does not say so itself and a price is known. */
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
  { usage, cost, model }: AgentResult,
  environment: NodeJS.ProcessEnv,
  prices: Prices,
): Pick<AgentResult, 'cost' | 'costSource'> {
  if (!usage || cost !== undefined) return {};
  const billing = agent.billing?.(environment);
  if (billing?.by !== 'tokens') return {};
  // The model that answered is a help where an alias was asked for.
  const names = model === undefined ? [billing.model] : [billing.model, model];
  const price = prices.of(billing.provider, ...names);
  const dollars = price && costOfTokens(price, usage);
  // What an API says of tokens can be anything.
  return dollars !== undefined && dollars >= 0 ? { cost: dollars, costSource: 'priced' } : {};
}
