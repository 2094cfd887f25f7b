/** A cache that keeps the values that were used last. */
export class RecentlyUsed<Key, Value> {
  readonly #values = new Map<Key, Value>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: Key, make: () => Value): Value {
    const value = this.#values.get(key) ?? make();
    // A map keeps the order of insertion: the first is the least recently used.
    this.#values.delete(key);
    this.#values.set(key, value);
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= this.#limit) break;
      this.#values.delete(oldest);
    }
    return value;
  }
}
