import type {
  DiffSide,
  DiffVerdict,
  MeanAmounts,
  ResultsDiff,
} from '../../analysis/diff/results-diff.js';
import { costText, counted, durationText, percentText, shortCount } from '../elements/amounts.js';

export type HeadlineTone = 'better' | 'worse' | 'mixed' | 'same' | 'unknown';

export interface CompareHeadline {
  tone: HeadlineTone;
  /** The answer in a few words. */
  title: string;
  /** What it rests on. */
  because: string;
}

/** Whether it got better or worse: the total decides, and no single task that got worse is hidden. */
export function compareHeadline(diff: ResultsDiff): CompareHeadline {
  const worse = tasksWith(diff, 'regression');
  const better = tasksWith(diff, 'improvement');
  const because = [totalInWords(diff), tasksInWords(diff, worse + better)]
    .filter(Boolean)
    .join(' ');
  return { ...answer(diff, worse, better), because };
}

function answer(diff: ResultsDiff, worse: number, better: number) {
  const total = diff.total.verdict;
  const said = (tone: HeadlineTone, title: string) => ({ tone, title });
  if (diff.headline.tone === 'open') return said('unknown', asTitle(diff.headline.text));
  if (total === 'regression') {
    if (better === 0) return said('worse', 'Worse than the base');
    return said('worse', `Worse than the base, though ${counting(better)} got better`);
  }
  if (total === 'improvement') {
    if (worse === 0) return said('better', 'Better than the base');
    return said('mixed', `Better in total, but worse in ${counting(worse)}`);
  }
  if (worse > 0 && better > 0) {
    return said('mixed', `Worse in ${counting(worse)}, better in ${counting(better)}`);
  }
  if (worse > 0) return said('worse', `Worse in ${counting(worse)}`);
  if (better > 0) return said('better', `Better in ${counting(better)}`);
  if (total === 'no change') return said('same', 'No difference that these runs could show');
  return said('unknown', 'Not enough data to tell');
}

function asTitle(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function tasksWith(diff: ResultsDiff, verdict: DiffVerdict): number {
  return diff.tasks.filter((task) => task.verdict === verdict).length;
}

function totalInWords({ total }: ResultsDiff): string {
  const { difference, low, high } = total;
  if (difference === null || total.tasks === 0) return 'No task was judged on both sides.';
  const change = `Over ${counting(total.tasks)} the pass rate ${changeInWords(difference)}`;
  if (low === null || high === null) return `${change}.`;
  return `${change}; the 95% interval goes from ${points(low)} to ${points(high)}.`;
}

function changeInWords(difference: number): string {
  const value = tenths(difference);
  if (value === 0) return 'stayed the same';
  return value > 0 ? `rose by ${value} points` : `fell by ${-value} points`;
}

/** What the title does not say. */
function tasksInWords(diff: ResultsDiff, changed: number): string {
  const { tasks, total } = diff;
  if (tasks.length === 0) return 'The two have no task in common.';
  const edited = tasksWith(diff, 'judged differently');
  if (edited > 0) {
    return `${counting(edited)} ${edited === 1 ? 'is' : 'are'} judged differently and ${edited === 1 ? 'is' : 'are'} never counted as better.`;
  }
  if (changed === 0) return 'No single task shows a change that chance could not make.';
  return total.verdict === 'no change' ? 'In total these runs show no difference.' : '';
}

/** In percentage points, with the sign: `+3.5`. */
export function points(difference: number): string {
  const value = tenths(difference);
  return value > 0 ? `+${value}` : `${value}`.replace('-', '−');
}

/** Never -0. */
function tenths(difference: number): number {
  return Math.round(difference * 1000) / 10 + 0;
}

function counting(tasks: number): string {
  return counted(tasks, 'task');
}

/** `, 62.0% to 91.0%`. */
export function intervalText({ low, high }: DiffSide): string {
  return low === null || high === null ? '' : `, ${percentText(low)} to ${percentText(high)}`;
}

/** What the rate does not count. */
export function leftOutText({ errors, cancelled }: DiffSide): string {
  const parts = [
    errors > 0 ? counted(errors, 'error') : '',
    cancelled > 0 ? `${cancelled} cancelled` : '',
  ].filter(Boolean);
  return parts.length > 0 ? `left out: ${parts.join(', ')}` : '';
}

export function pText(pValue: number | null): string {
  if (pValue === null) return 'p not known';
  if (pValue < 0.001) return 'p < 0.001';
  return `p = ${pValue.toFixed(pValue < 0.1 ? 3 : 2)}`;
}

/** An amount on both sides, in words. */
interface AmountChange {
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
