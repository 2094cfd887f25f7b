import type { PricedModel } from '../config/prices-file.js';
import type { ModelPrice } from '../config/schemas/prices-schema.js';
import { priceTable } from './price-table.js';
import { undatedModel } from './undated-model.js';

/** What models cost: as somebody wrote it down, else as the table has it. */
export class Prices {
  readonly #own: ReadonlyMap<string, ModelPrice>;

  constructor(own: readonly PricedModel[] = []) {
    this.#own = new Map(own.map(({ provider, model, price }) => [keyOf(provider, model), price]));
  }

  /**
   * Of the first of these names of one model that has a price, also without the date in it. No other
   * likeness counts: a wrong price is worse than none.
   */
  of(provider: string, ...models: readonly string[]): ModelPrice | undefined {
    for (const model of models) {
      const undated = undatedModel(provider, model);
      const names = undated === undefined ? [model] : [model, undated];
      for (const find of [this.#ownPrice, tablePrice]) {
        for (const name of names) {
          const price = find(provider, name);
          if (price) return price;
        }
      }
    }
    return undefined;
  }

  readonly #ownPrice = (provider: string, model: string) => this.#own.get(keyOf(provider, model));
}

function tablePrice(provider: string, model: string): ModelPrice | undefined {
  const models = Object.hasOwn(priceTable, provider) ? priceTable[provider] : undefined;
  return models && Object.hasOwn(models, model) ? models[model] : undefined;
}

function keyOf(provider: string, model: string): string {
  return `${provider}:${model}`;
}
