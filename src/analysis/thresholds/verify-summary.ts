import { plural } from '../../base/text.js';
import { sumOfOutcomes } from '../pass-rates.js';
import { caveatsOf } from '../summary/caveats.js';
import type { Summary, TaskSummary } from '../summary/summary.js';
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
  const parts = partsOf(summary);
  const each = (check: (tasks: readonly TaskSummary[]) => ThresholdCheck) =>
    parts.map(({ variant, tasks }) => ({ ...check(tasks), variant }));
  return [
    ...(task === undefined ? [] : each((tasks) => taskCheck(tasks, task, confidence))),
    ...(assertion === undefined
      ? []
      : each((tasks) => assertionCheck(tasks, assertion, confidence))),
    ...passHatK.flatMap((wanted) => each((tasks) => passHatKCheck(tasks, wanted, confidence))),
    ...(maxCost === undefined ? [] : [costCheck(summary, maxCost)]),
    ...(maxTokens === undefined ? [] : [tokensCheck(summary, maxTokens)]),
    ...(maxErrors === undefined
      ? tooManyErrors(summary)
      : [errorsCheck(summary.totals, maxErrors, '--max-errors')]),
  ];
}

/** A rate over the few that could be judged says nothing of the rest. */
function tooManyErrors(summary: Summary): ThresholdCheck[] {
  return partsOf(summary).flatMap(({ variant, tasks }) => {
    const taskRuns = tasks.reduce((sum, task) => sum + task.taskRuns, 0);
    const outcomes = sumOfOutcomes(tasks.map((task) => task.outcomes));
    const half = Math.floor(taskRuns / 2);
    const check = errorsCheck({ taskRuns, outcomes }, half, '--max-errors, not given');
    return check.holds ? [] : [{ ...check, variant }];
  });
}

interface Part {
  variant: string | null;
  tasks: TaskSummary[];
}

/** What a rate has to hold for on its own: an average would hide a variant that does badly. */
function partsOf({ tasks, sources, reruns, shard }: Summary): Part[] {
  const found = new Set(tasks.map(({ variant }) => variant));
  // One that never came to its turn has no rate, and does not pass. Of re-runs it need not have any, nor
  // of a shard that somebody looks at alone.
  const isPart = shard !== null || (reruns !== null && !reruns.leftOut);
  if (!isPart) {
    for (const { name } of sources.flatMap(({ variants }) => variants)) found.add(name);
  }
  if (found.size === 0) return [{ variant: null, tasks: [] }];
  return [...found].map((variant) => ({
    variant,
    tasks: tasks.filter((task) => task.variant === variant),
  }));
}
