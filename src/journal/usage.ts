import * as z from 'zod/mini';
import { addDescription, count, optional } from '../base/schema-fields.js';

const tokens = (description: string, example: number) =>
  addDescription(count(), description, { examples: [example] });
const optionalTokens = (description: string, example: number) =>
  optional(count(), description, { examples: [example] });

/** Tokens as the agent reports them, summed over its requests to the model. */
export const usageSchema = () =>
  z.object({
    inputTokens: tokens('Tokens that the model was given.', 1200),
    outputTokens: tokens('Tokens that the model wrote.', 1200),
    cachedInputTokens: optionalTokens('Part of the input that came from a cache.', 800),
    cacheWriteTokens: optionalTokens('Part of the input that was written to a cache.', 200),
    reasoningTokens: optionalTokens('Part of the output that was reasoning.', 300),
  });
export type TokenUsage = z.infer<ReturnType<typeof usageSchema>>;

/** Adds two reports of usage; what neither reports stays unknown. */
export function addUsage(
  left: TokenUsage | undefined,
  right: TokenUsage | undefined,
): TokenUsage | undefined {
  if (!left || !right) return left ?? right;
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    cachedInputTokens: addIfKnown(left.cachedInputTokens, right.cachedInputTokens),
    cacheWriteTokens: addIfKnown(left.cacheWriteTokens, right.cacheWriteTokens),
    reasoningTokens: addIfKnown(left.reasoningTokens, right.reasoningTokens),
  };
}

/** Adds two amounts, such as costs; the sum of two unknown ones is unknown, not 0. */
export function addIfKnown(
  left: number | undefined,
  right: number | undefined,
): number | undefined {
  return left === undefined || right === undefined ? (left ?? right) : left + right;
}

/**
 * How a cost came about: the agent `reported` it, or it was `priced`, which is computed from tokens and
 * the price of the model. A sum of both is `mixed`.
 */
const costSources = ['reported', 'priced', 'mixed'] as const;
export type CostSource = (typeof costSources)[number];

/** A cost in US dollars. */
export const costSchema = () => z.number().check(z.minimum(0));

/** Where a cost comes from: the agent's own report, or the price of its model. */
export const costSourceSchema = () =>
  optional(
    z.enum(costSources),
    'How the cost came about: `reported` by the agent, or `priced` by its tokens and the price of its model; a sum of both is `mixed`.',
    { examples: ['priced'] },
  );

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
export const judgeUsageSchema = () =>
  z.object({
    usage: optional(usageSchema(), 'Tokens of the model.'),
    cost: optional(z.number(), 'In US dollars.'),
    costSource: costSourceSchema(),
  });
export type JudgeUsage = z.infer<ReturnType<typeof judgeUsageSchema>>;

/** Adds what more judging took. A cost of which a part is unknown is unknown, not smaller. */
export function addJudgeUsage(sum: JudgeUsage, more: JudgeUsage = {}): void {
  const usage = addUsage(sum.usage, more.usage);
  const isUnknown = [sum, more].some((part) => part.usage && part.cost === undefined);
  const cost = isUnknown ? undefined : addIfKnown(sum.cost, more.cost);
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
