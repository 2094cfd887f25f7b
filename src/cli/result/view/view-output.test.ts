import { expect, it } from 'vitest';
import { resultsHeader, taskRunRecord } from '../../../../testing/task-run-records.js';
import type { PooledResults } from '../../../results/read/pooled-results.js';
import type { Output } from '../../terminal/output.js';
import { printAsJson } from './view-json.js';
import { createLook } from './view-options.js';
import { printAsText } from './view-text.js';

const selection = { isNarrow: true, covers: () => true, matches: () => true };

function resultsOf(taskRuns: number): PooledResults {
  const records = Array.from({ length: taskRuns }, (_, index) => taskRunRecord({ run: index + 1 }));
  const file = {
    path: 'out.json',
    header: resultsHeader(),
    leftOut: () => ({ count: 0, parts: [] }),
    async *taskRuns() {
      yield* records;
    },
  };
  return {
    files: [file],
    async *taskRuns() {
      for (const taskRun of records) yield { file, taskRun };
    },
  };
}

/** Somebody who reads slowly: what was written waits until it is asked for. */
class SlowReader implements Output {
  readonly isTerminal = false;
  mostWaiting = 0;
  #waiting = 0;

  write(text: string): void {
    this.#waiting += text.length;
    this.mostWaiting = Math.max(this.mostWaiting, this.#waiting);
  }

  afterLastWrite(callback: () => void): void {
    setImmediate(() => {
      this.#waiting = 0;
      callback();
    });
  }
}

const look = createLook(
  { stdout: new SlowReader(), stderr: new SlowReader(), environment: {} },
  { maxEvents: 40, maxLines: 6, maxLineLength: undefined, hasTimeline: true },
);

it.each([
  ['as text', (of: PooledResults, to: Output) => printAsText(of, selection, to, look)],
  ['as data', (of: PooledResults, to: Output) => printAsJson(of, selection, to)],
])('%s, task runs do not pile up in memory for a slow reader', async (_, show) => {
  const [few, many] = [new SlowReader(), new SlowReader()];
  await show(resultsOf(3), few);
  await show(resultsOf(300), many);
  expect(few.mostWaiting).toBeGreaterThan(100);
  expect(many.mostWaiting).toBeLessThan(2 * few.mostWaiting);
});
