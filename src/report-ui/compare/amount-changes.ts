import type { MeanAmounts } from '../../analysis/diff/results-diff.js';
import { costText, durationText, shortCount } from '../elements/amounts.js';

/** An amount on both sides, in words. */
export interface AmountChange {
  name: string;
  base: string;
  current: string;
  /** `+12.0%`; empty if it cannot be told. */
  change: string;
}

const rows: {
  name: string;
  value: (amounts: MeanAmounts) => number | null;
  text: (value: number | null) => string;
}[] = [
  { name: 'Duration', value: ({ durationMs }) => durationMs, text: durationText },
  { name: 'Calls', value: ({ calls }) => calls, text: meanText },
  { name: 'Call errors', value: ({ callErrors }) => callErrors, text: meanText },
  { name: 'Tokens in', value: ({ inputTokens }) => inputTokens, text: shortCount },
  { name: 'Tokens out', value: ({ outputTokens }) => outputTokens, text: shortCount },
  { name: 'Cost', value: ({ cost }) => cost, text: costText },
];

/** Those that one of the two knows. */
export function amountChanges(base: MeanAmounts, current: MeanAmounts): AmountChange[] {
  return rows.flatMap(({ name, value, text }) => {
    const [before, after] = [value(base), value(current)];
    if (before === null && after === null) return [];
    return [{ name, base: text(before), current: text(after), change: changeText(before, after) }];
  });
}

function meanText(value: number | null): string {
  return value === null ? shortCount(null) : value.toFixed(1);
}

function changeText(before: number | null, after: number | null): string {
  if (before === null || after === null) return '';
  if (before === after) return 'the same';
  if (before === 0) return '';
  const share = after / before - 1;
  if (Math.abs(share) < 0.0005) return 'the same';
  return `${share > 0 ? '+' : '−'}${(Math.abs(share) * 100).toFixed(1)}%`;
}
