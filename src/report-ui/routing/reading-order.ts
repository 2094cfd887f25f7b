/** Where a task run stands among those that one reads one after another. */
export interface PlaceInOrder {
  before: number | undefined;
  after: number | undefined;
  /** From 1. */
  number: number;
  of: number;
}

/**
 * `shown`: as the overview was left, with its filters. What they do not show, as a link may lead
 * anywhere, is among `all`.
 */
export function placeInOrder(
  shown: readonly number[],
  all: () => readonly number[],
  place: number,
): PlaceInOrder {
  const order = shown.includes(place) ? shown : all();
  const found = order.indexOf(place);
  return {
    before: order[found - 1],
    after: order[found + 1],
    number: found + 1,
    of: order.length,
  };
}
