import type { FailureCategory } from '../../journal/task-run-events.js';
import type { Searchable } from './searchable.js';

/** Task runs that did not pass for the same reason, whichever tasks they are of. */
export interface FailureGroup {
  category: FailureCategory;
  message: string;
  /** Places in the columns. */
  rows: number[];
  /** Places of their tasks, without repetition. */
  tasks: number[];
}

/** Groups what did not pass: the reason that most task runs have comes first. */
export function failureGroups(
  { index: { taskRuns } }: Searchable,
  rows: readonly number[],
): FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  for (const row of rows) {
    const category = taskRuns.category[row];
    const task = taskRuns.task[row];
    // What was cancelled has no reason of its own.
    if (!category || category === 'cancelled' || task === undefined) continue;
    const message = taskRuns.message[row] ?? '';
    const key = JSON.stringify([category, message]);
    const group = groups.get(key) ?? { category, message, rows: [], tasks: [] };
    groups.set(key, group);
    group.rows.push(row);
    if (!group.tasks.includes(task)) group.tasks.push(task);
  }
  return [...groups.values()].sort((one, other) => other.rows.length - one.rows.length);
}

/** `callOrder 4, toolsUsed 1`: which assertions fail, the most frequent first. */
export function failingAssertions(
  groups: readonly FailureGroup[],
): [name: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { category, message, rows } of groups) {
    // As the verdict on a task run words it.
    const name = category === 'assertion-failed' ? /^(\w+):/.exec(message)?.[1] : undefined;
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + rows.length);
  }
  return [...counts].sort(([, one], [, other]) => other - one);
}
