import * as z from 'zod/mini';
import { count, described, optional } from '../config/schemas/fields.js';
import { costSources } from '../journal/usage.js';

/** In US dollars. */
export const costSchema = () => z.number().check(z.minimum(0));

/** How a cost came about. */
export const costSourceSchema = () =>
  optional(
    z.enum(costSources),
    'How the cost came about: `reported` by the agent, or `priced` by its tokens and the price of its model; a sum of both is `mixed`.',
    { examples: ['priced'] },
  );

const tokens = (description: string) => described(count(), description, { examples: [1200] });

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

/** What judging took. */
export const judgeUsageSchema = () =>
  z.object({
    usage: described(z.nullable(usageSchema()), 'Tokens of the model, if the judge reports them.'),
    cost: described(
      z.nullable(costSchema()),
      'In US dollars, if the judge reports it or the price of its model is known.',
      { examples: [0.01] },
    ),
    costSource: costSourceSchema(),
  });

/** How many calls the agent made. */
export const callCountsSchema = () =>
  z.object({
    tool: described(count(), 'Calls of tools.', { examples: [5] }),
    resource: described(count(), 'Resources read.', { examples: [1] }),
    prompt: described(count(), 'Prompts fetched.', { examples: [0] }),
    errors: described(count(), 'Those that ended with an error.', { examples: [1] }),
    suspected: optional(
      count(),
      'Those whose result looks like an error and is not marked as one.',
      {
        examples: [0],
      },
    ),
    tokens: tokens('Tokens (cl100k_base) of arguments and results.'),
  });
