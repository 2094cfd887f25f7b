import { taskInWords } from '../../events/task-run-key.js';
import { rateOf } from '../rate-of.js';
import type { TaskPair } from './pair-tasks.js';
import type { DiffSide, DiffVerdict, ResultsDiff, TaskDiff } from './results-diff.js';
import type { TaskTally } from './side-fold.js';
import { taskVerdicts } from './task-verdicts.js';

/** The tasks of both sides, those that changed first. */
export function taskDiffs(pairs: readonly TaskPair[]): TaskDiff[] {
  const verdicts = taskVerdicts(pairs);
  const diffs = pairs.flatMap(({ base, current }, index): TaskDiff[] => {
    const verdict = verdicts[index];
    if (!verdict) return [];
    const renamedFrom = base.task === current.task ? null : base.task;
    const sides = { base: sideOf(base), current: sideOf(current) };
    const { task, variant } = current;
    return [{ task, variant, renamedFrom, ...sides, ...verdict }];
  });
  return diffs.sort(byChange);
}

export function addedOrRemoved(tallies: readonly TaskTally[]): ResultsDiff['added'] {
  const tasks = tallies.map((tally) => {
    const { task, variant } = tally;
    return { task, variant, side: sideOf(tally) };
  });
  return tasks.sort((a, b) => compareText(taskInWords(a), taskInWords(b)));
}

function sideOf(tally: TaskTally): DiffSide {
  const { taskRuns, errors, cancelled, means } = tally;
  return { ...rateOf(tally), taskRuns, errors, cancelled, amounts: means.means };
}

const order: readonly DiffVerdict[] = ['regression', 'improvement', 'not enough data', 'no change'];

function byChange(a: TaskDiff, b: TaskDiff): number {
  const size = ({ difference }: TaskDiff) => Math.abs(difference ?? 0);
  return (
    order.indexOf(a.verdict) - order.indexOf(b.verdict) ||
    size(b) - size(a) ||
    compareText(taskInWords(a), taskInWords(b))
  );
}

/** The same on every machine, whatever its language. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
