import type { TaskRunRecord } from '../../results/task-run-record.js';
import { workingTime } from '../../results/working-time.js';
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

/** Means over those that tell. There is one for every task, so that it is kept small. */
export class MeansFold {
  /** By their place in `amountsOf`: means so far, as a sum of what a file says may be too large. */
  readonly #means: number[] = amountsOf.map(() => 0);
  readonly #counts: number[] = amountsOf.map(() => 0);

  add(taskRun: TaskRunRecord): void {
    const { callCounts, usage, cost } = taskRun;
    this.#addAmount('durationMs', workingTime(taskRun));
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
    const place = amountsOf.indexOf(amount);
    const mean = this.#means[place] ?? 0;
    const count = (this.#counts[place] ?? 0) + 1;
    this.#means[place] = mean + (value - mean) / count;
    this.#counts[place] = count;
  }

  #meanOf(amount: Amount): number | null {
    const place = amountsOf.indexOf(amount);
    return this.#counts[place] === 0 ? null : (this.#means[place] ?? null);
  }
}
