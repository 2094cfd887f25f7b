import { type Interval, wilsonInterval } from '../base/statistics/intervals.js';

/** When a task has run often enough, with `--runs auto`. */
export interface RunsRule {
  /** How wide the 95 % interval of its pass rate may be: from its lower to its upper end. */
  width: number;
  /** So many runs are enough in any case, whatever came of them. */
  most: number;
}

/** Fewer say nothing, however much they agree. */
export const fewestRuns = 3;
export const defaultRunsRule: RunsRule = { width: 0.4, most: 20 };

/** What is known of the runs of a task. */
export interface RunTally {
  passed: number;
  /** Task runs that passed, failed or reached their limit. */
  judged: number;
  /** Task runs that ended without a verdict on the agent. */
  unjudged: number;
  /** Task runs that are under way. */
  running: number;
}

/** Why a task needs no more runs; undefined while it does, or while one of them could still change that. */
export function findSettledReason(rule: RunsRule, tally: RunTally): 'width' | 'max' | undefined {
  if (tally.running > 0) return undefined;
  if (isNarrow(rule, tally.passed, tally.judged)) return 'width';
  return countBegun(tally) >= rule.most ? 'max' : undefined;
}

/**
 * Whether another run is needed whatever those under way will say. So no run is started that turns out
 * to be one too many, and there are as many in the end as if they had run one after the other.
 */
export function needsAnother(rule: RunsRule, tally: RunTally): boolean {
  return countBegun(tally) < rule.most && !canBeNarrow(rule, tally, tally.running);
}

/**
 * How many runs there will be at least: if all that come agree with most of those before. It never gets
 * less, so a number that was known before saves looking below it.
 */
export function countRunsAtLeast(rule: RunsRule, tally: RunTally, known = 0): number {
  const ended = tally.judged + tally.unjudged;
  let more = Math.max(tally.running, known - ended);
  while (ended + more < rule.most && !canBeNarrow(rule, tally, more)) more++;
  return ended + more;
}

/**
 * How little is known of a task: the width of its interval, if those under way come out as those before
 * did. Without any it is as if half of them passed.
 */
export function measureUncertainty({ passed, judged, running }: RunTally): number {
  const rate = judged === 0 ? 1 / 2 : passed / judged;
  return measureWidth(rate * (judged + running), judged + running);
}

export function computeInterval({ passed, judged }: RunTally): Interval | undefined {
  return wilsonInterval(passed, judged);
}

/** The interval is narrowest if all that is to come agrees, and then every run makes it narrower. */
function canBeNarrow(rule: RunsRule, { passed, judged }: RunTally, more: number): boolean {
  const all = judged + more;
  return isNarrow(rule, passed, all) || isNarrow(rule, passed + more, all);
}

function isNarrow({ width }: RunsRule, passed: number, judged: number): boolean {
  return judged >= fewestRuns && measureWidth(passed, judged) <= width;
}

/** The width of the interval; without any run it is the whole range from 0 to 1. */
function measureWidth(passed: number, judged: number): number {
  const { low, high } = wilsonInterval(passed, judged) ?? { low: 0, high: 1 };
  return high - low;
}

function countBegun({ judged, unjudged, running }: RunTally): number {
  return judged + unjudged + running;
}
