import { formatProblem, planEval, type RunOptions, runEval, type TaskRunRecord } from 'mcp-proctor';
import { beforeAll, describe, expect, it } from 'vitest';

interface DescribeOptions extends RunOptions {
  /** How long all tasks together may take, in milliseconds. Then the rest is cancelled, and its tests fail. */
  timeout?: number;
}

/** For stopping and cleaning up after the timeout. */
const grace = 60_000;

/** Defines a test for each task of an eval. It passes if every run of the task passes. */
export async function describeEval(path: string, options: DescribeOptions = {}): Promise<void> {
  const { timeout = 10 * 60_000, ...runOptions } = options;
  const { plan, problems } = await planEval(path, runOptions);
  if (!plan) throw new Error(problems.map(formatProblem).join('\n'));

  describe(plan.name, () => {
    const taskRuns: TaskRunRecord[] = [];

    beforeAll(async () => {
      const run = await runEval(path, { ...runOptions, signal: AbortSignal.timeout(timeout) });
      for await (const taskRun of run.taskRuns()) taskRuns.push(taskRun);
    }, timeout + grace);

    for (const { name } of plan.tasks) {
      it(name, () => {
        const runs = taskRuns.filter(({ task }) => task === name);
        const reasons = runs.flatMap(explainFailure);
        if (reasons.length > 0) expect.fail(reasons.join('\n'));
        expect(runs, 'the task was not run').not.toEqual([]);
      });
    }
  });
}

/** Why a task run did not pass; empty if it did. */
function explainFailure({ run, runs, variant, outcome, failure }: TaskRunRecord): string[] {
  if (outcome === 'passed') return [];
  const who = variant === null ? '' : ` [${variant}]`;
  return [`run ${run} of ${runs}${who}: ${outcome}: ${failure?.message ?? 'no reason is known'}`];
}
