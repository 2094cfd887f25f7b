import { maxRuns } from '../../../config/schemas/fields.js';
import type { TaskRunSoFar } from '../../../results/task-run-record.js';
import type { CommandRun } from '../../command.js';
import { wholeNumber } from '../../options.js';
import { taskPatternOf } from '../task-pattern.js';

type Chosen = Pick<TaskRunSoFar, 'task' | 'run' | 'outcome'>;

/** Which task runs somebody asked for. */
export interface Selection {
  /** False: for all there are. */
  isNarrow: boolean;
  /** Whether `--task` and `--run` let it through. */
  covers(taskRun: Chosen): boolean;
  /** Whether `--failed` does so too. */
  matches(taskRun: Chosen): boolean;
}

export function selectionOf({ options }: CommandRun): Selection {
  const pattern = taskPatternOf(options);
  const number =
    typeof options.run === 'string' ? wholeNumber('--run', options.run, maxRuns) : undefined;
  const onlyFailed = options.failed === true;
  const covers = ({ task, run }: Chosen) =>
    pattern?.test(task) !== false && (number === undefined || run === number);
  return {
    isNarrow: pattern !== undefined || number !== undefined || onlyFailed,
    covers,
    matches: (taskRun) => covers(taskRun) && !(onlyFailed && hasNotFailed(taskRun)),
  };
}

/** Of one that is under way nobody knows. */
function hasNotFailed({ outcome }: Chosen): boolean {
  return outcome === 'passed' || outcome === null;
}

/** How many task runs were asked for, and how many of them there were to show. */
export interface Shown {
  covered: number;
  shown: number;
}
