import type { JournalEvent } from '../journal/event.js';

/** Ends a check after so many task runs that did not pass, by starting nothing more. */
export class Bail {
  readonly #after: number;
  #notPassed = 0;

  constructor(after = Number.POSITIVE_INFINITY) {
    this.#after = after;
  }

  /** One that was cancelled is done again, if not in this check then in the next. */
  see(event: JournalEvent): void {
    if (event.type !== 'task-run-ended') return;
    if (event.outcome !== 'passed' && event.outcome !== 'cancelled') this.#notPassed += 1;
  }

  /** So many more end it. */
  get left(): number {
    return Math.max(0, this.#after - this.#notPassed);
  }

  get isDue(): boolean {
    return this.#notPassed >= this.#after;
  }
}
