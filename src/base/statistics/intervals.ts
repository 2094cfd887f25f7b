import type { Passes } from './pass-at-k.js';

/** What a standard normal value does not exceed in such a share of all cases, from 0.5 to below 1. */
export function normalQuantile(share: number): number {
  let value = 0;
  // Newton's steps come from below and never go too far, as the distribution only flattens.
  for (let step = 0; step < 100; step += 1) {
    const next = value + (share - distribution(value)) / density(value);
    if (!(next > value)) break;
    value = next;
  }
  return value;
}

function density(value: number): number {
  return Math.exp(-(value ** 2) / 2) / Math.sqrt(2 * Math.PI);
}

/** By its series, all terms of which are positive: nothing is lost to rounding. */
function distribution(value: number): number {
  let term = value;
  let sum = value;
  for (let odd = 3; sum + term !== sum; odd += 2) {
    term *= value ** 2 / odd;
    sum += term;
  }
  return 0.5 + density(value) * sum;
}

/**
 * What Student's t with so many degrees of freedom stays under, in size, in 95 of 100 cases. By the
 * closed form of its distribution (Abramowitz and Stegun 26.7.3 and 26.7.4), and bisection.
 */
export function studentTQuantile(degrees: number): number {
  let low = 0;
  let high = 16;
  while (high - low > 1e-12 * high) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (shareWithin(middle, degrees) < 0.95) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The share of cases between -t and t. */
function shareWithin(t: number, degrees: number): number {
  const angle = Math.atan(t / Math.sqrt(degrees));
  const cosine = Math.cos(angle);
  const isOdd = degrees % 2 === 1;
  let term = isOdd ? cosine : 1;
  let sum = degrees === 1 ? 0 : term;
  for (let at = isOdd ? 3 : 2; at < degrees; at += 2) {
    term *= (cosine ** 2 * (at - 1)) / at;
    sum += term;
  }
  const half = Math.sin(angle) * sum;
  return isOdd ? (2 / Math.PI) * (angle + half) : half;
}

export interface Interval {
  low: number;
  high: number;
}

const usual = 0.95;
const usualQuantile = normalQuantile((1 + usual) / 2);

/**
 * Wilson's score interval of a proportion: it stays within 0 and 1, and says something of few trials
 * and of none that failed. Undefined without trials.
 */
export function wilsonInterval(
  successes: number,
  trials: number,
  confidence = usual,
): Interval | undefined {
  if (trials === 0) return undefined;
  const z = confidence === usual ? usualQuantile : normalQuantile((1 + confidence) / 2);
  const rate = successes / trials;
  const weight = z ** 2 / trials;
  const center = rate + weight / 2;
  const spread = z * Math.sqrt((rate * (1 - rate)) / trials + weight / (4 * trials));
  return {
    // The ends themselves: rounding must not take them away.
    low: successes === 0 ? 0 : (center - spread) / (1 + weight),
    high: successes === trials ? 1 : (center + spread) / (1 + weight),
  };
}

/**
 * Interval of the share of runs that passed, where the runs of one task belong
 * together: twenty runs of a task say less of the next task than twenty tasks do. Wilson's interval
 * for as many independent runs as these are worth. Undefined without runs.
 */
export function clusteredInterval(
  tasks: readonly Passes[],
  confidence = 0.95,
): Interval | undefined {
  const { passed, judged } = addUpPasses(tasks);
  if (judged === 0) return undefined;
  const worth = judged / designEffect(tasks.filter((task) => task.judged > 0));
  return wilsonInterval((passed / judged) * worth, worth, confidence);
}

/**
 * By how much the runs vary more than as many independent ones would: from 1 to the size of a task,
 * where all runs of a task end alike. A task that only passed and one that only failed are put
 * beside those seen, so that few tasks, or some that are all alike, do not look like certainty.
 */
function designEffect(tasks: readonly Passes[]): number {
  const { judged } = addUpPasses(tasks);
  if (tasks.length < 2) return 1;
  const size = judged / tasks.length;
  const padded = [...tasks, { passed: size, judged: size }, { passed: 0, judged: size }];
  const total = addUpPasses(padded);
  const rate = total.passed / total.judged;
  // A task with most of the runs draws the rate to itself: it is held against that of the others.
  const squares = padded.reduce((sum, task) => {
    const others = 1 - task.judged / total.judged;
    return sum + ((task.passed - rate * task.judged) / others) ** 2;
  }, 0);
  const seen = ((padded.length - 1) / padded.length) * squares;
  const independent = total.judged * rate * (1 - rate);
  const largest = tasks.reduce((sum, task) => sum + task.judged ** 2, 0) / judged;
  return Math.min(largest, Math.max(1, seen / independent));
}

function addUpPasses(tasks: readonly Passes[]): Passes {
  return tasks.reduce(
    (total, { passed, judged }) => ({
      passed: total.passed + passed,
      judged: total.judged + judged,
    }),
    { passed: 0, judged: 0 },
  );
}
