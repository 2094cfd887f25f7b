import * as z from 'zod/mini';
import { exampleModels } from '../known-models.js';
import { nonEmptyText, optional, positiveCount } from './fields.js';
import { providerNames } from './model-providers.js';
import { withRules } from './schema-rules.js';

const rateSchema = withRules(
  z.strictObject({
    provider: optional(
      z.enum(providerNames),
      'Only models of this provider. `openai-agent` is `openai` where it asks api.openai.com, else `openai-compatible`.',
      { examples: ['openai'] },
    ),
    model: optional(nonEmptyText(), 'Only this model, by its id without the provider.', {
      examples: [exampleModels.large],
    }),
    requestsPerMinute: optional(positiveCount(), 'Most requests within a minute.', {
      examples: [60],
    }),
    tokensPerMinute: optional(
      positiveCount(),
      'Most tokens within a minute, of requests and answers together.',
      { examples: [200_000] },
    ),
  }),
  {
    jsonSchema: {
      anyOf: [{ required: ['requestsPerMinute'] }, { required: ['tokensPerMinute'] }],
    },
  },
);

/** Limits that hold over a whole check, however many task runs there are at once. */
export const checkLimitsSchema = z.strictObject({
  concurrentAgents: optional(
    positiveCount(),
    'How many agents work at once. None: one for each task run that is under way.',
    { examples: [2] },
  ),
  rates: optional(
    z.array(rateSchema).check(z.minLength(1)),
    'How often models may be asked, by `llm-agent` and `openai-agent`, as agent and as judge. Every model has the limits for itself. Of several rates that fit, each number is that of the most specific one.',
    { examples: [[{ provider: 'openai', model: exampleModels.large, requestsPerMinute: 60 }]] },
  ),
});

export type CheckLimitsData = z.infer<typeof checkLimitsSchema>;
export type RateData = z.infer<typeof rateSchema>;
