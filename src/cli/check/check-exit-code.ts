import type { Outcome } from '../../events/task-run-events.js';
import type { RunEnd } from '../../reporters/reporter.js';
import type { ResultTotals } from '../../results/results-schema.js';
import type { EvaluationEnd } from '../../run/journal/run-recorder.js';
import { exitCodes } from '../exit-codes.js';

export function checkExitCode(
  { failure, interrupted }: EvaluationEnd,
  totals: ResultTotals,
  control: boolean,
): number {
  if (failure) return exitCodes.failed;
  if (interrupted) return exitCodes.interrupted;
  // Without an agent, a task run that failed is one that noticed.
  return isAll(control ? 'failed' : 'passed', totals) ? exitCodes.ok : exitCodes.failed;
}

export function exitReasonOf({ failure, interrupted, bailed, budget }: EvaluationEnd): RunEnd {
  if (failure) return 'broken';
  if (interrupted) return 'interrupted';
  if (bailed) return 'bailed';
  return budget ? 'budget' : 'finished';
}

/** Every task run that was planned had this outcome, and there is no other one. */
function isAll(outcome: Outcome, { planned, outcomes }: ResultTotals): boolean {
  const all = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  return outcomes[outcome] === planned && all === planned;
}
