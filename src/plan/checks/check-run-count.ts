import type { Problems } from '../../config/problem.js';
import type { Suite } from '../suite.js';

/** A plan is held in memory as a whole. */
export const maxTaskRuns = 1_000_000;

/** Tasks and their runs must not add up to more than a plan can hold. */
export function checkRunCount({ eval: { source }, tasks }: Suite, problems: Problems): void {
  const total = tasks.reduce(
    (sum, { task, setRuns }) => sum + (task.runs ?? setRuns?.runs ?? 1),
    0,
  );
  if (total > maxTaskRuns) reportTooManyRuns(source, total, problems);
}

export function reportTooManyRuns(
  source: Suite['eval']['source'],
  total: number,
  problems: Problems,
): void {
  const message = `${total} task runs are more than one evaluation can have (${maxTaskRuns})`;
  problems.atKey(source, ['config', 'taskSets'], 'too-many-runs', message);
}
