import { UsageError } from '../../base/errors.js';
import { plural } from '../../base/text.js';
import { listUnlikeCaveats } from '../judging-differences.js';
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

/** Throws UsageError if the files of a summary judge their tasks differently: their rates cannot be put together. */
export function refuseUnlikeFiles({ unlikeJudging }: Summary): void {
  const unlike = unlikeJudging.filter(({ betweenFiles }) => betweenFiles);
  if (unlike.length === 0) return;
  const message = `these files are not one sample: ${listUnlikeCaveats(unlike).join('; ')}`;
  throw new UsageError(message, 'verify each alone, or merge them with --force');
}

/** Checks a summary against thresholds. What is missing or not known does not pass. */
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
  const checkEach = (check: (tasks: readonly TaskSummary[]) => ThresholdCheck) =>
    parts.map(({ variant, tasks }) => ({ ...check(tasks), variant }));
  return [
    ...(task === undefined ? [] : checkEach((tasks) => checkTasks(tasks, task, confidence))),
    ...(assertion === undefined
      ? []
      : checkEach((tasks) => checkAssertions(tasks, assertion, confidence))),
    ...passHatK.flatMap((wanted) => checkEach((tasks) => checkPassHatK(tasks, wanted, confidence))),
    ...(maxCost === undefined ? [] : [checkCost(summary, maxCost)]),
    ...(maxTokens === undefined ? [] : [checkTokens(summary, maxTokens)]),
    ...(maxErrors === undefined
      ? checkDefaultErrorLimit(summary)
      : [checkErrors(summary.totals, maxErrors, '--max-errors')]),
  ];
}

/** Without --max-errors, at most half of the task runs may be errors: otherwise rates say little. */
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

/** Splits tasks by variant: each has to meet a rate, as an average would hide a bad variant. */
function splitByVariant({ tasks, sources, reruns, shard }: Summary): Part[] {
  const found = new Set(tasks.map(({ variant }) => variant));
  // A variant without task runs has no rate, and does not pass; reruns and a single shard need not have all.
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
