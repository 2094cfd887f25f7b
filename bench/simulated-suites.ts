import { decideTaskVerdicts, type Sides } from '../src/analysis/diff/task-verdicts.js';
import { decideTotalVerdict } from '../src/analysis/diff/total-verdict.js';
import type { Passes } from '../src/base/statistics/pass-at-k.js';

/** A suite whose tasks pass with known chances, so that it is known whether an alarm is false. */
export interface SimulatedSuite {
  tasks: number;
  /** Of every task, on each side. */
  runs: { base: number; current: number };
  /** Chance of a task to pass, from its place. */
  rate(task: number): number;
  /** The same on the other side. */
  rateNow(task: number): number;
}

/** Tasks as suites have them: some never fail, some seldom, some toss a coin. */
export function mixedRate(task: number): number {
  return [0.3, 0.5, 0.7, 0.85, 0.9, 0.95, 0.99, 1][task % 8] ?? 1;
}

/** Of so many comparisons, the percentage that the gate of `diff` stops. */
export function stoppedPercentage(
  suite: SimulatedSuite,
  comparisons: number,
  random: () => number,
): number {
  let stopped = 0;
  for (let comparison = 0; comparison < comparisons; comparison++) {
    if (isStopped(drawn(suite, random))) stopped++;
  }
  return (100 * stopped) / comparisons;
}

function isStopped(tasks: readonly Sides[]): boolean {
  return [decideTotalVerdict(tasks), ...decideTaskVerdicts(tasks)].some(
    ({ verdict }) => verdict === 'regression',
  );
}

function drawn({ tasks, runs, rate, rateNow }: SimulatedSuite, random: () => number): Sides[] {
  return Array.from({ length: tasks }, (_, task) => ({
    base: passesOf(runs.base, rate(task), random),
    current: passesOf(runs.current, rateNow(task), random),
  }));
}

export function passesOf(judged: number, rate: number, random: () => number): Passes {
  let passed = 0;
  for (let run = 0; run < judged; run++) if (random() < rate) passed++;
  return { passed, judged };
}
