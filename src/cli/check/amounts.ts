import { formatCallCounts, formatDollars, formatShortNumber } from '../../analysis/figure-text.js';

/** Time that goes by, which is no measurement: in whole seconds. */
export function passingTime(milliseconds: number): string {
  const seconds = Math.max(Math.floor(milliseconds / 1000), 0);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} m`;
}

interface Effort {
  calls: number;
  callErrors: number;
  suspectedErrors: number;
  tokens?: { input: number; output: number };
  cost?: number;
}

/** What task runs needed, as far as it is known: `4 calls, 1 failed, 13.5k tokens, $0.04`. */
export function effort(runs: readonly Effort[]): string {
  const total = (of: (run: Effort) => number) => sum(runs.map(of));
  const tokens = runs.flatMap(({ tokens }) => (tokens ? [tokens.input + tokens.output] : []));
  const costs = runs.flatMap(({ cost }) => (cost === undefined ? [] : [cost]));
  return [
    formatCallCounts(
      total(({ calls }) => calls),
      total(({ callErrors }) => callErrors),
      total(({ suspectedErrors }) => suspectedErrors),
    ),
    ...(tokens.length > 0 ? [`${formatShortNumber(sum(tokens))} tokens`] : []),
    ...(costs.length > 0 ? [formatDollars(sum(costs))] : []),
  ].join(', ');
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
