import type { Outcome } from '../../journal/task-run-events.js';
import type { TaskSummary } from './summary.js';

export type TaskOutcome = Outcome | 'flaky';

/** The runs of a task in one word. One that could not be judged takes nothing from the others. */
export function taskOutcome({ outcomes, flaky }: TaskSummary): TaskOutcome {
  if (flaky) return 'flaky';
  if (outcomes.failed > 0) return 'failed';
  if (outcomes.timeout > 0) return 'timeout';
  if (outcomes.passed > 0) return 'passed';
  return outcomes.error > 0 ? 'error' : 'cancelled';
}
