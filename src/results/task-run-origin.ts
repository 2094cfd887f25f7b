import type { ResultsHeader } from './results-header.js';
import type { TaskRunRecord } from './task-run-record.js';

/** Which run of which evaluation a task run is, wherever it has got to since. */
export interface TaskRunOrigin {
  id: string;
  task: string;
  variant: string | null;
  run: number;
}

/** Undefined if the results have no id. */
export function originOf(
  { id }: Pick<ResultsHeader, 'id'>,
  { task, variant, run, from }: Pick<TaskRunRecord, 'task' | 'variant' | 'run' | 'from'>,
): TaskRunOrigin | undefined {
  if (from) return { id: from.id, task, variant, run: from.run };
  return id === null ? undefined : { id, task, variant, run };
}
