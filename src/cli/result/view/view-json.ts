import { printableJson } from '../../../events/printable-json.js';
import type { PooledResults } from '../../../results/pooled-results.js';
import type { TaskRunSoFar } from '../../../results/task-run-record.js';
import type { Output } from '../../io.js';
import { writeWhole } from '../../whole-output.js';
import { jsonOfAnyDepth } from '../json-of-any-depth.js';
import { openTaskRuns } from './open-task-runs.js';
import type { Selection, Shown } from './selection.js';

/** The records of the task runs that were asked for, as a list, one in memory at a time. */
export async function viewAsJson(
  results: PooledResults,
  { isNarrow, covers, matches }: Selection,
  output: Output,
): Promise<Shown> {
  let covered = 0;
  let shown = 0;
  const show = async (taskRun: TaskRunSoFar) => {
    const json = printableJson(jsonOfAnyDepth(taskRun));
    await writeWhole(output, `${shown === 0 ? '[\n' : ',\n'}${json}`);
    shown += 1;
  };
  for await (const { taskRun } of results.taskRuns()) {
    if (covers(taskRun)) covered += 1;
    if (matches(taskRun)) await show(taskRun);
  }
  for await (const { taskRun } of openTaskRuns(results)) {
    if (!isNarrow || !matches(taskRun)) continue;
    covered += 1;
    await show(taskRun);
  }
  output.write(shown === 0 ? '[]\n' : '\n]\n');
  return { covered, shown };
}
