import * as z from 'zod/mini';
import { addDescription, count, optional } from '../../config/schemas/fields.js';
import type { TaskRunEnded } from '../../journal/task-run-events.js';
import { costSources, type TokenUsage } from '../../journal/usage.js';

/** A cost in US dollars. */
export const costSchema = () => z.number().check(z.minimum(0));

/** Where a cost comes from: the agent's own report, or the price of its model. */
export const costSourceSchema = () =>
  optional(
    z.enum(costSources),
    'How the cost came about: `reported` by the agent, or `priced` by its tokens and the price of its model; a sum of both is `mixed`.',
    { examples: ['priced'] },
  );

const tokens = (description: string) => addDescription(count(), description, { examples: [1200] });

/** Tokens of the model. */
export const usageSchema = () =>
  z.object({
    inputTokens: tokens('Tokens that the model was given.'),
    outputTokens: tokens('Tokens that the model wrote.'),
    cachedInputTokens: optional(count(), 'Part of the input that came from a cache.', {
      examples: [800],
    }),
    cacheWriteTokens: optional(count(), 'Part of the input that was written to a cache.', {
      examples: [200],
    }),
    reasoningTokens: optional(count(), 'Part of the output that was reasoning.', {
      examples: [300],
    }),
  });

/** Tokens and cost of judging. */
export const judgeUsageSchema = () =>
  z.object({
    usage: addDescription(
      z.nullable(usageSchema()),
      'Tokens of the model, if the judge reports them.',
    ),
    cost: addDescription(
      z.nullable(costSchema()),
      'In US dollars, if the judge reports it or the price of its model is known.',
      { examples: [0.01] },
    ),
    costSource: costSourceSchema(),
  });

/** Number of calls of the agent, by kind. */
export const callCountsSchema = () =>
  z.object({
    tool: addDescription(count(), 'Calls of tools.', { examples: [5] }),
    resource: addDescription(count(), 'Resources read.', { examples: [1] }),
    prompt: addDescription(count(), 'Prompts fetched.', { examples: [0] }),
    errors: addDescription(count(), 'Those that ended with an error.', { examples: [1] }),
    suspected: optional(
      count(),
      'Those whose result looks like an error and is not marked as one.',
      {
        examples: [0],
      },
    ),
    tokens: tokens('Tokens (cl100k_base) of arguments and results.'),
  });

type Amounts = Pick<TaskRunEnded, 'usage' | 'cost' | 'costSource' | 'judge'>;

const schema = { usage: usageSchema(), cost: costSchema(), costSource: costSourceSchema() };

/**
 * Drops impossible amounts, such as a negative cost: agents report tokens and costs themselves, and a
 * wrong report must neither offset what others cost nor make the results of a run invalid.
 */
export function sanitizeAmounts(ended: Amounts): Amounts {
  return {
    ...sanitizeSpending(ended),
    ...(ended.judge && { judge: sanitizeSpending(ended.judge) }),
  };
}

function sanitizeSpending({
  usage,
  cost,
  costSource,
}: Omit<Amounts, 'judge'>): Omit<Amounts, 'judge'> {
  const isCost = z.safeParse(schema.cost, cost).success;
  const isSource = costSource !== undefined && z.safeParse(schema.costSource, costSource).success;
  return {
    ...(isUsage(usage) && { usage }),
    ...(isCost && { cost: Number(cost), ...(isSource && { costSource }) }),
  };
}

function isUsage(usage: TokenUsage | undefined): usage is TokenUsage {
  return z.safeParse(schema.usage, usage).success;
}
