let noted: readonly number[] = [];

/** Task runs as the overview showed them last, with its filters and in its order. */
export function noteReadingOrder(rows: readonly number[]): void {
  noted = rows;
}

export function readingOrder(): readonly number[] {
  return noted;
}

/** Where a task run stands among those that one reads one after another. */
export interface PlaceInOrder {
  before: number | undefined;
  after: number | undefined;
  /** From 1. */
  number: number;
  of: number;
}

/** `count`: of all. A task run that is not in the order is among all, in the order of the report. */
export function placeInOrder(order: readonly number[], place: number, count: number): PlaceInOrder {
  const found = order.indexOf(place);
  if (found >= 0) {
    const [before, after] = [order[found - 1], order[found + 1]];
    return { before, after, number: found + 1, of: order.length };
  }
  return {
    before: place > 0 ? place - 1 : undefined,
    after: place + 1 < count ? place + 1 : undefined,
    number: place + 1,
    of: count,
  };
}
