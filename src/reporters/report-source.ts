import type { PooledResults } from '../results/pooled-results.js';
import type { ResultsFile } from '../results/results-file.js';

/** One file, for what takes several. */
export function sourceOf(file: ResultsFile): PooledResults {
  return {
    files: [file],
    async *taskRuns(options) {
      for await (const taskRun of file.taskRuns(options)) yield { file, taskRun };
    },
  };
}

/** What the results are called where there are several. */
export function nameOf({ header, path }: ResultsFile): string {
  return header.eval?.name || path;
}
