import { plural } from '../../base/text.js';
import { sumOutcomes } from '../pass-rates.js';
import { listCaveats } from '../summary/caveats.js';
import type { Summary, TaskSummary } from '../summary/summary.js';
import {
  checkAssertions,
  checkCost,
  checkErrors,
  checkPassHatK,
  checkTasks,
  checkTokens,
} from './threshold-checks.js';
import type { ThresholdCheck, Thresholds, Verification } from './thresholds.js';

/** Holds a summary against thresholds. Nothing passes that did not happen, or that nobody told. */
export function verifySummary(
  summary: Summary,
  thresholds: Thresholds,
  { allowUnfinished }: { allowUnfinished: boolean },
): Verification {
  const checks = runChecks(summary, thresholds);
  const { unfinished } = summary;
  const isWhole = allowUnfinished || unfinished.length === 0;
  const isJudged = summary.totals.rate.judged > 0;
  return {
    passed: isWhole && isJudged && checks.length > 0 && checks.every(({ holds }) => holds),
    thresholds: checks,
    confidence: thresholds.confidence ?? null,
    unfinished,
    caveats: [...listCaveats(summary), ...describeNotJudged(summary)],
  };
}

function describeNotJudged({ totals: { outcomes } }: Summary): string[] {
  const count = outcomes.error + outcomes.cancelled;
  return count === 0 ? [] : [`${plural(count, 'task run')} could not be judged: not in the rates`];
}

function runChecks(summary: Summary, thresholds: Thresholds): ThresholdCheck[] {
  const { task, assertion, passHatK, maxCost, maxTokens, maxErrors, confidence } = thresholds;
  const parts = splitByVariant(summary);
  const each = (check: (tasks: readonly TaskSummary[]) => ThresholdCheck) =>
    parts.map(({ variant, tasks }) => ({ ...check(tasks), variant }));
  return [
    ...(task === undefined ? [] : each((tasks) => checkTasks(tasks, task, confidence))),
    ...(assertion === undefined
      ? []
      : each((tasks) => checkAssertions(tasks, assertion, confidence))),
    ...passHatK.flatMap((wanted) => each((tasks) => checkPassHatK(tasks, wanted, confidence))),
    ...(maxCost === undefined ? [] : [checkCost(summary, maxCost)]),
    ...(maxTokens === undefined ? [] : [checkTokens(summary, maxTokens)]),
    ...(maxErrors === undefined
      ? checkDefaultErrorLimit(summary)
      : [checkErrors(summary.totals, maxErrors, '--max-errors')]),
  ];
}

/** A rate over the few that could be judged says nothing of the rest. */
function checkDefaultErrorLimit(summary: Summary): ThresholdCheck[] {
  return splitByVariant(summary).flatMap(({ variant, tasks }) => {
    const taskRuns = tasks.reduce((sum, task) => sum + task.taskRuns, 0);
    const outcomes = sumOutcomes(tasks.map((task) => task.outcomes));
    const half = Math.floor(taskRuns / 2);
    const check = checkErrors({ taskRuns, outcomes }, half, '--max-errors, not given');
    return check.holds ? [] : [{ ...check, variant }];
  });
}

interface Part {
  variant: string | null;
  tasks: TaskSummary[];
}

/** What a rate has to hold for on its own: an average would hide a variant that does badly. */
function splitByVariant({ tasks, sources, reruns, shard }: Summary): Part[] {
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
