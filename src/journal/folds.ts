import type { JournalEvent } from './event.js';
import type { TaskRunEnded } from './task-run-events.js';

/** How long a run took that may have been killed and resumed: without the time it lay still. */
export class RunClock {
  #before = 0;
  /** When the process started to write that wrote the latest events. */
  #first: string | undefined;
  #latest = '';
  #measured: number | undefined;

  add(event: JournalEvent): void {
    if (event.type === 'run-resumed') {
      this.#before = this.durationMs;
      this.#first = undefined;
      this.#measured = undefined;
    }
    if (!Number.isNaN(Date.parse(event.at))) {
      this.#first ??= event.at;
      this.#latest = event.at;
    }
    // Better than wall time, where there is one.
    if (event.type === 'run-ended') this.#measured = event.durationMs;
  }

  get durationMs(): number {
    if (this.#first === undefined) return this.#before;
    const elapsed = Date.parse(this.#latest) - Date.parse(this.#first);
    return this.#before + (this.#measured ?? elapsed);
  }
}

/** What task runs took, agents and judge together, as far as they report it. */
export interface Spending {
  /** US dollars. */
  cost: number;
  /** Input and output tokens. */
  tokens: number;
}

/** Adds what a task run took. Unreported and impossible amounts, such as a negative cost, count as 0. */
export function addSpending(sum: Spending, { usage, cost, judge }: TaskRunEnded): void {
  sum.cost += sanitizeAmount(cost) + sanitizeAmount(judge?.cost);
  for (const tokens of [usage, judge?.usage]) {
    sum.tokens += sanitizeAmount(tokens?.inputTokens) + sanitizeAmount(tokens?.outputTokens);
  }
}

function sanitizeAmount(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : 0;
}
