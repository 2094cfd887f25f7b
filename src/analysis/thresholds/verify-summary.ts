import { plural } from '../../config/plural.js';
import { caveatsOf } from '../summary/caveats.js';
import type { Summary } from '../summary/summary.js';
import { assertionCheck, passHatKCheck, taskCheck } from './rate-checks.js';
import { costCheck, errorsCheck, tokensCheck } from './spending-checks.js';
import type { ThresholdCheck, Thresholds, Verification } from './thresholds.js';

/** Holds a summary against thresholds. Nothing passes that did not happen, or that nobody told. */
export function verifySummary(
  summary: Summary,
  thresholds: Thresholds,
  { allowUnfinished }: { allowUnfinished: boolean },
): Verification {
  const checks = checksOf(summary, thresholds);
  const { unfinished } = summary;
  const isWhole = allowUnfinished || unfinished.length === 0;
  const isJudged = summary.totals.rate.judged > 0;
  return {
    passed: isWhole && isJudged && checks.length > 0 && checks.every(({ holds }) => holds),
    thresholds: checks,
    confidence: thresholds.confidence ?? null,
    unfinished,
    caveats: [...caveatsOf(summary), ...leftOut(summary)],
  };
}

function leftOut({ totals: { outcomes } }: Summary): string[] {
  const count = outcomes.error + outcomes.cancelled;
  return count === 0 ? [] : [`${plural(count, 'task run')} could not be judged: not in the rates`];
}

function checksOf(summary: Summary, thresholds: Thresholds): ThresholdCheck[] {
  const { task, assertion, passHatK, maxCost, maxTokens, maxErrors, confidence } = thresholds;
  return [
    ...(task === undefined ? [] : [taskCheck(summary, task, confidence)]),
    ...(assertion === undefined ? [] : [assertionCheck(summary, assertion, confidence)]),
    ...passHatK.map((each) => passHatKCheck(summary, each, confidence)),
    ...(maxCost === undefined ? [] : [costCheck(summary, maxCost)]),
    ...(maxTokens === undefined ? [] : [tokensCheck(summary, maxTokens)]),
    ...(maxErrors === undefined
      ? tooManyErrors(summary)
      : [errorsCheck(summary, maxErrors, '--max-errors')]),
  ];
}

/** A rate over the few that could be judged says nothing of the rest. */
function tooManyErrors(summary: Summary): ThresholdCheck[] {
  const half = Math.floor(summary.totals.taskRuns / 2);
  const check = errorsCheck(summary, half, '--max-errors, not given');
  return check.holds ? [] : [check];
}
