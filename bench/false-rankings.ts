import { comparePairs, isDistinguishable } from '../src/analysis/compare/variant-pairs.js';
import { seededRandom } from '../src/base/statistics/permutation-tests.js';
import type { Benchmark } from './benchmark.js';
import { mixedRate, passesOf } from './simulated-suites.js';

/** Comparisons of variants that are all alike, in which `compare` finds a difference between any two, in percent. */
const promised = 5;

interface Shape {
  variants: number;
  tasks: number;
  /** Of every task; of the variants in turn. */
  runs: readonly number[];
  comparisons: number;
}

const shapes: readonly Shape[] = [
  { variants: 2, tasks: 30, runs: [10], comparisons: 2000 },
  { variants: 4, tasks: 30, runs: [10], comparisons: 2000 },
  { variants: 8, tasks: 30, runs: [5], comparisons: 1000 },
  { variants: 4, tasks: 9, runs: [20], comparisons: 2000 },
  { variants: 6, tasks: 40, runs: [1], comparisons: 2000 },
  // Where variants have different numbers of runs, flipping signs alone would not keep it.
  { variants: 3, tasks: 12, runs: [5, 20, 5], comparisons: 200 },
];

const rates = {
  'mixed rates': mixedRate,
  'all 50%': () => 0.5,
  'all 95%': () => 0.95,
};

export const falseRankings: Benchmark = {
  name: 'false-rankings',
  measures: 'comparisons of like variants that find a difference, worst of the matrices above',
  against: 'promised',
  unit: '%',
  budget: { atMost: 1 },
  // Drawn from a fixed seed: a second round would be the same.
  rounds: 1,
  async prepare() {
    return { measure: worstFalseRankings, measureBaseline: () => promised };
  },
};

function worstFalseRankings(): number {
  const random = seededRandom(1);
  let worst = 0;
  for (const shape of shapes) {
    const row = Object.entries(rates).map(([name, rate]) => {
      const percentage = distinguishedPercentage(shape, rate, random);
      worst = Math.max(worst, percentage);
      return `${name} ${percentage.toFixed(2)}%`;
    });
    const { variants, tasks, runs } = shape;
    const suite = `${variants} variants, ${tasks} tasks x ${[...new Set(runs)].join(' or ')} runs`;
    console.log(`  false rankings, ${suite}: ${row.join(', ')}`);
  }
  return worst;
}

function distinguishedPercentage(
  { variants, tasks, runs, comparisons }: Shape,
  rate: (task: number) => number,
  random: () => number,
): number {
  const names = Array.from({ length: tasks }, (_, task) => `task ${task}`);
  let wrong = 0;
  for (let comparison = 0; comparison < comparisons; comparison++) {
    const ranked = Array.from({ length: variants }, (_, variant) => ({
      name: `variant ${variant}`,
      tasks: names.map((_name, task) =>
        passesOf(runs[variant % runs.length] ?? 1, rate(task), random),
      ),
    }));
    if (comparePairs(names, ranked).some(isDistinguishable)) wrong++;
  }
  return (100 * wrong) / comparisons;
}
