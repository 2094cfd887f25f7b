import type { CheckOptions } from '../check-options.js';
import { type PlanSummary, taskSummaries } from './plan-summary.js';
import type { WorkToDo } from './work-to-do.js';

/** What there is to do, as people are told. */
export function summarizedPlan(
  { selected, total }: Pick<WorkToDo, 'selected' | 'total'>,
  { plan, parallel }: Pick<CheckOptions, 'plan' | 'parallel'>,
): PlanSummary {
  return {
    tasks: taskSummaries(selected).map((each) => ({
      ...each,
      ...(plan.autoRuns && { isOpen: true }),
    })),
    taskRuns: total,
    parallel,
  };
}
