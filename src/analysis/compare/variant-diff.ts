import { makeHeadline } from '../diff/diff-wording.js';
import type { DiffVerdict, ResultsDiff, TaskDiff } from '../diff/results-diff.js';
import { formatNoDifferenceHeadline } from './comparison-text.js';
import type { VariantComparison } from './variant-comparison.js';
import { isDistinguishable } from './variant-pairs.js';

/**
 * Replaces the verdicts of a diff of two variants by those of the comparison of all variants. A diff tests one
 * pair only; with more pairs chance has more occasions to look like a difference, and the report must agree
 * with `result compare`.
 */
export function applyComparisonVerdicts(
  diff: ResultsDiff,
  { pairs }: Pick<VariantComparison, 'pairs'>,
  { base, current }: { base: string; current: string },
): ResultsDiff {
  const names = [base, current];
  const pair = pairs.find(({ first, second }) => names.includes(first) && names.includes(second));
  if (!pair) return diff;
  const isFirst = pair.first === current;
  const better = new Set(isFirst ? pair.firstBetterIn : pair.secondBetterIn);
  const worse = new Set(isFirst ? pair.secondBetterIn : pair.firstBetterIn);
  const tasks = diff.tasks.map((task): TaskDiff => {
    // The correction of a diff is for fewer tests.
    const known = { ...task, adjusted: null };
    if (better.has(task.task) && task.verdict !== 'judged differently')
      return { ...known, verdict: 'improvement', moreRuns: null };
    if (worse.has(task.task)) return { ...known, verdict: 'regression', moreRuns: null };
    const isOpen = task.verdict === 'improvement' || task.verdict === 'regression';
    return isOpen ? { ...known, verdict: 'not enough data' } : known;
  });
  const total = { ...diff.total, verdict: translateVerdict(pair, isFirst) };
  const headline = isDistinguishable(pair)
    ? makeHeadline({ total, tasks })
    : ({ tone: 'open', text: formatNoDifferenceHeadline([pair]) } as const);
  return { ...diff, total, tasks, headline };
}

function translateVerdict(
  { verdict, difference }: VariantComparison['pairs'][number],
  isFirst: boolean,
): DiffVerdict {
  if (verdict === 'not enough data') return verdict;
  if (verdict === 'no difference') return 'no change';
  return difference > 0 === isFirst ? 'improvement' : 'regression';
}
