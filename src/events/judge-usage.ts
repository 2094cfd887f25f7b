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

/** Adds what more judging took. A cost of which a part is unknown is unknown, not smaller. */
export function addJudge(sum: JudgeUsage, more: JudgeUsage = {}): void {
  const usage = sumOfUsage(sum.usage, more.usage);
  const isUnknown = [sum, more].some((each) => each.usage && each.cost === undefined);
  const cost = isUnknown ? undefined : sumOfCost(sum.cost, more.cost);
  const source = isUnknown ? undefined : sumOfSources(sum, more);
  delete sum.cost;
  delete sum.costSource;
  if (usage) sum.usage = usage;
  if (cost !== undefined) sum.cost = cost;
  if (source !== undefined) sum.costSource = source;
}

/** What all of that judging took together. */
export function sumOfJudging(all: readonly (JudgeUsage | undefined)[]): JudgeUsage {
  const sum: JudgeUsage = {};
  for (const each of all) addJudge(sum, each);
  return sum;
}
