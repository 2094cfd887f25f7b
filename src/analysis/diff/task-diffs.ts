import { compareText } from '../../base/text.js';
import { formatTaskName } from '../../journal/task-run-events.js';
import { computeRate } from '../pass-rates.js';
import { listTaskNotes } from './diff-wording.js';
import type {
  DiffSide,
  DiffVerdict,
  FailureReason,
  ResultsDiff,
  TaskDiff,
} from './results-diff.js';
import type { TaskPair } from './task-pairs.js';
import type { TaskTally } from './task-tally.js';
import { decideTaskVerdicts, type TaskVerdict } from './task-verdicts.js';

/** Diffs of the tasks that both sides have, those that changed first. */
export function diffTasks(pairs: readonly TaskPair[]): TaskDiff[] {
  const verdictOf = makeVerdictLookup(pairs);
  const diffs = pairs.map((pair): TaskDiff => {
    const { judging, judgedAlike, current } = pair;
    const renamedFrom = pair.base.task === current.task ? null : pair.base.task;
    const { task, variant } = current;
    const compared = findWorst([pair, ...judgedAlike], verdictOf);
    const found = {
      base: makeTaskSide(compared.base),
      current: makeTaskSide(compared.current),
      judging,
      failures: { base: sortFailures(compared.base), current: sortFailures(compared.current) },
    };
    const notes = [
      ...listTaskNotes(found),
      ...(compared === pair ? [] : [describeShownRuns(pair, compared)]),
    ];
    const verdict = limitVerdict(judging, verdictOf(compared));
    return { task, variant, renamedFrom, ...found, notes, ...verdict };
  });
  return diffs.sort(compareByChange);
}

type Compared = Pick<TaskPair, 'base' | 'current'>;
type VerdictLookup = (compared: Compared) => TaskVerdict;

/** Verdicts on all runs of every task, and separately on the runs of edited tasks that are judged alike. */
function makeVerdictLookup(pairs: readonly TaskPair[]): VerdictLookup {
  const verdicts = new Map<Compared, TaskVerdict>();
  for (const family of [pairs, pairs.flatMap(({ judgedAlike }) => judgedAlike)]) {
    const found = decideTaskVerdicts(family);
    family.forEach((compared, index) => {
      const verdict = found[index];
      if (verdict) verdicts.set(compared, verdict);
    });
  }
  return (compared) => {
    const verdict = verdicts.get(compared);
    if (!verdict) throw new Error('runs without a verdict');
    return verdict;
  };
}

/** A regression, or else the largest drop: runs that were judged differently must not hide either. */
function findWorst([all, ...others]: readonly [Compared, ...Compared[]], verdictOf: VerdictLookup) {
  const rank = (compared: Compared) => {
    const { verdict, difference } = verdictOf(compared);
    return [verdict === 'regression' ? 0 : 1, difference ?? 0] as const;
  };
  return others.reduce((one, other) => {
    const [[isFine, difference], [isOtherFine, otherDifference]] = [rank(one), rank(other)];
    return isOtherFine < isFine || (isOtherFine === isFine && otherDifference < difference)
      ? other
      : one;
  }, all);
}

function describeShownRuns({ base, current }: Compared, shown: Compared): string {
  const runs = (all: TaskTally, some: TaskTally) => `${some.judged} of ${all.judged}`;
  return `shown are the runs that are judged alike: ${runs(base, shown.base)} in base, ${runs(current, shown.current)} in current`;
}

/** An edited task can be a regression, and nothing else but `judged differently`. */
function limitVerdict(judging: TaskDiff['judging'], found: TaskVerdict): TaskVerdict {
  if (judging.length === 0 || found.verdict === 'regression') return found;
  return { ...found, verdict: 'judged differently', moreRuns: null };
}

function sortFailures({ failures }: TaskTally): FailureReason[] {
  return [...failures]
    .map(([reason, taskRuns]) => ({ reason, taskRuns }))
    .sort((a, b) => b.taskRuns - a.taskRuns || compareText(a.reason, b.reason));
}

export function listOneSidedTasks(tallies: readonly TaskTally[]): ResultsDiff['added'] {
  const tasks = tallies.map((tally) => {
    const { task, variant } = tally;
    return { task, variant, side: makeTaskSide(tally) };
  });
  return tasks.sort((a, b) => compareText(formatTaskName(a), formatTaskName(b)));
}

function makeTaskSide(tally: TaskTally): DiffSide {
  const { taskRuns, errors, cancelled, means } = tally;
  return { ...computeRate(tally), taskRuns, errors, cancelled, amounts: means.means };
}

const verdictOrder: readonly DiffVerdict[] = [
  'regression',
  'judged differently',
  'improvement',
  'not enough data',
  'no change',
];

function compareByChange(a: TaskDiff, b: TaskDiff): number {
  const size = ({ difference }: TaskDiff) => Math.abs(difference ?? 0);
  return (
    verdictOrder.indexOf(a.verdict) - verdictOrder.indexOf(b.verdict) ||
    size(b) - size(a) ||
    compareText(formatTaskName(a), formatTaskName(b))
  );
}
