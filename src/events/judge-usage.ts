import type { TokenUsage } from './agent-step.js';
import { type CostSource, sumOfSources } from './cost-source.js';
import { sumOfCost, sumOfUsage } from './usage-sum.js';

/** What judging took, as far as the judge reports it. */
export interface JudgeUsage {
  usage?: TokenUsage;
  /** In US dollars. */
  cost?: number;
  /** How the cost came about. */
  costSource?: CostSource;
}

export function addJudge(sum: JudgeUsage, more: JudgeUsage = {}): void {
  const usage = sumOfUsage(sum.usage, more.usage);
  const cost = sumOfCost(sum.cost, more.cost);
  const source = sumOfSources(sum, more);
  if (usage) sum.usage = usage;
  if (cost !== undefined) sum.cost = cost;
  if (source !== undefined) sum.costSource = source;
}
