/** Few enough that nobody waits long for an answer, and enough that few are needed. */
const maxCount = 200;
const maxBytes = 8 * 1024 * 1024;

/** Parts a list, in order, so that a part has not too many items and bytes. A large item is alone. */
export function* batchesOf<Item>(
  items: Iterable<Item>,
  bytesOf: (item: Item) => number,
): Generator<Item[]> {
  let batch: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    const more = bytesOf(item);
    if (batch.length > 0 && (batch.length >= maxCount || bytes + more > maxBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(item);
    bytes += more;
  }
  if (batch.length > 0) yield batch;
}
