import type { Agent } from '../../agents/agent.js';
import { Problems } from '../../config/problem.js';
import type { DataPath } from '../../config/source-file.js';
import type { Suite } from '../../plan/suite.js';
import type { Prices } from '../../prices/prices.js';
import type { BudgetLimits } from '../../run/schedule/stop-conditions.js';
import { placeOfAgent } from './preflight-problems.js';

interface Spenders {
  /** At least one. */
  variants: readonly { suite: Suite; agent?: Agent }[];
  judge: Agent | undefined;
}

/** Budgets that may never be reached, as somebody does not tell what it takes. */
export function unmeasuredBudgets(
  budget: BudgetLimits,
  { variants, judge }: Spenders,
  prices: Prices,
  environment: NodeJS.ProcessEnv,
): Problems {
  const problems = new Problems();
  const report = (spender: Agent | undefined, suite: Suite, at: DataPath, who: string) => {
    const why = spender && unmeasured(budget, spender, prices, environment);
    if (!why) return;
    const message = `${why.message}: ${why.options} does not count what ${who} takes`;
    problems.atKey(suite.eval.source, at, 'unmeasured-budget', message, why.hint);
  };
  for (const { suite, agent } of variants) {
    report(agent, suite, placeOfAgent(suite), 'the agent');
    report(judge, suite, ['config', 'llmJudge'], 'the judge');
  }
  return problems;
}

function unmeasured(
  { cost, tokens }: BudgetLimits,
  { identity, billing }: Agent,
  prices: Prices,
  environment: NodeJS.ProcessEnv,
): { message: string; options: string; hint?: string } | undefined {
  const how = billing?.(environment);
  if (how?.by === 'silence') {
    const given = [cost && '--max-cost', tokens && '--max-tokens'].filter((each) => each);
    const message = `${identity.name} tells neither its tokens nor what it costs`;
    return given.length > 0 ? { message, options: given.join(' or ') } : undefined;
  }
  if (how?.by !== 'tokens' || cost === undefined) return undefined;
  const { provider, model } = how;
  if (prices.of(provider, model)) return undefined;
  return {
    message: `no price is known of ${provider}:${model}`,
    options: '--max-cost',
    hint: 'write it into a file and name that with --prices, or limit --max-tokens',
  };
}
