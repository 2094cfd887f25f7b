import type { BudgetKind, SpentBudget } from '../journal/run-events.js';
import { dollars, shortNumber } from './amount-text.js';

const options: Readonly<Record<BudgetKind, string>> = {
  cost: '--max-cost',
  tokens: '--max-tokens',
  duration: '--max-duration',
};

/** `$0.42 of $1.00`, as far as a budget is spent. */
export function spentText({ kind, limit, spent }: SpentBudget): string {
  return `${amountText(kind, spent)} of ${amountText(kind, limit)}`;
}

/** `--max-cost was reached ($1.02 of $1.00)`: why an evaluation ended before it was done. */
export function reachedText(budget: SpentBudget): string {
  return `${options[budget.kind]} was reached (${spentText(budget)})`;
}

function amountText(kind: BudgetKind, amount: number): string {
  if (kind === 'cost') return dollars(amount);
  return kind === 'tokens' ? `${shortNumber(amount)} tokens` : timeText(amount);
}

/** In whole seconds, as far as that says something. */
function timeText(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${Number(seconds.toFixed(1))} s`;
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} m`;
}
