import type { PooledResults } from '../../../results/read/pooled-results.js';
import type { ResultsFile } from '../../../results/results-file.js';
import type { TaskRunSoFar } from '../../../results/task-run-record.js';

/** Task runs that have begun and have no verdict, of every file that tells. */
export async function* openTaskRuns({
  files,
}: PooledResults): AsyncGenerator<{ file: ResultsFile; taskRun: TaskRunSoFar }> {
  for (const file of files) {
    for await (const taskRun of file.openTaskRuns?.() ?? []) yield { file, taskRun };
  }
}
