/**
 * Events on their way from a producer that does not wait to one reader. They wait in memory; a reader that leaves its
 * loop gets no more, and nothing is kept for it.
 */
export class EventQueue<Event> implements AsyncIterable<Event> {
  readonly #waiting: Event[] = [];
  #wake = () => {};
  #isOver = false;
  #hasReader = false;
  #failure: { error: unknown } | undefined;

  push(event: Event): void {
    if (this.#isOver) return;
    this.#waiting.push(event);
    this.#wake();
  }

  /** Ends the loop of the reader after what still waits. */
  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** Ends the loop of the reader with an error, after what still waits. */
  fail(error: unknown): void {
    this.#failure = { error };
    this.end();
  }

  /** Throws for a second reader beside the first, from which it would take events. */
  [Symbol.asyncIterator](): AsyncGenerator<Event> {
    if (this.#hasReader && !this.#isOver) {
      throw new Error('the events of a run have a reader already');
    }
    this.#hasReader = true;
    return this.#read();
  }

  async *#read(): AsyncGenerator<Event> {
    try {
      for (;;) {
        while (this.#waiting.length > 0) yield this.#waiting.shift() as Event;
        if (this.#failure) throw this.#failure.error;
        if (this.#isOver) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      this.#isOver = true;
      this.#waiting.length = 0;
    }
  }
}
