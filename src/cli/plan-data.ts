import { formatDuration } from '../base/duration.js';
import { countFirstRuns, type Plan, type PlannedTask, type PlanOptions } from '../plan/plan.js';
import type { TaskTimeout } from '../plan/task-settings.js';

/** The plan as `list -o json` prints it. */
export function planAsData(plan: Plan, { shard, autoRuns }: PlanOptions) {
  const { name, file, tasks, variants, taskRuns, cut } = plan;
  return {
    eval: { name, file },
    ...(shard ? { shard: `${shard.index}/${shard.of}` } : {}),
    ...(cut ? { cut } : {}),
    totals: {
      tasks: tasks.length,
      taskRuns: taskRuns.length,
      ...(autoRuns ? { taskRunsUpTo: countFirstRuns(taskRuns) * autoRuns.most } : {}),
      sequential: taskRuns.filter((run) => !run.parallel).length,
      parallel: taskRuns.filter((run) => run.parallel).length,
    },
    ...(variants.length > 0 && { variants: variants.map(({ name }) => name) }),
    tasks: tasks.map(taskData),
    taskRuns: taskRuns.map(({ task, run, parallel, variant }) => ({
      task: task.name,
      ...(variant && { variant: variant.name }),
      run,
      runs: task.runs.count,
      mode: parallel ? 'parallel' : 'sequential',
    })),
  };
}

function taskData(task: PlannedTask) {
  return {
    task: task.name,
    path: task.file,
    difficulty: task.difficulty ?? null,
    labels: task.labels,
    mode: task.parallel ? 'parallel' : 'sequential',
    runs: task.runs.count,
    ...(task.runs.upTo === undefined ? {} : { runsUpTo: task.runs.upTo }),
    runsFrom: task.runs.from ?? null,
    limits: {
      timeout: limitData(task.limits.timeout),
      cleanupTimeout: limitData(task.limits.cleanupTimeout),
    },
    assertions: task.assertions,
  };
}

function limitData(limit: TaskTimeout | undefined) {
  if (!limit) return null;
  const { milliseconds, from } = limit;
  return { value: formatDuration(milliseconds), milliseconds, from };
}
