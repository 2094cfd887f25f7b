import type { TaskRunRecord } from '../../results/task-run-record.js';
import { boundedName } from './bounded-text.js';

/** Labels of a task, more than anybody gives it. */
const mostLabels = 50;

export function boundedLabels(labels: TaskRunRecord['labels']): Readonly<Record<string, string>> {
  const entries = Object.entries(labels).slice(0, mostLabels);
  return Object.fromEntries(
    entries.map(([key, value]) => [boundedName(key), boundedName(value)] as const),
  );
}
