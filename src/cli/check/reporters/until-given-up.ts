import type { ResultsFile } from '../../../results/results-file.js';

/** Results that nobody reads on when it is given up: whoever does takes back what is half written. */
export function untilGivenUp(results: ResultsFile, givenUp: AbortSignal): ResultsFile {
  return {
    ...results,
    async *taskRuns(options) {
      for await (const taskRun of results.taskRuns(options)) {
        givenUp.throwIfAborted();
        yield taskRun;
      }
    },
  };
}
