import { plural } from '../base/text.js';
import type { MeanPassWithK, OutcomeCounts, PassFigures, Rate } from './pass-rates.js';

/** A share for people. Only what is all or nothing looks like it. */
export function percent(share: number): string {
  if (share <= 0) return '0%';
  if (share >= 1) return '100%';
  return `${Math.min(99.9, Math.max(0.1, share * 100)).toFixed(1)}%`;
}

export function passedText({ passed, judged }: Rate): string {
  return `${passed} of ${judged}`;
}

export function rateText({ rate }: Rate): string {
  return rate === null ? '-' : percent(rate);
}

export function intervalText({ low, high }: Rate): string {
  return low === null || high === null ? '-' : `${percent(low)} to ${percent(high)}`;
}

/** `66.7% (30.0% to 90.3%)`, or `none judged`. */
export function rateWithInterval(rate: Rate): string {
  return rate.rate === null ? 'none judged' : `${rateText(rate)} (${intervalText(rate)})`;
}

/** The pass rate of a whole, with all that it is made of. */
export function passRateSentence(rate: Rate): string {
  if (rate.rate === null) return 'nothing was judged';
  const judged = `${rate.passed} of ${plural(rate.judged, 'judged task run')}`;
  return `${rateText(rate)} (95% interval ${intervalText(rate)}), ${judged}`;
}

/** `pass@3 100%, pass^3 40.0% (mean over 5 tasks)`. */
export function passWithKSentence(
  { k, any, all, tasks }: MeanPassWithK,
  isMatrix: boolean,
): string {
  const what = isMatrix ? `${plural(tasks, 'pair')} of task and variant` : plural(tasks, 'task');
  return `pass@${k} ${percent(any)}, pass^${k} ${percent(all)} (mean over ${what})`;
}

export function tasksPassedSentence({
  tasks,
  tasksPassed,
}: Pick<PassFigures, 'tasks' | 'tasksPassed'>): string {
  return `${tasksPassed} of ${tasks} passed in every run`;
}

const outcomes = ['passed', 'failed', 'timeout', 'error', 'cancelled'] as const;

/** `9 passed, 2 failed, 1 not done`; those that were planned and have no verdict come last. */
export function outcomesText(counts: OutcomeCounts, notRun: number): string {
  const shown = outcomes.filter((outcome) => outcome === 'passed' || counts[outcome] > 0);
  const words = shown.map((outcome) => `${counts[outcome]} ${outcome}`);
  return [...words, ...(notRun > 0 ? [`${notRun} not done`] : [])].join(', ');
}
