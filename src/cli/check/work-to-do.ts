import type { Redactor } from '../../config/redactor.js';
import type { Evaluation } from '../../events/event.js';
import { taskRunKey } from '../../events/task-run-key.js';
import type { TaskRun } from '../../plan/plan.js';
import { suiteFiles } from '../../run/suite-files.js';
import type { CheckOptions } from '../check-options.js';
import { type EarlierRun, earlierRun } from './earlier-run.js';
import { failedTaskRuns, nothingToRerun } from './failed-task-runs.js';
import { type OutputFiles, refuseSuiteFiles } from './output-files.js';
import type { PreparedCheck } from './prepared-check.js';
import { recordedOptions } from './recorded-options.js';
import { writtenFiles } from './reporters/report-files.js';

/** What there is to do, and what was done before. */
export interface WorkToDo {
  /** As the journal has it: the same things have to look the same when a run is resumed. */
  record: Pick<Evaluation, 'files' | 'options'>;
  earlier: EarlierRun;
  /** Task runs of the plan that were asked for. */
  selected: readonly TaskRun[];
  /** Those of them that are not done yet. */
  taskRuns: readonly TaskRun[];
  /** Those and all that an earlier run has done. */
  total: number;
}

/** Throws UsageError where an earlier run, or the files, are in the way. */
export async function workToDo(
  { suites, plan, redactor, evalFolder }: PreparedCheck,
  options: CheckOptions,
  output: OutputFiles,
): Promise<WorkToDo> {
  const files = await suiteFiles(suites, plan);
  refuseSuiteFiles(writtenFiles(options.reporters, output), files, evalFolder);
  const record = withoutSecrets(redactor, { files, options: recordedOptions(options) });
  const earlier = await earlierRun(output.journal, options, record);
  // As records have it: a name can hold what they must not show.
  const key = ({ task, run, variant }: TaskRun) =>
    taskRunKey({
      task: redactor.text(task.name),
      run,
      variant: variant && redactor.text(variant.name),
    });
  const selected = await selectedOf(plan.taskRuns, options, key);
  const finished = earlier.previous?.finished ?? new Set();
  const taskRuns = selected.filter((taskRun) => !finished.has(key(taskRun)));
  return { record, earlier, selected, taskRuns, total: taskRuns.length + finished.size };
}

async function selectedOf(
  taskRuns: readonly TaskRun[],
  { rerunFailed }: CheckOptions,
  key: (taskRun: TaskRun) => string,
): Promise<readonly TaskRun[]> {
  if (rerunFailed === undefined) return taskRuns;
  const failed = await failedTaskRuns(rerunFailed);
  const selected = taskRuns.filter((taskRun) => failed.has(key(taskRun)));
  if (selected.length === 0) throw nothingToRerun(rerunFailed, failed.size);
  return selected;
}

function withoutSecrets<Data>(redactor: Redactor, data: Data): Data {
  return JSON.parse(redactor.json(JSON.stringify(data)));
}
