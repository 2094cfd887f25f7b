import { exitCodes } from '../../base/errors.js';
import type { Outcome } from '../../journal/task-run-events.js';
import type { RunEndReason } from '../../reporters/reporter.js';
import type { ResultTotals } from '../../results/schema/results-schema.js';
import type { StopCauses } from '../journal/run-recorder.js';
import type { EvalResult, EvalStatus } from './check-events.js';

/** The exit code of a whole check: an interruption counts first, then whatever did not pass. */
export function decideExitCode(results: readonly EvalResult[], isInterrupted: boolean): number {
  const has = (...statuses: EvalStatus[]) =>
    results.some(({ status }) => statuses.includes(status));
  if (has('interrupted') || (isInterrupted && has('not-run'))) return exitCodes.interrupted;
  return has('failed', 'not-run') ? exitCodes.failed : exitCodes.ok;
}

/** The status of an eval that was run, with the exit code that it would have alone. */
export function decideStatus(
  { failure, interrupted }: StopCauses,
  totals: ResultTotals,
  control: boolean,
): { status: EvalStatus; exitCode: number } {
  if (failure) return { status: 'failed', exitCode: exitCodes.failed };
  if (interrupted) return { status: 'interrupted', exitCode: exitCodes.interrupted };
  // Without an agent, a task run that failed is one that noticed.
  return hasOnly(control ? 'failed' : 'passed', totals)
    ? { status: 'passed', exitCode: exitCodes.ok }
    : { status: 'failed', exitCode: exitCodes.failed };
}

export function decideEndReason({
  failure,
  interrupted,
  bailed,
  budget,
}: StopCauses): RunEndReason {
  if (failure) return 'broken';
  if (interrupted) return 'interrupted';
  if (bailed) return 'bailed';
  return budget ? 'budget' : 'finished';
}

/** Whether every task run that was planned had this outcome, and there is no other one. */
function hasOnly(outcome: Outcome, { planned, outcomes }: ResultTotals): boolean {
  const all = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  return outcomes[outcome] === planned && all === planned;
}
