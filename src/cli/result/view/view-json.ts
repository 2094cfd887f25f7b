import { printableJson } from '../../../events/printable-json.js';
import type { PooledResults } from '../../../results/pooled-results.js';
import type { Output } from '../../io.js';
import { writeWhole } from '../../whole-output.js';
import { jsonOfAnyDepth } from '../json-of-any-depth.js';
import type { Selection, Shown } from './selection.js';

/** The records of the task runs that were asked for, as a list, one in memory at a time. */
export async function viewAsJson(
  results: PooledResults,
  { covers, matches }: Selection,
  output: Output,
): Promise<Shown> {
  let covered = 0;
  let shown = 0;
  for await (const { taskRun } of results.taskRuns()) {
    if (covers(taskRun)) covered += 1;
    if (!matches(taskRun)) continue;
    const json = printableJson(jsonOfAnyDepth(taskRun));
    await writeWhole(output, `${shown === 0 ? '[\n' : ',\n'}${json}`);
    shown += 1;
  }
  output.write(shown === 0 ? '[]\n' : '\n]\n');
  return { covered, shown };
}
