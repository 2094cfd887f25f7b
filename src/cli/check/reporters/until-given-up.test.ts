import { expect, it } from 'vitest';
import { resultsOf, taskRunRecord } from '../../../testing/task-run-records.js';
import { untilGivenUp } from './until-given-up.js';

it('ends the reading of results when it is given up', async () => {
  const givenUp = new AbortController();
  const read: number[] = [];
  const results = untilGivenUp(
    resultsOf([1, 2, 3].map((run) => taskRunRecord({ run }))),
    givenUp.signal,
  );
  const reading = async () => {
    for await (const { run } of results.taskRuns()) {
      read.push(run);
      if (run === 2) givenUp.abort(new Error('stopped'));
    }
  };
  await expect(reading()).rejects.toThrow('stopped');
  expect(read).toEqual([1, 2]);
});
