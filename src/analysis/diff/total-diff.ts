import type { Passes } from '../../base/statistics/pass-at-k.js';
import { computeClusteredRate } from '../pass-rates.js';
import type { DiffSide, MeanAmounts, TotalDiff } from './results-diff.js';
import type { TaskPair } from './task-pairs.js';
import { amountKeys, MeansFold, type TaskTally } from './task-tally.js';
import { decideTotalVerdict } from './total-verdict.js';

/**
 * Compares the tasks that are judged alike. If edited tasks got worse (together with the others, on their own, or
 * by those of their runs that are judged alike), that counts: an edit must not hide a drop that is spread over
 * many tasks, and neither must others that got better.
 */
export function diffTotal(pairs: readonly TaskPair[]): TotalDiff {
  const judged = pairs.filter(({ base, current }) => base.judged > 0 && current.judged > 0);
  const tasks = judged.filter(({ judging }) => judging.length > 0).length;
  const all = sumPairs(pairs);
  if (tasks === 0) return all;
  const alike = sumPairs(pairs.filter(({ judging }) => judging.length === 0));
  const edited = sumPairs(pairs.filter(({ judging }) => judging.length > 0));
  const likeRuns = sumPairs(pairs.flatMap(listRunsJudgedAlike));
  const worse = [alike, all, edited, likeRuns].find(({ verdict }) => verdict === 'regression');
  if (worse) return { ...worse, judgedDifferently: { tasks, leftOut: worse === alike } };
  const isBetterWithoutThem = alike.verdict === 'improvement' && all.verdict !== 'improvement';
  if (tasks < judged.length && !isBetterWithoutThem) {
    return { ...alike, judgedDifferently: { tasks, leftOut: true } };
  }
  return {
    ...all,
    judgedDifferently: { tasks, leftOut: false },
    verdict: 'judged differently',
    moreTasks: null,
  };
}

/** The runs of a task that are judged alike; all runs if it was not edited, or if there are none. */
function listRunsJudgedAlike(pair: TaskPair): Compared[] {
  return pair.judgedAlike.length > 0 ? pair.judgedAlike : [pair];
}

type Compared = Pick<TaskPair, 'base' | 'current'>;

function sumPairs(pairs: readonly Compared[]): TotalDiff {
  const judged = pairs.filter(({ base, current }) => base.judged > 0 && current.judged > 0);
  const base = new MeansFold();
  const current = new MeansFold();
  for (const pair of judged) addMeansKnownToBoth(pair, base, current);
  const variants = new Set(judged.map((pair) => pair.current.variant));
  return {
    base: makeTotalSide(pairs, judged, (pair) => pair.base, base.means),
    current: makeTotalSide(pairs, judged, (pair) => pair.current, current.means),
    ...decideTotalVerdict(judged, (index) => judged[index]?.current.task),
    ...(variants.size > 1 && { variants: variants.size }),
  };
}

/** Adds the means that both sides have. Each task weighs the same, as in the difference of rates. */
function addMeansKnownToBoth(pair: Compared, base: MeansFold, current: MeansFold): void {
  const before = { ...pair.base.means.means };
  const now = { ...pair.current.means.means };
  for (const amount of amountKeys) {
    if (before[amount] === null || now[amount] === null) {
      before[amount] = null;
      now[amount] = null;
    }
  }
  base.addMeans(before);
  current.addMeans(now);
}

function makeTotalSide(
  pairs: readonly Compared[],
  judged: readonly Compared[],
  tallyOf: (pair: Compared) => TaskTally,
  amounts: MeanAmounts,
): DiffSide {
  const sum = (of: (tally: TaskTally) => number) =>
    pairs.reduce((total, pair) => total + of(tallyOf(pair)), 0);
  return {
    ...computeClusteredRate(sumPassesByTask(judged, tallyOf)),
    taskRuns: sum(({ taskRuns }) => taskRuns),
    errors: sum(({ errors }) => errors),
    cancelled: sum(({ cancelled }) => cancelled),
    amounts,
  };
}

/** Sums passes by task: the runs of one task belong together, whatever their variants. */
function sumPassesByTask(
  pairs: readonly Compared[],
  tallyOf: (pair: Compared) => TaskTally,
): Passes[] {
  const byTask = new Map<string, Passes>();
  for (const pair of pairs) {
    const { passed, judged } = tallyOf(pair);
    const task = byTask.get(pair.current.task) ?? { passed: 0, judged: 0 };
    byTask.set(pair.current.task, {
      passed: task.passed + passed,
      judged: task.judged + judged,
    });
  }
  return [...byTask.values()];
}
