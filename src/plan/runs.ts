import type { Problems } from '../config/problem.js';
import { lineOf, type Origin } from './origin.js';
import type { Suite, SuiteTask } from './suite.js';

/** A plan is held in memory as a whole. */
const maxTaskRuns = 1_000_000;

/** How often a task runs: as the option says, the task, its task set, or once. */
export function runCountOf({ task, setRuns }: SuiteTask, override?: number): number {
  return override ?? task.runs ?? setRuns?.runs ?? 1;
}

export function runsOf(
  suite: Suite,
  entry: SuiteTask,
  override?: number,
): { count: number; from?: Origin } {
  const from = runsOrigin(suite, entry, override);
  return { count: runCountOf(entry, override), ...(from ? { from } : {}) };
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
