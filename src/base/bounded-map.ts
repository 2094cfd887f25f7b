/** A map that forgets its oldest entries: for what may be asked for later, but not for ever. */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  /** Goes on where it stopped: a new one would pass all the places of what was taken out before. */
  readonly #oldestFirst = this.#entries.keys();
  readonly #maxSize: number;

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: Key, value: Value): void {
    // Taken out first: a Map keeps an entry in the place where it was set first.
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#maxSize) return;
    const oldest = this.#oldestFirst.next();
    if (!oldest.done) this.#entries.delete(oldest.value);
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  /** As they are now: entries may be taken out meanwhile. */
  entries(): [Key, Value][] {
    return [...this.#entries];
  }
}
