import { seededRandom } from '../src/base/statistics/permutation-tests.js';
import type { Benchmark } from './benchmark.js';
import { mixedRate, stoppedPercentage } from './simulated-suites.js';

/** False alarms of the gate that `diff` promises not to exceed, in percent. */
const promised = 5;

const shapes = [
  { tasks: 30, base: 20, current: 20, comparisons: 4000 },
  { tasks: 8, base: 5, current: 5, comparisons: 4000 },
  { tasks: 20, base: 1, current: 1, comparisons: 4000 },
  { tasks: 8, base: 20, current: 20, comparisons: 4000 },
  // Where the sides have different numbers of runs, flipping signs alone would not keep it.
  { tasks: 8, base: 5, current: 60, comparisons: 400 },
  { tasks: 8, base: 60, current: 5, comparisons: 400 },
  { tasks: 20, base: 1, current: 20, comparisons: 400 },
];

const rates = {
  'mixed rates': mixedRate,
  'all 50%': () => 0.5,
  'all 95%': () => 0.95,
  'all 5%': () => 0.05,
};

export const falseAlarms: Benchmark = {
  name: 'false-alarms',
  measures: 'false alarms of diff, worst of the suites above',
  against: 'promised',
  unit: '%',
  budget: { atMost: 1 },
  // Drawn from a fixed seed: a second round would be the same.
  rounds: 1,
  async prepare() {
    return { measure: worstFalseAlarms, measureBaseline: () => promised };
  },
};

function worstFalseAlarms(): number {
  const random = seededRandom(1);
  let worst = 0;
  for (const { tasks, base, current, comparisons } of shapes) {
    const row = Object.entries(rates).map(([name, rate]) => {
      const suite = { tasks, runs: { base, current }, rate, rateNow: rate };
      const percentage = stoppedPercentage(suite, comparisons, random);
      worst = Math.max(worst, percentage);
      return `${name} ${percentage.toFixed(2)}%`;
    });
    const runs = base === current ? `${base}` : `${base} and ${current}`;
    console.log(`  false alarms, ${tasks} tasks x ${runs} runs: ${row.join(', ')}`);
  }
  return worst;
}
