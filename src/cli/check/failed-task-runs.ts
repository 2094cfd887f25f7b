import { taskRunKey } from '../../events/task-run-key.js';
import { readTaskRuns } from '../../results/read-results.js';
import { UsageError } from '../exit-codes.js';
import { unreadableResults } from '../unreadable-results.js';

/** Keys of the task runs of a results file that did not pass. */
export async function failedTaskRuns(path: string): Promise<Set<string>> {
  const failed = new Set<string>();
  try {
    for await (const taskRun of readTaskRuns(path)) {
      if (taskRun.outcome !== 'passed') failed.add(taskRunKey(taskRun));
    }
  } catch (error) {
    throw unreadableResults(path, error);
  }
  return failed;
}

/** A selection that leaves nothing must not look like a success. */
export function nothingToRerun(path: string, failed: number): UsageError {
  return failed === 0
    ? new UsageError(`--rerun-failed: every task run in ${path} passed`)
    : new UsageError(
        `--rerun-failed: none of the task runs in ${path} that did not pass is in this plan`,
        'is it of another eval, or do --run, --runs or --label-selector leave them out?',
      );
}
