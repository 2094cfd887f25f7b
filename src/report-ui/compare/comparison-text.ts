import type {
  DiffSide,
  DiffVerdict,
  MeanAmounts,
  ResultsDiff,
} from '../../analysis/diff/results-diff.js';
import {
  formatCost,
  formatDuration,
  formatPercent,
  formatPlural,
  formatShortCount,
} from '../elements/amounts.js';

export type HeadlineTone = 'better' | 'worse' | 'mixed' | 'same' | 'unknown';

export interface CompareHeadline {
  tone: HeadlineTone;
  /** The answer in a few words. */
  title: string;
  /** What the answer rests on. */
  because: string;
}

/** Says whether the current results are better or worse: the answer of the diff, and its figures. */
export function formatHeadline(diff: ResultsDiff): CompareHeadline {
  const { headline, total } = diff;
  const because = [describeTotal(diff), describeTasks(diff)].filter(Boolean).join(' ');
  if (headline.tone === 'same' && total.verdict === 'not enough data') {
    return { tone: 'unknown', title: 'Not enough data to tell', because };
  }
  const tone = headline.tone === 'open' ? 'unknown' : headline.tone;
  return {
    // Tasks that got better do not make up for a total that got worse.
    tone: total.verdict === 'regression' ? 'worse' : tone,
    title: capitalize(headline.text),
    because,
  };
}

function capitalize(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function countTasksWith(diff: ResultsDiff, verdict: DiffVerdict): number {
  return diff.tasks.filter((task) => task.verdict === verdict).length;
}

function describeTotal({ total }: ResultsDiff): string {
  const { difference, low, high } = total;
  if (difference === null || total.tasks === 0) return 'No task was judged on both sides.';
  const change = `Over ${formatTasks(total.tasks)} the pass rate ${describeChange(difference)}`;
  if (low === null || high === null) return `${change}.`;
  return `${change}; the 95% interval goes from ${formatPoints(low)} to ${formatPoints(high)}.`;
}

function describeChange(difference: number): string {
  const value = roundToTenth(difference);
  if (value === 0) return 'stayed the same';
  return value > 0 ? `rose by ${value} points` : `fell by ${-value} points`;
}

/** What the title does not say about single tasks. */
function describeTasks(diff: ResultsDiff): string {
  const { tasks, total } = diff;
  if (tasks.length === 0) return 'They have no tasks in common.';
  const edited = countTasksWith(diff, 'judged differently');
  if (edited > 0) {
    return `${formatTasks(edited)} ${edited === 1 ? 'is' : 'are'} judged differently and ${edited === 1 ? 'is' : 'are'} never counted as better.`;
  }
  const changed = countTasksWith(diff, 'regression') + countTasksWith(diff, 'improvement');
  if (changed === 0) return 'No task changed by more than chance would explain.';
  return total.verdict === 'no change' ? 'Overall, there is no detectable difference.' : '';
}

/** Formats a difference in percentage points with its sign: `+3.5`. */
export function formatPoints(difference: number): string {
  const value = roundToTenth(difference);
  return value > 0 ? `+${value}` : `${value}`.replace('-', '−');
}

/** Percentage points with one decimal, never -0. */
function roundToTenth(difference: number): number {
  return Math.round(difference * 1000) / 10 + 0;
}

function formatTasks(tasks: number): string {
  return formatPlural(tasks, 'task');
}

/** Formats the interval of a rate: `, 62.0% to 91.0%`. */
export function formatInterval({ low, high }: DiffSide): string {
  return low === null || high === null ? '' : `, ${formatPercent(low)} to ${formatPercent(high)}`;
}

/** How many runs the rate leaves out. */
export function formatLeftOut({ errors, cancelled }: DiffSide): string {
  const parts = [
    ...(errors > 0 ? [formatPlural(errors, 'error')] : []),
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
  ];
  return parts.length > 0 ? `left out: ${parts.join(', ')}` : '';
}

export function formatPValue(pValue: number | null): string {
  if (pValue === null) return 'p not known';
  if (pValue < 0.001) return 'p < 0.001';
  return `p = ${pValue.toFixed(pValue < 0.1 ? 3 : 2)}`;
}

/** An amount on both sides, formatted. */
interface AmountChange {
  name: string;
  base: string;
  current: string;
  /** Relative change such as `+12.0%`; empty if there is none to show. */
  change: string;
}

const rows: {
  name: string;
  value: (amounts: MeanAmounts) => number | null;
  text: (value: number | null) => string;
}[] = [
  { name: 'Duration', value: ({ durationMs }) => durationMs, text: formatDuration },
  { name: 'Calls', value: ({ calls }) => calls, text: formatMean },
  { name: 'Call errors', value: ({ callErrors }) => callErrors, text: formatMean },
  { name: 'Tokens in', value: ({ inputTokens }) => inputTokens, text: formatShortCount },
  { name: 'Tokens out', value: ({ outputTokens }) => outputTokens, text: formatShortCount },
  { name: 'Cost', value: ({ cost }) => cost, text: formatCost },
];

/** Compares the amounts that at least one side has. */
export function compareAmounts(base: MeanAmounts, current: MeanAmounts): AmountChange[] {
  return rows.flatMap(({ name, value, text }) => {
    const [before, after] = [value(base), value(current)];
    if (before === null && after === null) return [];
    return [
      { name, base: text(before), current: text(after), change: formatChange(before, after) },
    ];
  });
}

function formatMean(value: number | null): string {
  return value === null ? formatShortCount(null) : value.toFixed(1);
}

function formatChange(before: number | null, after: number | null): string {
  if (before === null || after === null) return '';
  if (before === after) return 'the same';
  if (before === 0) return '';
  const share = after / before - 1;
  if (Math.abs(share) < 0.0005) return 'the same';
  return `${share > 0 ? '+' : '−'}${(Math.abs(share) * 100).toFixed(1)}%`;
}
