import type { RunsDecided } from '../../../journal/run-events.js';
import { formatTaskName } from '../../../journal/task-run-events.js';
import type { TaskRun } from '../../../plan/plan.js';
import type { ResolvedOptions } from '../../../run/session/check-options.js';
import type { EvalInfo } from '../../../run/session/check-session.js';

/** What a check is going to do, as its display needs it. */
export interface PlanSummary {
  tasks: readonly TaskSummary[];
  /** Of all tasks together; at least, as long as some of them are open. */
  taskRuns: number;
  /** How many task runs of parallel tasks go on at once. */
  parallel: number;
}

/** A task; of a matrix, as one variant does it. */
export interface TaskSummary {
  /** In words: of a matrix, with the variant. */
  name: string;
  /** Name of the task alone: the same for all of its variants. */
  task: string;
  /** Task runs of it that belong to this check: of a shard, maybe not all. */
  runs: number;
  /** With `--runs auto`: there may be more, as it is not settled yet. */
  isOpen?: boolean;
  /** Why it is settled, if it is. */
  settled?: RunsDecided['settled'];
  difficulty?: string;
  labels: Readonly<Record<string, string>>;
  /** Runs beside others. */
  parallel: boolean;
}

function summarizeTasks(taskRuns: readonly TaskRun[]): TaskSummary[] {
  const byName = new Map<string, TaskSummary>();
  for (const { task, variant } of taskRuns) {
    const name = formatTaskName({ task: task.name, variant: variant?.name });
    const known = byName.get(name);
    if (known) known.runs += 1;
    else byName.set(name, { ...summarizeTask(task), name });
  }
  return [...byName.values()];
}

function summarizeTask({ name, difficulty, labels, parallel }: TaskRun['task']): TaskSummary {
  return {
    name,
    task: name,
    runs: 1,
    ...(difficulty !== undefined && { difficulty }),
    labels,
    parallel,
  };
}

/** Takes secrets out of a text, before it is cut: half of one would not be recognised. */
export type Redact = (text: string) => string;

/** Sums up what a check is going to do. */
export function summarizePlan(
  { selected, total }: Pick<EvalInfo['pending'], 'selected' | 'total'>,
  { plan, parallel }: Pick<ResolvedOptions, 'plan' | 'parallel'>,
): PlanSummary {
  return {
    tasks: summarizeTasks(selected).map((task) => ({
      ...task,
      ...(plan.autoRuns && { isOpen: true }),
    })),
    taskRuns: total,
    parallel,
  };
}
