import type { PricedModel } from '../config/files/prices-file.js';
import { removeModelDate } from '../config/models.js';
import { priceTable } from './price-table.js';
import type { DatedPrice } from './token-cost.js';

const table = new Map(
  Object.entries(priceTable).flatMap(([provider, entries]) =>
    entries.flatMap(({ names, prices }) =>
      names.map((name) => [keyOf(provider, name), prices] as const),
    ),
  ),
);

/** What models cost: as somebody wrote it down, else as the table has it. */
export class Prices {
  readonly #own: ReadonlyMap<string, readonly DatedPrice[]>;

  constructor(own: readonly PricedModel[] = []) {
    this.#own = new Map(
      own.map(({ provider, model, price }) => [keyOf(provider, model), [{ price }]]),
    );
  }

  /**
   * Of the model that answered, which a gateway may have chosen, or of the one that was asked for if the
   * answer does not say. A price that somebody wrote down for either name counts before the table. Names
   * have to be equal, but for a date at the end: a wrong price is worse than none.
   */
  of(provider: string, asked: string, answered = asked): readonly DatedPrice[] | undefined {
    return (
      find(this.#own, provider, answered) ??
      find(this.#own, provider, asked) ??
      find(table, provider, answered)
    );
  }
}

function find(
  prices: ReadonlyMap<string, readonly DatedPrice[]>,
  provider: string,
  model: string,
): readonly DatedPrice[] | undefined {
  const undated = removeModelDate(provider, model);
  const exact = prices.get(keyOf(provider, model));
  return exact ?? (undated === undefined ? undefined : prices.get(keyOf(provider, undated)));
}

function keyOf(provider: string, model: string): string {
  return `${provider}:${model}`;
}
