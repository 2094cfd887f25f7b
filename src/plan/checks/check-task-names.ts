import type { Task } from '../../config/files/task-file.js';
import type { Problems } from '../../config/problems/problem.js';
import { unnamed } from '../../config/problems/repair.js';
import type { Suite } from '../suite.js';

/** Results are told apart by the names of tasks. */
export function checkTaskNames({ tasks }: Suite, problems: Problems): void {
  const first = new Map<string, Task>();
  for (const { task } of tasks) {
    if (task.name === unnamed) continue;
    const other = first.get(task.name);
    if (!other) {
      first.set(task.name, task);
      continue;
    }
    const message = `another task has the name ${task.name} too`;
    const at = ['metadata', 'name'];
    const hint = `the other one is ${other.source.name}`;
    problems.atValue(task.source, at, 'duplicate-task-name', message, hint);
  }
}
