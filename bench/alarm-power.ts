import { seededRandom } from '../src/base/statistics/permutation-tests.js';
import type { Benchmark } from './benchmark.js';
import { mixedRate, stoppedPercentage } from './simulated-suites.js';

const comparisons = 500;
const runNumbers = [5, 10, 20, 40];

const changes = {
  'all 10 points worse': (task: number) => Math.max(0, mixedRate(task) - 0.1),
  'all 20 points worse': (task: number) => Math.max(0, mixedRate(task) - 0.2),
  'one of 95% broken': (task: number) => (task === 5 ? 0 : mixedRate(task)),
  'one of 95% halved': (task: number) => (task === 5 ? 0.475 : mixedRate(task)),
};

export const alarmPower: Benchmark = {
  name: 'alarm-power',
  measures: `changes that diff finds with ${runNumbers.at(-1)} runs`,
  against: `with ${runNumbers[0]}`,
  unit: '%',
  budget: { atLeast: 1.5 },
  // Drawn from a fixed seed: a second round would be the same.
  rounds: 1,
  async prepare() {
    const found = foundByRuns();
    return { measure: () => found.at(-1) ?? 0, measureBaseline: () => found[0] ?? 0 };
  },
};

/** The mean over all suites and changes, for each number of runs. */
function foundByRuns(): number[] {
  const random = seededRandom(2);
  const rows = [30, 8].flatMap((tasks) =>
    Object.entries(changes).map(([name, rateNow]) => {
      const found = runNumbers.map((runs) => {
        const suite = { tasks, runs: { base: runs, current: runs }, rate: mixedRate, rateNow };
        return stoppedPercentage(suite, comparisons, random);
      });
      const row = found.map((percentage, at) => `${runNumbers[at]}: ${percentage.toFixed(0)}%`);
      console.log(`  found, ${tasks} tasks, ${name}, by runs: ${row.join(', ')}`);
      return found;
    }),
  );
  return runNumbers.map(
    (_, at) => rows.reduce((sum, row) => sum + (row[at] ?? 0), 0) / rows.length,
  );
}
