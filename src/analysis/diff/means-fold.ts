import type { TaskRunRecord } from '../../results/task-run-record.js';
import type { MeanAmounts } from './results-diff.js';

type Amount = keyof MeanAmounts;

export const amountsOf = [
  'durationMs',
  'calls',
  'callErrors',
  'inputTokens',
  'outputTokens',
  'cost',
] as const satisfies readonly Amount[];

/** Means over those that tell. */
export class MeansFold {
  /** Means so far, as a sum of what a file says may be too large for a number. */
  readonly #told = new Map<Amount, { mean: number; count: number }>();

  add({ durationMs, callCounts, usage, cost }: TaskRunRecord): void {
    this.#addAmount('durationMs', durationMs);
    this.#addAmount('calls', callCounts.tool + callCounts.resource + callCounts.prompt);
    this.#addAmount('callErrors', callCounts.errors);
    this.#addAmount('inputTokens', usage?.inputTokens ?? null);
    this.#addAmount('outputTokens', usage?.outputTokens ?? null);
    this.#addAmount('cost', cost);
  }

  addMeans(means: MeanAmounts): void {
    for (const amount of amountsOf) this.#addAmount(amount, means[amount]);
  }

  get means(): MeanAmounts {
    return {
      durationMs: this.#meanOf('durationMs'),
      calls: this.#meanOf('calls'),
      callErrors: this.#meanOf('callErrors'),
      inputTokens: this.#meanOf('inputTokens'),
      outputTokens: this.#meanOf('outputTokens'),
      cost: this.#meanOf('cost'),
    };
  }

  #addAmount(amount: Amount, value: number | null): void {
    if (value === null) return;
    const { mean, count } = this.#told.get(amount) ?? { mean: 0, count: 0 };
    this.#told.set(amount, { mean: mean + (value - mean) / (count + 1), count: count + 1 });
  }

  #meanOf(amount: Amount): number | null {
    return this.#told.get(amount)?.mean ?? null;
  }
}
