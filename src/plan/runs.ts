import type { Problems } from '../config/problems/problem.js';
import { fewestRuns, type RunsRule } from './enough-runs.js';
import { lineOf, type Origin } from './origin.js';
import type { Suite, SuiteTask } from './suite.js';

/** How often a task runs, and who says so. */
export interface PlannedRuns {
  /** With `--runs auto`, at least. */
  count: number;
  /** With `--runs auto`: at most. */
  upTo?: number;
  from?: Origin;
}

/** A plan is held in memory as a whole. */
const maxTaskRuns = 1_000_000;

/** How often a task runs: as the option says, the task, its task set, or once. */
export function runCountOf({ task, setRuns }: SuiteTask, override?: number): number {
  return override ?? task.runs ?? setRuns?.runs ?? 1;
}

export function runsOf(
  suite: Suite,
  entry: SuiteTask,
  { runs: override, autoRuns }: { runs?: number; autoRuns?: RunsRule },
): PlannedRuns {
  if (autoRuns) {
    return { count: fewestRuns, upTo: autoRuns.most, from: { option: '--runs auto' } };
  }
  const from = runsOrigin(suite, entry, override);
  return { count: runCountOf(entry, override), ...(from ? { from } : {}) };
}

/** With `--runs auto`: the runs of a task that there will be in any case, from its first. */
export function firstRuns<Run extends { task: { runs: PlannedRuns } }>(
  first: Run,
): (Run & { run: number })[] {
  return Array.from({ length: first.task.runs.count }, (_, index) => ({
    ...first,
    run: index + 1,
  }));
}

function runsOrigin(
  { eval: { source } }: Suite,
  { task, setRuns }: SuiteTask,
  override?: number,
): Origin | undefined {
  if (override !== undefined) return { option: '--runs' };
  if (task.runs !== undefined) return lineOf(task.source, ['metadata', 'runs']);
  return setRuns && lineOf(source, setRuns.path);
}

/** Whether a plan can hold so many task runs; if not, that is reported. */
export function checkTotalRuns({ eval: { source } }: Suite, total: number, problems: Problems) {
  if (total <= maxTaskRuns) return true;
  const message = `${total} task runs are more than one evaluation can have (${maxTaskRuns})`;
  problems.atKey(source, ['config', 'taskSets'], 'too-many-runs', message);
  return false;
}
