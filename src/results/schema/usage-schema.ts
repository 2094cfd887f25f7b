import * as z from 'zod/mini';
import { addDescription, count, optional } from '../../base/schema-fields.js';
import type { TaskRunEnded } from '../../journal/task-run-events.js';
import { costSchema, costSourceSchema, type TokenUsage, usageSchema } from '../../journal/usage.js';

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
    tokens: addDescription(count(), 'Tokens (cl100k_base) of arguments and results.', {
      examples: [1200],
    }),
  });

type Amounts = Pick<TaskRunEnded, 'usage' | 'cost' | 'costSource' | 'judge'>;

const schema = { usage: usageSchema(), cost: costSchema(), costSource: costSourceSchema() };

/**
 * Drops impossible amounts, such as a negative cost: agents report tokens and costs themselves, and a
 * wrong report must neither offset what others cost nor make the results of a run invalid.
 */
export function sanitizeAmounts(ended: Amounts): Amounts {
  return { ...sanitizeSpending(ended), judge: ended.judge && sanitizeSpending(ended.judge) };
}

function sanitizeSpending({
  usage,
  cost,
  costSource,
}: Omit<Amounts, 'judge'>): Omit<Amounts, 'judge'> {
  const isCost = z.safeParse(schema.cost, cost).success;
  const isSource = costSource !== undefined && z.safeParse(schema.costSource, costSource).success;
  return {
    usage: isUsage(usage) ? usage : undefined,
    cost: isCost ? cost : undefined,
    costSource: isCost && isSource ? costSource : undefined,
  };
}

function isUsage(usage: TokenUsage | undefined): usage is TokenUsage {
  return z.safeParse(schema.usage, usage).success;
}
