import type { Outcome } from '../../journal/task-run-events.js';

/** What became of items, for whoever waits for one; also for who asks when it was told already. */
export class ToldEnds {
  readonly #waiting = new Map<string, (outcome: Outcome) => void>();
  readonly #early = new Map<string, Outcome>();

  tell(item: string, outcome: Outcome): void {
    const waiting = this.#waiting.get(item);
    this.#waiting.delete(item);
    if (waiting) waiting(outcome);
    // One that was cancelled is done again: that is worth waiting for.
    else if (outcome !== 'cancelled') this.#early.set(item, outcome);
  }

  /** Whether it is known by now. */
  has(item: string): boolean {
    return this.#early.has(item);
  }

  of(item: string): Promise<Outcome> {
    const early = this.#early.get(item);
    if (early !== undefined) return Promise.resolve(early);
    return new Promise((resolve) => this.#waiting.set(item, resolve));
  }
}
