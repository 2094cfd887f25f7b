import type { Benchmark, Contest } from './benchmark.js';
import { littleHeap } from './resource-use.js';
import { type SimulatedChecks, startSimulatedChecks } from './simulated-checks.js';

/** Task runs. What a check with hardly any takes is what it takes besides them. */
const hardlyAny = 20;
const few = 100;
const some = 1_000;
const many = 10_000;

/** What `check --queue` takes for itself, while somebody else does the work. */
export const coordinatorCost: Benchmark[] = [
  ...[few, some].map((fewer) => ({
    name: `coordinator-time-${fewer}`,
    measures: `processor time of the coordinator for each of ${many} task runs`,
    against: `for each of ${fewer}`,
    unit: 'ms',
    budget: { atMost: 1.2 },
    rounds: 2,
    prepare: contestOf(fewer, timePerTaskRun),
  })),
  {
    name: 'coordinator-memory',
    measures: `most memory of the coordinator with ${many} task runs`,
    against: `with ${few}`,
    unit: 'MB',
    budget: { atMost: 1.5 },
    rounds: 2,
    prepare: contestOf(few, peakMemory),
  },
];

type Measure = (checks: SimulatedChecks, taskRuns: number) => Promise<number>;

function contestOf(fewer: number, measure: Measure) {
  return async (folder: string): Promise<Contest> => {
    const checks = await startSimulatedChecks(folder);
    return {
      measure: () => measure(checks, many),
      measureBaseline: () => measure(checks, fewer),
      close: () => checks.close(),
    };
  };
}

async function timePerTaskRun(checks: SimulatedChecks, taskRuns: number): Promise<number> {
  const least = await checks.check(hardlyAny);
  const { cpuMs } = await checks.check(taskRuns);
  return (cpuMs - least.cpuMs) / (taskRuns - hardlyAny);
}

async function peakMemory(checks: SimulatedChecks, taskRuns: number): Promise<number> {
  return (await checks.check(taskRuns, [littleHeap])).peakMegabytes;
}
