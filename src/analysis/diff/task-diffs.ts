import { formatTaskName } from '../../journal/task-run-events.js';
import { rateOf } from '../pass-rates.js';
import type { TaskPair } from './pair-tasks.js';
import type {
  DiffSide,
  DiffVerdict,
  FailureReason,
  ResultsDiff,
  TaskDiff,
} from './results-diff.js';
import type { TaskTally } from './side-fold.js';
import { taskNotes } from './task-notes.js';
import { type TaskVerdict, taskVerdicts } from './task-verdicts.js';

/** The tasks of both sides, those that changed first. */
export function taskDiffs(pairs: readonly TaskPair[]): TaskDiff[] {
  const verdictOf = verdictsOn(pairs);
  const diffs = pairs.map((pair): TaskDiff => {
    const { judging, judgedAlike, current } = pair;
    const renamedFrom = pair.base.task === current.task ? null : pair.base.task;
    const { task, variant } = current;
    const compared = worst([pair, ...judgedAlike], verdictOf);
    const found = {
      base: sideOf(compared.base),
      current: sideOf(compared.current),
      judging,
      failures: { base: failuresOf(compared.base), current: failuresOf(compared.current) },
    };
    const notes = [...taskNotes(found), ...(compared === pair ? [] : [onlyAlike(pair, compared)])];
    const verdict = verdictOn(judging, verdictOf(compared));
    return { task, variant, renamedFrom, ...found, notes, ...verdict };
  });
  return diffs.sort(byChange);
}

type Compared = Pick<TaskPair, 'base' | 'current'>;
type VerdictOf = (compared: Compared) => TaskVerdict;

/** On all runs of every task, and apart from it on those that are judged alike although the task is not. */
function verdictsOn(pairs: readonly TaskPair[]): VerdictOf {
  const verdicts = new Map<Compared, TaskVerdict>();
  for (const family of [pairs, pairs.flatMap(({ judgedAlike }) => judgedAlike)]) {
    const found = taskVerdicts(family);
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

/** A regression, or else the largest drop: neither can hide behind runs that were judged otherwise. */
function worst([all, ...others]: readonly [Compared, ...Compared[]], verdictOf: VerdictOf) {
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

function onlyAlike({ base, current }: Compared, shown: Compared): string {
  const runs = (all: TaskTally, some: TaskTally) => `${some.judged} of ${all.judged}`;
  return `shown are the runs that are judged alike: ${runs(base, shown.base)} in base, ${runs(current, shown.current)} in current`;
}

/** What got worse got worse, whatever it is judged by. Nothing else can be said of an edited task. */
function verdictOn(judging: TaskDiff['judging'], found: TaskVerdict): TaskVerdict {
  if (judging.length === 0 || found.verdict === 'regression') return found;
  return { ...found, verdict: 'judged differently', moreRuns: null };
}

function failuresOf({ failures }: TaskTally): FailureReason[] {
  return [...failures]
    .map(([reason, taskRuns]) => ({ reason, taskRuns }))
    .sort((a, b) => b.taskRuns - a.taskRuns || compareText(a.reason, b.reason));
}

export function addedOrRemoved(tallies: readonly TaskTally[]): ResultsDiff['added'] {
  const tasks = tallies.map((tally) => {
    const { task, variant } = tally;
    return { task, variant, side: sideOf(tally) };
  });
  return tasks.sort((a, b) => compareText(formatTaskName(a), formatTaskName(b)));
}

function sideOf(tally: TaskTally): DiffSide {
  const { taskRuns, errors, cancelled, means } = tally;
  return { ...rateOf(tally), taskRuns, errors, cancelled, amounts: means.means };
}

const order: readonly DiffVerdict[] = [
  'regression',
  'judged differently',
  'improvement',
  'not enough data',
  'no change',
];

function byChange(a: TaskDiff, b: TaskDiff): number {
  const size = ({ difference }: TaskDiff) => Math.abs(difference ?? 0);
  return (
    order.indexOf(a.verdict) - order.indexOf(b.verdict) ||
    size(b) - size(a) ||
    compareText(formatTaskName(a), formatTaskName(b))
  );
}

/** The same on every machine, whatever its language. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
