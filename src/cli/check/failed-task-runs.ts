import { formatTaskRunKey } from '../../journal/task-run-events.js';
import { openResults } from '../../results/read/open-results.js';
import { isControl } from '../../results/read/pooled-results.js';
import { readRecordedTaskRuns } from '../../results/recheck/recorded-task-run.js';
import { ControlResultsError } from '../../results/results-errors.js';
import { UsageError } from '../exit-codes.js';
import { unreadableResults } from '../unreadable-results.js';

/** Keys of the task runs of a results file that did not pass. */
export async function failedTaskRuns(path: string): Promise<Set<string>> {
  const failed = new Set<string>();
  try {
    const { header } = await openResults(path);
    if (isControl(header)) throw new ControlResultsError(path);
    for await (const taskRun of readRecordedTaskRuns(path)) {
      if (taskRun.outcome !== 'passed') failed.add(formatTaskRunKey(taskRun));
    }
  } catch (error) {
    throw unreadableResults(path, error);
  }
  return failed;
}

/** Of several evals, others may have something. */
export class NothingToRerun extends UsageError {}

/** A selection that leaves nothing must not look like a success. */
export function nothingToRerun(path: string, failed: number): NothingToRerun {
  return failed === 0
    ? new NothingToRerun(`--rerun-failed: every task run in ${path} passed`)
    : new NothingToRerun(
        `--rerun-failed: none of the task runs in ${path} that did not pass is in this plan`,
        'is it of another eval, or do --run, --runs or --label-selector leave them out?',
      );
}
