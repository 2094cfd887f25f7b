import { relative } from 'node:path';
import type { Redactor } from '../../config/redactor.js';
import type { Evaluation } from '../../events/run-events.js';
import { taskRunKey } from '../../events/task-run-key.js';
import type { TaskRun } from '../../plan/plan.js';
import type { Suite } from '../../plan/suite.js';
import { redactedRecord } from '../../run/journal/redaction.js';
import { serverPrograms, suiteFiles } from '../../run/resume/suite-files.js';
import { AutoWork } from '../../run/schedule/auto-work.js';
import { plannedWork, type Work } from '../../run/schedule/scheduler.js';
import type { CheckOptions } from '../check-options.js';
import { type EarlierRun, earlierRun } from './earlier-run.js';
import { failedTaskRuns, nothingToRerun } from './failed-task-runs.js';
import { type OutputFiles, refuseSuiteFiles } from './output-files.js';
import type { PreparedCheck } from './prepared-check.js';
import { recordedOptions } from './recorded-options.js';
import type { WrittenFile } from './reporters/report-files.js';

/** What there is to do, and what was done before. */
export interface WorkToDo {
  /** As the journal has it: the same things have to look the same when a run is resumed. */
  record: Pick<Evaluation, 'files' | 'options'>;
  earlier: EarlierRun;
  /** Task runs of the plan that were asked for; with `--runs auto`, those that are sure to be needed. */
  selected: readonly TaskRun[];
  /** Those of them that are not done yet. */
  work: Work;
  /** Those and all that an earlier run has done. */
  total: number;
}

/** Throws UsageError where an earlier run, or files that the check would write, are in the way. */
export async function workToDo(
  { suites, plan, redactor, evalFolder, options }: PreparedCheck,
  output: OutputFiles,
  written: readonly WrittenFile[],
): Promise<WorkToDo> {
  const files = [...suiteFiles(suites, plan), ...serverPrograms(suites)];
  const read = [...files, ...pricesFile(suites[0], evalFolder)];
  refuseSuiteFiles(written, read, evalFolder);
  const record = withoutSecrets(redactor, { files, options: recordedOptions(options, plan) });
  const earlier = await earlierRun(output.journal, options, record, plan);
  // As records have it: a name can hold what they must not show.
  const key = ({ task, run, variant }: TaskRun) =>
    taskRunKey({
      task: redactor.text(task.name),
      run,
      variant: variant && redactor.text(variant.name),
    });
  const finished = earlier.previous?.finished;
  const { autoRuns } = options.plan;
  const done = finished?.size ?? 0;
  if (autoRuns) {
    const first = plan.taskRuns.filter(({ run }) => run === 1);
    const work = new AutoWork(first, autoRuns, finished && ((each) => finished.get(key(each))));
    return { record, earlier, selected: work.sure, work, total: work.left + done };
  }
  const selected = await selectedOf(plan.taskRuns, options, key);
  const work = plannedWork(selected.filter((taskRun) => !finished?.has(key(taskRun))));
  return { record, earlier, selected, work, total: work.left + done };
}

/** Decides nothing about what runs, and must not be overwritten all the same. */
function pricesFile({ prices }: Suite, evalFolder: string): { path: string }[] {
  return prices ? [{ path: relative(evalFolder, prices.source.path) }] : [];
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
  return JSON.parse(redactedRecord(redactor, JSON.stringify(data)));
}
