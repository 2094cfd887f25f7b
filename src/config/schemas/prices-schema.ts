import * as z from 'zod/mini';
import { exampleModels } from '../known-models.js';
import { described, optional } from './fields.js';

const dollars = () => z.number().check(z.minimum(0));

const modelPriceSchema = described(
  z.strictObject({
    input: described(dollars(), 'Of a million tokens that the model is given.', {
      examples: [0.1],
    }),
    cachedInput: optional(
      dollars(),
      'Of a million of them that come from a cache. None: as much as others.',
      { examples: [0.01] },
    ),
    cacheWrite: optional(
      dollars(),
      'Of a million of them that are written to a cache. None: as much as others.',
      { examples: [0.125] },
    ),
    output: described(
      dollars(),
      'Of a million tokens that the model writes, its thoughts included.',
      {
        examples: [0.5],
      },
    ),
  }),
  'What a model costs, in US dollars.',
);

export const pricesSchema = described(
  z.strictObject({
    models: described(
      z.record(z.string(), modelPriceSchema),
      'Prices by model, as `provider:id`. A provider is one of `openai`, `anthropic`, `google` (or `gemini`) and `openai-compatible`.',
      {
        examples: [
          { [`openai:${exampleModels.small}`]: { input: 0.1, cachedInput: 0.01, output: 0.5 } },
        ],
      },
    ),
  }),
  'Prices that count before those that Proctor knows.',
);

/** What a model costs, in US dollars for a million tokens. */
export type ModelPrice = z.infer<typeof modelPriceSchema>;
