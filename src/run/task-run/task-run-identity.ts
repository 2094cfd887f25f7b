import { relative } from 'node:path';
import { formatTaskName, type TaskRunStarted } from '../../journal/task-run-events.js';
import type { PlannedTask } from '../../plan/plan.js';

export interface TaskRunIdentity {
  /** Its name in events. */
  id: string;
  task: PlannedTask;
  /** Of a matrix. */
  variant?: string | undefined;
  run: number;
  attempt: number;
  /** Who does it, where it is not the process of the check. */
  worker?: string;
}

/** How a task run is called in events: every attempt has a name of its own. */
export function taskRunName(
  { task, variant, run }: { task: string; variant?: string | undefined; run: number },
  attempt: number,
): string {
  return `${formatTaskName({ task, variant })}#${run}${attempt > 1 ? `.${attempt}` : ''}`;
}

/** The event that a task run begins with. */
export function startedEvent(
  { id, task, variant, run, attempt, worker }: TaskRunIdentity,
  workdir: string,
  random: TaskRunStarted['random'],
  evalFolder: string,
): TaskRunStarted {
  const { timeout, cleanupTimeout } = task.limits;
  return {
    type: 'task-run-started',
    taskRun: id,
    task: task.name,
    path: relative(evalFolder, task.definition.source.path),
    ...(variant !== undefined && { variant }),
    run,
    runs: task.runs.count,
    attempt,
    ...(worker !== undefined && { worker }),
    ...(task.difficulty !== undefined && { difficulty: task.difficulty }),
    labels: task.labels,
    workdir,
    random,
    ...(timeout && { timeoutMs: timeout.milliseconds }),
    ...(cleanupTimeout && { cleanupTimeoutMs: cleanupTimeout.milliseconds }),
    judging: task.judging,
  };
}
