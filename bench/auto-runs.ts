import { wilsonInterval } from '../src/base/statistics/intervals.js';
import { seededRandom } from '../src/base/statistics/permutation-tests.js';
import {
  computeInterval,
  countRunsAtLeast,
  fewestRuns,
  findSettledReason,
  needsAnother,
  type RunsRule,
  type RunTally,
} from '../src/plan/enough-runs.js';
import type { Benchmark } from './benchmark.js';
import { mixedRate } from './simulated-suites.js';

const tasks = 8;
const suites = 2000;
const widths = [0.3, 0.4, 0.5];

/** The same for all: as many as the least certain rate, one half, needs for this width. */
function fixedRuns(width: number): number {
  for (let runs = fewestRuns; ; runs++) {
    const { low, high } = wilsonInterval(runs / 2, runs) ?? { low: 0, high: 1 };
    if (high - low <= width) return runs;
  }
}

export const autoRuns: Benchmark = {
  name: 'auto-runs',
  measures: 'runs with --runs auto, worst of the widths above',
  against: 'the same number for every task, for intervals as narrow',
  unit: '% of them',
  budget: { atMost: 0.7 },
  // Drawn from a fixed seed: a second round would be the same.
  rounds: 1,
  async prepare() {
    return { measure: worstShare, measureBaseline: () => 100 };
  },
};

/** In percent of the runs that a fixed number would take. */
function worstShare(): number {
  const random = seededRandom(7);
  return Math.max(...widths.map((width) => shareOf(width, random)));
}

function shareOf(width: number, random: () => number): number {
  const fixed = fixedRuns(width);
  // None ends early: every interval is as narrow as with the fixed number.
  const rule = { width, most: fixed };
  let runs = 0;
  const coverage: Coverage[] = [];
  for (let task = 0; task < tasks; task++) {
    const rate = mixedRate(task);
    const held = { auto: 0, fixed: 0 };
    for (let suite = 0; suite < suites; suite++) {
      const tally = simulated(rule, rate, random);
      if (tally.judged < fewestRuns) throw new Error(`stopped after ${tally.judged} runs`);
      runs += tally.judged;
      if (holds(tally, rate)) held.auto++;
      if (holds(simulatedFixed(fixed, rate, random), rate)) held.fixed++;
    }
    coverage.push({ auto: held.auto / suites, fixed: held.fixed / suites });
  }
  const mean = (runs / tasks / suites).toFixed(1);
  console.log(
    `  auto runs, width ${width}: ${mean} runs a task in place of ${fixed}; intervals that hold the`,
    `true rate: ${coverageText(coverage, 'auto')}, with ${fixed} runs ${coverageText(coverage, 'fixed')}`,
  );
  return (100 * runs) / (suites * tasks * fixed);
}

/** How often the interval of a task holds its true rate. */
interface Coverage {
  auto: number;
  fixed: number;
}

function coverageText(coverage: readonly Coverage[], key: keyof Coverage): string {
  const shares = coverage.map((each) => 100 * each[key]);
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return `${mean.toFixed(1)}% (${Math.min(...shares).toFixed(1)}% of the worst task)`;
}

/** A task whose runs pass with a known chance, until it is settled. */
function simulated(rule: RunsRule, rate: number, random: () => number): RunTally {
  const tally = { passed: 0, judged: 0, unjudged: 0, running: 0 };
  while (needsAnother(rule, tally)) {
    tally.judged += 1;
    if (random() < rate) tally.passed += 1;
  }
  if (!findSettledReason(rule, tally)) throw new Error('it stopped and was not settled');
  if (countRunsAtLeast(rule, tally) !== tally.judged) throw new Error('it settled and needs more');
  return tally;
}

function simulatedFixed(runs: number, rate: number, random: () => number): RunTally {
  let passed = 0;
  for (let run = 0; run < runs; run++) if (random() < rate) passed += 1;
  return { passed, judged: runs, unjudged: 0, running: 0 };
}

function holds(tally: RunTally, rate: number): boolean {
  const { low, high } = computeInterval(tally) ?? { low: 0, high: 1 };
  return low <= rate && rate <= high;
}
