/** Figures as short text: amounts, budgets and pass rates. */
import { plural } from '../base/text.js';
import type { BudgetKind, SpentBudget } from '../journal/run-events.js';
import type { MeanPassWithK, OutcomeCounts, PassFigures, Rate } from './pass-rates.js';
import type { Amounts } from './summary/summary.js';

export function formatShortDuration(milliseconds: number): string {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const minutes = Math.floor(milliseconds / 60_000);
  return `${minutes} m ${Math.floor((milliseconds % 60_000) / 1000)} s`;
}

/** `2 calls, both failed`, or `3 calls, 1 failed, 1 looks like an error`. */
export function formatCallCounts(calls: number, failed: number, suspected: number): string {
  const parts = [`${calls} ${calls === 1 ? 'call' : 'calls'}`];
  if (failed > 0) parts.push(formatFailedCalls(calls, failed));
  if (suspected > 0) {
    parts.push(suspected === 1 ? '1 looks like an error' : `${suspected} look like errors`);
  }
  return parts.join(', ');
}

function formatFailedCalls(calls: number, failed: number): string {
  if (failed < calls) return `${failed} failed`;
  return calls === 1 ? 'failed' : calls === 2 ? 'both failed' : 'all failed';
}

/** `950`, `13.5k`, `1.2M`: precise enough for tokens. */
export function formatShortNumber(value: number): string {
  if (value < 1000) return String(Math.round(value));
  if (value < 999_950) return `${(value / 1000).toFixed(1)}k`;
  return `${(value / 1_000_000).toFixed(1)}M`;
}

export function formatDollars(value: number): string {
  return `$${value.toFixed(value > 0 && value < 0.1 ? 4 : 2)}`;
}

/** The cost of task runs for a cell of a table: `≥ $0.18` if that of some is unknown. */
export function formatCost({ cost, untold }: Pick<Amounts, 'cost' | 'untold'>): string | undefined {
  if (cost === null) return undefined;
  return untold.cost > 0 ? `≥ ${formatDollars(cost)}` : formatDollars(cost);
}

const budgetOptions: Readonly<Record<BudgetKind, string>> = {
  cost: '--max-cost',
  tokens: '--max-tokens',
  duration: '--max-duration',
};

/** How much of a budget is spent: `$0.42 of $1.00`. */
export function formatSpentBudget({ kind, limit, spent }: SpentBudget): string {
  return `${formatBudgetAmount(kind, spent)} of ${formatBudgetAmount(kind, limit)}`;
}

/** Why a run ended early: `--max-cost was reached ($1.02 of $1.00)`. */
export function describeReachedBudget(budget: SpentBudget): string {
  return `${budgetOptions[budget.kind]} was reached (${formatSpentBudget(budget)})`;
}

function formatBudgetAmount(kind: BudgetKind, amount: number): string {
  if (kind === 'cost') return formatDollars(amount);
  return kind === 'tokens' ? `${formatShortNumber(amount)} tokens` : formatBudgetTime(amount);
}

/** A time in whole seconds, or tenths below 10 seconds. */
function formatBudgetTime(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${Number(seconds.toFixed(1))} s`;
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} m`;
}

/** A share as a percentage. Only exactly all or nothing is shown as 100% or 0%. */
export function formatPercent(share: number): string {
  if (share <= 0) return '0%';
  if (share >= 1) return '100%';
  return `${Math.min(99.9, Math.max(0.1, share * 100)).toFixed(1)}%`;
}

export function formatPassed({ passed, judged }: Rate): string {
  return `${passed} of ${judged}`;
}

export function formatRate({ rate }: Rate): string {
  return rate === null ? '-' : formatPercent(rate);
}

export function formatInterval({ low, high }: Rate): string {
  return low === null || high === null ? '-' : `${formatPercent(low)} to ${formatPercent(high)}`;
}

/** `66.7% (30.0% to 90.3%)`, or `none judged`. */
export function formatRateWithInterval(rate: Rate): string {
  return rate.rate === null ? 'none judged' : `${formatRate(rate)} (${formatInterval(rate)})`;
}

/** A pass rate with its interval and counts. */
export function describePassRate(rate: Rate): string {
  if (rate.rate === null) return 'nothing was judged';
  const judged = `${rate.passed} of ${plural(rate.judged, 'judged task run')}`;
  return `${formatRate(rate)} (95% interval ${formatInterval(rate)}), ${judged}`;
}

/** `pass@3 100%, pass^3 40.0% (mean over 5 tasks)`. */
export function describePassWithK(
  { k, any, all, tasks }: MeanPassWithK,
  isMatrix: boolean,
): string {
  const what = isMatrix ? `${plural(tasks, 'pair')} of task and variant` : plural(tasks, 'task');
  return `pass@${k} ${formatPercent(any)}, pass^${k} ${formatPercent(all)} (mean over ${what})`;
}

export function describeTasksPassed({
  tasks,
  tasksPassed,
}: Pick<PassFigures, 'tasks' | 'tasksPassed'>): string {
  return `${tasksPassed} of ${tasks} passed in every run`;
}

const outcomeOrder = ['passed', 'failed', 'timeout', 'error', 'cancelled'] as const;

/** `9 passed, 2 failed, 1 not done`; those that were planned and have no verdict come last. */
export function formatOutcomes(counts: OutcomeCounts, notRun: number): string {
  const shown = outcomeOrder.filter((outcome) => outcome === 'passed' || counts[outcome] > 0);
  const words = shown.map((outcome) => `${counts[outcome]} ${outcome}`);
  return [...words, ...(notRun > 0 ? [`${notRun} not done`] : [])].join(', ');
}
