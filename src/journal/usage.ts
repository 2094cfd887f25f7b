/** Tokens as the agent reports them, summed over its requests to the model. */
export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
  /** Part of the input that came from a cache. */
  cachedInputTokens?: number;
  /** Part of the input that was written to a cache. */
  cacheWriteTokens?: number;
  reasoningTokens?: number;
}

/** Adds two reports of usage; what neither reports stays unknown. */
export function addUsage(
  left: TokenUsage | undefined,
  right: TokenUsage | undefined,
): TokenUsage | undefined {
  if (!left || !right) return left ?? right;
  const sum = (key: keyof TokenUsage) => (left[key] ?? 0) + (right[key] ?? 0);
  const isKnown = (key: keyof TokenUsage) => (left[key] ?? right[key]) !== undefined;
  return {
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    ...(isKnown('cachedInputTokens') && { cachedInputTokens: sum('cachedInputTokens') }),
    ...(isKnown('cacheWriteTokens') && { cacheWriteTokens: sum('cacheWriteTokens') }),
    ...(isKnown('reasoningTokens') && { reasoningTokens: sum('reasoningTokens') }),
  };
}

/** Adds two costs; the sum of two unknown costs is unknown, not 0. */
export function addCost(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? (left ?? right) : left + right;
}

/**
 * How a cost came about: the agent `reported` it, or it was `priced`, which is computed from tokens and
 * the price of the model. A sum of both is `mixed`.
 */
export const costSources = ['reported', 'priced', 'mixed'] as const;
export type CostSource = (typeof costSources)[number];

interface Cost {
  cost?: number | undefined;
  /** Undefined beside a cost: written by a version for which all costs were reported. */
  costSource?: CostSource | undefined;
}

/** Decides how the sum of two costs came about. */
export function combineCostSources(left: Cost, right: Cost): CostSource | undefined {
  const [one, other] = [findCostSource(left), findCostSource(right)];
  if (one === undefined || other === undefined) return one ?? other;
  return one === other ? one : 'mixed';
}

function findCostSource({ cost, costSource = 'reported' }: Cost): CostSource | undefined {
  return cost === undefined ? undefined : costSource;
}

/** What judging took, as far as the judge reports it. */
export interface JudgeUsage {
  usage?: TokenUsage;
  /** The cost in US dollars. */
  cost?: number;
  /** How the cost came about. */
  costSource?: CostSource;
}

/** Adds what more judging took. A cost of which a part is unknown is unknown, not smaller. */
export function addJudgeUsage(sum: JudgeUsage, more: JudgeUsage = {}): void {
  const usage = addUsage(sum.usage, more.usage);
  const isUnknown = [sum, more].some((part) => part.usage && part.cost === undefined);
  const cost = isUnknown ? undefined : addCost(sum.cost, more.cost);
  const source = isUnknown ? undefined : combineCostSources(sum, more);
  delete sum.cost;
  delete sum.costSource;
  if (usage) sum.usage = usage;
  if (cost !== undefined) sum.cost = cost;
  if (source !== undefined) sum.costSource = source;
}

/** What all of that judging took together. */
export function sumJudgeUsage(all: readonly (JudgeUsage | undefined)[]): JudgeUsage {
  const sum: JudgeUsage = {};
  for (const each of all) addJudgeUsage(sum, each);
  return sum;
}
