import type { TaskRunEnded } from './task-run-events.js';

/** What task runs took, agents and judge together, as far as they tell. */
export interface Spending {
  /** In US dollars. */
  cost: number;
  /** Input and output. */
  tokens: number;
}

/** What is not told counts for nothing; neither does what cannot be, such as a negative cost. */
export function spend(sum: Spending, { usage, cost, judge }: TaskRunEnded): void {
  sum.cost += amountOf(cost) + amountOf(judge?.cost);
  for (const tokens of [usage, judge?.usage]) {
    sum.tokens += amountOf(tokens?.inputTokens) + amountOf(tokens?.outputTokens);
  }
}

function amountOf(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : 0;
}
