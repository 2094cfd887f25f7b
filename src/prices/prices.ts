import type { PricedModel } from '../config/files/prices-file.js';
import { removeModelDate } from '../config/models.js';
import priceTable from './price-table.json' with { type: 'json' };
import type { DatedPrice } from './token-cost.js';

/** The names of one model, and what it costs. */
export interface PricedNames {
  names: readonly string[];
  prices: readonly DatedPrice[];
}

/** List prices of requests that are answered at once, by provider. */
export const listPrices: Readonly<Record<string, readonly PricedNames[]>> = priceTable.providers;

/** The month in which these were known to be list prices. */
export const pricesAsOf = priceTable.asOf;

const table = new Map(
  Object.entries(listPrices).flatMap(([provider, entries]) =>
    entries.flatMap(({ names, prices }) =>
      names.map((name) => [formatKey(provider, name), prices] as const),
    ),
  ),
);

/** Prices of models: from the user's price file, else from the table. */
export class Prices {
  readonly #custom: ReadonlyMap<string, readonly DatedPrice[]>;

  constructor(custom: readonly PricedModel[] = []) {
    this.#custom = new Map(
      custom.map(({ provider, model, price }) => [formatKey(provider, model), [{ price }]]),
    );
  }

  /**
   * Finds the prices of the model that answered, which a gateway may have chosen, or of the requested one if the
   * answer does not say. A user's price for either name counts before the table. Names
   * have to be equal, but for a date at the end: a wrong price is worse than none.
   */
  of(provider: string, asked: string, answered = asked): readonly DatedPrice[] | undefined {
    return (
      findPrice(this.#custom, provider, answered) ??
      findPrice(this.#custom, provider, asked) ??
      findPrice(table, provider, answered)
    );
  }
}

function findPrice(
  prices: ReadonlyMap<string, readonly DatedPrice[]>,
  provider: string,
  model: string,
): readonly DatedPrice[] | undefined {
  const undated = removeModelDate(provider, model);
  const exact = prices.get(formatKey(provider, model));
  return exact ?? (undated === undefined ? undefined : prices.get(formatKey(provider, undated)));
}

function formatKey(provider: string, model: string): string {
  return `${provider}:${model}`;
}
