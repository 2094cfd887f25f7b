import { UsageError } from '../../base/errors.js';
import { wilsonInterval } from '../../base/statistics/intervals.js';
import { type Passes, passHatK } from '../../base/statistics/pass-at-k.js';
import { plural } from '../../base/text.js';
import type { TokenUsage } from '../../journal/usage.js';
import { listUnlikeCaveats } from '../judging-differences.js';
import { computeClusteredRate, countPasses, sumOutcomes } from '../pass-rates.js';
import { listCaveats } from '../summary/caveats.js';
import type { GroupSummary, Summary, TaskSummary } from '../summary/summary.js';
import {
  checkAtLeast,
  checkAtMost,
  makeNotApplicable,
  type ThresholdCheck,
  type Thresholds,
  type Verification,
} from './thresholds.js';

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

type Confidence = number | undefined;
/** Tasks of one variant, each once. */
type Tasks = readonly TaskSummary[];

function checkTasks(tasks: Tasks, limit: number, confidence: Confidence): ThresholdCheck {
  const passes = tasks.map(({ outcomes }) => countPasses(outcomes));
  const { passed, judged, found } = computeRateOver(passes, confidence);
  const note =
    judged === 0
      ? 'no task run was judged'
      : `${passed} of ${plural(judged, 'judged task run')} passed`;
  return checkAtLeast(
    { option: '--task', measure: nameMeasure('pass rate', confidence), limit },
    found,
    note,
  );
}

/**
 * Checks the rate of assertions that held. It does not apply to results without assertions. The rate is not
 * known if no task run was finished, or if assertions were checked and are not listed.
 */
function checkAssertions(tasks: Tasks, limit: number, confidence: Confidence): ThresholdCheck {
  const passes = tasks.map(({ assertions: { total, passed } }) => ({ passed, judged: total }));
  const { passed, judged, found } = computeRateOver(passes, confidence);
  const measure = nameMeasure('assertions that held', confidence);
  const threshold = { option: '--assertion', measure, limit };
  const unlisted = tasks.reduce((sum, { assertions }) => sum + assertions.unlisted, 0);
  if (unlisted > 0) {
    const runs = plural(unlisted, 'task run');
    return checkAtLeast(
      threshold,
      null,
      `${runs} without a list of the assertions that were checked`,
    );
  }
  if (judged === 0) {
    const isOver = tasks.some(({ outcomes }) => outcomes.passed + outcomes.failed > 0);
    return isOver
      ? makeNotApplicable(threshold, 'the results have no assertions')
      : checkAtLeast(threshold, null, 'no assertion was checked');
  }
  return checkAtLeast(threshold, found, `${passed} of ${plural(judged, 'assertion')} held`);
}

/**
 * Checks the mean of pass^k over all tasks with at least k judged runs. It is not known if more than a third of
 * the tasks have fewer.
 */
function checkPassHatK(
  tasks: Tasks,
  { k, rate: limit }: { k: number; rate: number },
  confidence: Confidence,
): ThresholdCheck {
  const all = tasks.map(({ outcomes }) => countPasses(outcomes));
  const enough = all.filter(({ judged }) => judged >= k);
  const few = all.length - enough.length;
  const measure = nameMeasure(`pass^${k}`, confidence);
  const threshold = { option: `--pass-hat-k ${k}`, measure, limit };
  if (enough.length === 0 || few > all.length / 3) {
    const note = `${few} of ${plural(all.length, 'task')} with fewer than ${plural(k, 'judged run')}`;
    return checkAtLeast(threshold, null, note);
  }
  const sum = enough.reduce((total, { passed, judged }) => total + passHatK(judged, passed, k), 0);
  const note = `mean over ${plural(enough.length, 'task')}${few > 0 ? `; ${few} with fewer runs left out` : ''}`;
  return checkAtLeast(threshold, computeMeanBound(sum, enough.length, confidence), note);
}

function nameMeasure(name: string, confidence: Confidence): string {
  return confidence === undefined ? name : `lower bound of ${name}`;
}

/** The rate over tasks, or its lower bound; runs of one task, and their assertions, belong together. */
function computeRateOver(tasks: readonly Passes[], confidence: Confidence) {
  const { passed, judged, rate, low } = computeClusteredRate(tasks, confidence);
  return { passed, judged, found: confidence === undefined ? rate : low };
}

/**
 * Lower bound of a mean of values from 0 to 1. No such value varies more than one that is always 0 or 1, so
 * Wilson's interval with each task as one trial is conservative.
 */
function computeMeanBound(sum: number, count: number, confidence: Confidence): number | null {
  if (confidence === undefined) return sum / count;
  return wilsonInterval(sum, count, confidence)?.low ?? null;
}

function checkCost({ totals: { amounts } }: Summary, limit: number): ThresholdCheck {
  const { cost, judge, untold } = amounts;
  const known = sumKnown([cost, judge.cost]);
  return checkSpending(
    { option: '--max-cost', measure: 'cost', unit: 'dollars', limit },
    known,
    untold.cost,
  );
}

function checkTokens({ totals: { amounts } }: Summary, limit: number): ThresholdCheck {
  const { usage, judge, untold } = amounts;
  const known = sumKnown([sumTokens(usage), sumTokens(judge.usage)]);
  return checkSpending(
    { option: '--max-tokens', measure: 'tokens', unit: 'tokens', limit },
    known,
    untold.usage,
  );
}

function checkErrors(
  { taskRuns, outcomes }: Pick<GroupSummary, 'taskRuns' | 'outcomes'>,
  limit: number,
  option: string,
): ThresholdCheck {
  const found = outcomes.error + outcomes.cancelled;
  const measure = 'task runs not judged';
  return checkAtMost({ option, measure, unit: 'task runs', limit }, found, `of ${taskRuns}`);
}

/** Checks a limit. If some amounts are not known, it is only certain if the known ones exceed the limit. */
function checkSpending(
  limit: Pick<ThresholdCheck, 'option' | 'measure' | 'unit' | 'limit'>,
  known: number | null,
  unknown: number,
): ThresholdCheck {
  if (known === null) return checkAtMost(limit, null, 'not reported by any task run');
  if (unknown === 0) return checkAtMost(limit, known, 'agents and judge');
  const note = `not reported by ${plural(unknown, 'task run')}`;
  return checkAtMost(limit, known > limit.limit ? known : null, note);
}

function sumTokens(usage: TokenUsage | null): number | null {
  return usage && usage.inputTokens + usage.outputTokens;
}

function sumKnown(amounts: readonly (number | null)[]): number | null {
  const known = amounts.filter((amount) => amount !== null);
  return known.length === 0 ? null : known.reduce((sum, amount) => sum + amount, 0);
}
