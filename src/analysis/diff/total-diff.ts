import type { Passes } from '../../base/statistics/pass-at-k.js';
import { clusteredRate } from '../pass-rates.js';
import { amountsOf, MeansFold } from './means-fold.js';
import type { TaskPair } from './pair-tasks.js';
import type { DiffSide, MeanAmounts, TotalDiff } from './results-diff.js';
import type { TaskTally } from './side-fold.js';
import { totalVerdict } from './total-verdict.js';

/**
 * The tasks that are judged alike, unless edited tasks got worse: with the others, on their own, or by
 * those of their runs that are judged alike. An edit must not hide a drop that is spread over many tasks, and
 * neither must others that got better.
 */
export function totalDiff(pairs: readonly TaskPair[]): TotalDiff {
  const judged = pairs.filter(({ base, current }) => base.judged > 0 && current.judged > 0);
  const tasks = judged.filter(({ judging }) => judging.length > 0).length;
  const all = totalOf(pairs);
  if (tasks === 0) return all;
  const alike = totalOf(pairs.filter(({ judging }) => judging.length === 0));
  const edited = totalOf(pairs.filter(({ judging }) => judging.length > 0));
  const likeRuns = totalOf(pairs.flatMap(thoseJudgedAlike));
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

/** Of an edited task, only the runs that are judged alike, if there are any. */
function thoseJudgedAlike(pair: TaskPair): Compared[] {
  return pair.judgedAlike.length > 0 ? pair.judgedAlike : [pair];
}

type Compared = Pick<TaskPair, 'base' | 'current'>;

function totalOf(pairs: readonly Compared[]): TotalDiff {
  const judged = pairs.filter(({ base, current }) => base.judged > 0 && current.judged > 0);
  const base = new MeansFold();
  const current = new MeansFold();
  for (const pair of judged) addWhatBothTell(pair, base, current);
  const variants = new Set(judged.map((pair) => pair.current.variant));
  return {
    base: sideOf(pairs, judged, (pair) => pair.base, base.means),
    current: sideOf(pairs, judged, (pair) => pair.current, current.means),
    ...totalVerdict(judged, (index) => judged[index]?.current.task),
    ...(variants.size > 1 && { variants: variants.size }),
  };
}

/** Each task weighs the same, as it does in the difference of rates. */
function addWhatBothTell(pair: Compared, base: MeansFold, current: MeansFold): void {
  const before = { ...pair.base.means.means };
  const now = { ...pair.current.means.means };
  for (const amount of amountsOf) {
    if (before[amount] === null || now[amount] === null) {
      before[amount] = null;
      now[amount] = null;
    }
  }
  base.addMeans(before);
  current.addMeans(now);
}

function sideOf(
  pairs: readonly Compared[],
  judged: readonly Compared[],
  tallyOf: (pair: Compared) => TaskTally,
  amounts: MeanAmounts,
): DiffSide {
  const sum = (of: (tally: TaskTally) => number) =>
    pairs.reduce((total, pair) => total + of(tallyOf(pair)), 0);
  return {
    ...clusteredRate(passesByTask(judged, tallyOf)),
    taskRuns: sum(({ taskRuns }) => taskRuns),
    errors: sum(({ errors }) => errors),
    cancelled: sum(({ cancelled }) => cancelled),
    amounts,
  };
}

/** The runs of one task belong together, whichever variants did them. */
function passesByTask(
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
