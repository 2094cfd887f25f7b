import { ContradictingResults } from '../results-errors.js';
import type { MergeTaskRun } from './merge-input.js';
import { readTaskRun } from './merge-task-run-text.js';

/**
 * Each run of each evaluation once: in its latest attempt. Throws ContradictingResults where it is
 * told in two ways.
 */
export async function mergedTaskRuns(
  taskRuns: Iterable<MergeTaskRun>,
): Promise<Iterable<MergeTaskRun>> {
  const byOrigin = new Map<string, MergeTaskRun>();
  for (const taskRun of taskRuns) {
    const { task, variant } = taskRun.summary;
    const key = JSON.stringify([taskRun.from.id, task, variant, taskRun.from.run]);
    const known = byOrigin.get(key);
    byOrigin.set(key, known ? await chosen(known, taskRun) : taskRun);
  }
  return byOrigin.values();
}

async function chosen(one: MergeTaskRun, other: MergeTaskRun): Promise<MergeTaskRun> {
  if (one.attempt !== other.attempt) return one.attempt > other.attempt ? one : other;
  const [left, right] = [await readTaskRun(one), await readTaskRun(other)];
  if (left.content !== right.content) {
    const { summary, from } = one;
    throw new ContradictingResults({ task: summary.task, run: from.run }, told(one), told(other));
  }
  // They say the same in other words, such as other spaces: which it is must not be for the order.
  return left.body <= right.body ? one : other;
}

function told({ file, summary }: MergeTaskRun) {
  return { path: file.path, outcome: summary.outcome };
}
