import type { Recheck } from '../results/recheck.js';

/** How many held, over all that was rechecked. */
export function recheckTotals({ taskRuns }: Recheck) {
  const assertions = taskRuns.flatMap((each) => each.assertions);
  return {
    taskRuns: taskRuns.length,
    unfinished: taskRuns.filter(({ unfinished }) => unfinished !== undefined).length,
    assertions: assertions.length,
    held: assertions.filter(({ passed }) => passed).length,
  };
}

/** What `recheck -o json` prints. */
export function recheckAsData(recheck: Recheck) {
  const { taskRuns, notInEval, notRecorded, nothingToCheck } = recheck;
  return {
    taskRuns: taskRuns.map(({ changed, ...taskRun }) => taskRun),
    changed: taskRuns.flatMap(({ task, run, changed }) =>
      changed.map((change) => ({ task, run, ...change })),
    ),
    notInEval,
    notRecorded,
    nothingToCheck,
    totals: recheckTotals(recheck),
  };
}
