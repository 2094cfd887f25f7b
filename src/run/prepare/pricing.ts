import type { Agent, AgentResult } from '../../agents/agent.js';
import { Problems } from '../../config/problems/problem.js';
import type { DataPath } from '../../config/yaml/source-file.js';
import type { Suite } from '../../plan/suite.js';
import type { Prices } from '../../prices/prices.js';
import { computeRequestCost } from '../../prices/token-cost.js';
import type { BudgetLimits } from '../schedule/stop-conditions.js';
import { locateAgent } from './agent-definition.js';

/** An agent that also says what its tokens cost, where it does not say so itself and prices are known. */
export function addPrices(agent: Agent, prices: Prices): Agent {
  return {
    ...agent,
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

/** Warns of budgets that may never be reached, as an agent does not report what it takes. */
export function findUnmeasuredBudgets(
  budget: BudgetLimits,
  { variants, judge }: { variants: readonly { suite: Suite; agent?: Agent }[]; judge?: Agent },
  prices: Prices,
  environment: NodeJS.ProcessEnv,
): Problems {
  const problems = new Problems();
  const report = (spender: Agent | undefined, suite: Suite, at: DataPath, who: string) => {
    const why = spender && explainUnmeasured(budget, spender, prices, environment);
    if (!why) return;
    const message = `${why.message}: ${why.options} does not count what ${who} takes`;
    problems.atKey(suite.eval.source, at, 'unmeasured-budget', message, why.hint);
  };
  for (const { suite, agent } of variants) {
    report(agent, suite, locateAgent(suite), 'the agent');
    report(judge, suite, ['config', 'llmJudge'], 'the judge');
  }
  return problems;
}

function explainUnmeasured(
  { cost, tokens }: BudgetLimits,
  { identity, billing }: Agent,
  prices: Prices,
  environment: NodeJS.ProcessEnv,
): { message: string; options: string; hint?: string } | undefined {
  const how = billing?.(environment);
  if (how?.by === 'silence') {
    const options = [cost && '--max-cost', tokens && '--max-tokens'].filter((option) => option);
    const message = `${identity.name} reports neither tokens nor cost`;
    return options.length > 0 ? { message, options: options.join(' or ') } : undefined;
  }
  if (how?.by !== 'tokens' || cost === undefined) return undefined;
  const { provider, model } = how;
  if (prices.of(provider, model)) return undefined;
  return {
    message: `no price is known for ${provider}:${model}`,
    options: '--max-cost',
    hint: 'write it into a file and name that with --prices, or limit --max-tokens',
  };
}
