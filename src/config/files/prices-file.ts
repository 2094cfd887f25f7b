import * as z from 'zod/mini';
import { didYouMean } from '../../base/nearest.js';
import { exampleModels, findProvider, providerNames } from '../models.js';
import type { Problems } from '../problems/problem.js';
import { checkShape } from '../problems/shape-check.js';
import { addDescription, optional } from '../schemas/fields.js';
import { type NamedBy, readDataFile } from '../yaml/data-file.js';
import type { SourceFile } from '../yaml/source-file.js';

const dollars = () => z.number().check(z.minimum(0));

const modelPriceSchema = addDescription(
  z.strictObject({
    input: addDescription(dollars(), 'Price of a million input tokens.', {
      examples: [0.1],
    }),
    cachedInput: optional(
      dollars(),
      'Price of a million input tokens read from a cache. By default, the same as `input`.',
      { examples: [0.01] },
    ),
    cacheWrite: optional(
      dollars(),
      'Price of a million input tokens written to a cache. By default, the same as `input`.',
      { examples: [0.125] },
    ),
    output: addDescription(dollars(), 'Price of a million output tokens, including reasoning.', {
      examples: [0.5],
    }),
  }),
  'What a model costs, in US dollars.',
);

export const pricesSchema = addDescription(
  z.strictObject({
    models: addDescription(
      z.record(z.string(), modelPriceSchema),
      'Prices by model, as `provider:id`. A provider is one of `openai`, `anthropic`, `google` (or `gemini`) and `openai-compatible`.',
      {
        examples: [
          { [`openai:${exampleModels.small}`]: { input: 0.1, cachedInput: 0.01, output: 0.5 } },
        ],
      },
    ),
  }),
  'Prices that override those that Proctor knows.',
);

/** What a model costs, in US dollars for a million tokens. */
export type ModelPrice = z.infer<typeof modelPriceSchema>;

export interface PricedModel {
  /** Never an alias. */
  provider: string;
  model: string;
  price: ModelPrice;
}

/** A file with prices of models, written by the user. */
export interface PricesFile {
  source: SourceFile;
  models: PricedModel[];
}

export function readPricesFile(
  path: string,
  problems: Problems,
  namedBy?: NamedBy,
): PricesFile | undefined {
  const file = readDataFile(path, problems, namedBy);
  if (!file) return undefined;
  const { source } = file;
  const data = checkShape({ file: source, schema: pricesSchema, value: file.data, problems });
  if (!data) return undefined;
  const models = new Map<string, PricedModel>();
  for (const [name, price] of Object.entries(data.models)) {
    const model = readModel(source, name, price, problems);
    if (!model) continue;
    const key = `${model.provider}:${model.model}`;
    if (models.has(key)) {
      const message = `${key} has two prices: gemini and google are the same provider`;
      problems.atKey(source, ['models', name], 'duplicate-key', message);
    }
    models.set(key, model);
  }
  return { source, models: [...models.values()] };
}

/** A name that fits no model would leave a price without effect, and a budget without limit. */
function readModel(
  source: SourceFile,
  name: string,
  price: ModelPrice,
  problems: Problems,
): PricedModel | undefined {
  const at = ['models', name];
  const [providerName = '', ...rest] = name.split(':');
  const model = rest.join(':');
  if (model.trim() === '') {
    const message = `a model is named as provider:id, found ${JSON.stringify(name)}`;
    problems.atKey(source, at, 'invalid-value', message, `such as openai:${exampleModels.small}`);
    return undefined;
  }
  const provider = findProvider(providerName);
  if (provider === undefined) {
    const message = `unknown provider ${providerName}: expected one of ${providerNames.join(', ')}`;
    problems.atKey(source, at, 'invalid-value', message, didYouMean(providerName, providerNames));
    return undefined;
  }
  return { provider, model, price };
}
