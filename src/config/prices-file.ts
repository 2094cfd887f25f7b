import { didYouMean } from '../base/nearest.js';
import { checkShape } from './check-shape.js';
import { exampleModels } from './known-models.js';
import type { Problems } from './problem.js';
import { type NamedBy, readDataFile } from './read-data-file.js';
import { providerNamed, providerNames } from './schemas/model-providers.js';
import { type ModelPrice, pricesSchema } from './schemas/prices-schema.js';
import type { SourceFile } from './source-file.js';

export interface PricedModel {
  /** Never an alias. */
  provider: string;
  model: string;
  price: ModelPrice;
}

/** Prices that somebody wrote down. */
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
    const model = modelOf(source, name, price, problems);
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
function modelOf(
  source: SourceFile,
  name: string,
  price: ModelPrice,
  problems: Problems,
): PricedModel | undefined {
  const at = ['models', name];
  const [given = '', ...rest] = name.split(':');
  const model = rest.join(':');
  if (model.trim() === '') {
    const message = `a model is named as provider:id, found ${JSON.stringify(name)}`;
    problems.atKey(source, at, 'invalid-value', message, `such as openai:${exampleModels.small}`);
    return undefined;
  }
  const provider = providerNamed(given);
  if (provider === undefined) {
    const message = `unknown provider ${given}: expected one of ${providerNames.join(', ')}`;
    problems.atKey(source, at, 'invalid-value', message, didYouMean(given, providerNames));
    return undefined;
  }
  return { provider, model, price };
}
