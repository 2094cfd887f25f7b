import type { AgentIdentity } from '../journal/run-events.js';
import { sumJudgeUsage } from '../journal/usage.js';
import type { Recheck, RecheckedTaskRun } from '../results/recheck.js';
import { judgementChange, type Rejudgement } from '../results/rejudgement.js';

/** How many held, over all that was rechecked. */
export function recheckTotals({ taskRuns }: Recheck) {
  const assertions = taskRuns.flatMap((each) => each.assertions);
  return {
    taskRuns: taskRuns.length,
    unfinished: taskRuns.filter(({ unfinished }) => unfinished !== undefined).length,
    assertions: assertions.length,
    held: assertions.filter(({ passed }) => passed).length,
    /** Those that nobody can tell of, as the record is redacted. */
    unknown: assertions.filter(({ certainty }) => certainty === 'unknown').length,
  };
}

/** What the judge said, over all that it was asked again about. */
export function judgementTotals({ taskRuns, notJudged = 0 }: Recheck) {
  const judgements = taskRuns.flatMap((each) => each.judgements ?? []);
  const { usage = null, cost = null } = sumJudgeUsage(judgements);
  return {
    judgements: judgements.length,
    judgementsPassed: judgements.filter(({ passed }) => passed === true).length,
    judgementsWithoutVerdict: judgements.filter(({ passed }) => passed === null).length,
    notJudged,
    usage,
    cost,
  };
}

/** What `recheck -o json` prints; with a judge, if one was asked again. */
export function recheckAsData(recheck: Recheck, judge: AgentIdentity | undefined) {
  const { taskRuns, notInEval, notRecorded, nothingToCheck } = recheck;
  return {
    ...(judge && { judge }),
    taskRuns: taskRuns.map(({ changed, ...taskRun }) => taskRun),
    changed: taskRuns.flatMap((taskRun) => {
      const { task, variant, run } = taskRun;
      const which = { task, ...(variant !== undefined && { variant }), run };
      return changesOf(taskRun).map((change) => ({ ...which, ...change }));
    }),
    notInEval,
    notRecorded,
    nothingToCheck,
    totals: { ...recheckTotals(recheck), ...(judge && judgementTotals(recheck)) },
  };
}

function changesOf({ changed, judgements = [] }: RecheckedTaskRun): object[] {
  return [...changed, ...judgements.flatMap(judgementAsChange)];
}

function judgementAsChange(judgement: Rejudgement) {
  const change = judgementChange(judgement);
  if (change === undefined) return [];
  const { step, at, before = null, passed, reason } = judgement;
  return [{ name: 'llmJudge', step, change, at, before, after: { passed, reason } }];
}
