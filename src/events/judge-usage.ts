import type { TokenUsage } from './agent-step.js';
import { sumOfCost, sumOfUsage } from './usage-sum.js';

/** What judging took, as far as the judge reports it. */
export interface JudgeUsage {
  usage?: TokenUsage;
  /** In US dollars. */
  cost?: number;
}

export function addJudge(sum: JudgeUsage, more: JudgeUsage = {}): void {
  const usage = sumOfUsage(sum.usage, more.usage);
  const cost = sumOfCost(sum.cost, more.cost);
  if (usage) sum.usage = usage;
  if (cost !== undefined) sum.cost = cost;
}
