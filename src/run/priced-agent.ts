import type { Agent, AgentResult } from '../agents/agent.js';
import type { Prices } from '../prices/prices.js';
import { computeRequestCost } from '../prices/token-cost.js';

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

/** Nothing was said of it before the check: the model that is asked has a price. */
function explainUnpriced(
  prices: Prices,
  { provider, model: asked }: { provider: string; model: string },
  answered: string | undefined,
): Pick<AgentResult, 'unpriced'> {
  if (!prices.of(provider, asked)) return {};
  return {
    unpriced: answered
      ? `${answered} answered for ${asked}, and has no price`
      : `an answer of ${asked} does not say which tokens it took`,
  };
}

function priceOf(
  agent: Agent,
  { cost, answers = [] }: AgentResult,
  environment: NodeJS.ProcessEnv,
  prices: Prices,
): Pick<AgentResult, 'cost' | 'costSource' | 'unpriced'> {
  const billing = agent.billing?.(environment);
  if (cost !== undefined || billing?.by !== 'tokens' || answers.length === 0) return {};
  let sum = 0;
  for (const { at, model, usage } of answers) {
    const price = prices.of(billing.provider, billing.model, model);
    const dollars = price && usage && computeRequestCost(price, { usage, at });
    // The rest alone would look like the whole.
    if (dollars === undefined) {
      return explainUnpriced(prices, billing, price ? undefined : model);
    }
    sum += dollars;
  }
  return { cost: sum, costSource: 'priced' };
}
