import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { alarmPower } from './alarm-power.js';
import { autoRuns } from './auto-runs.js';
import type { Benchmark, Contest } from './benchmark.js';
import { checkTimes } from './check-time.js';
import { coordinatorCost } from './coordinator-cost.js';
import { falseAlarms } from './false-alarms.js';
import { falseRankings } from './false-rankings.js';
import { globalRequestRate } from './global-request-rate.js';
import { harnessTime } from './harness-time.js';
import { benchNode } from './process-time.js';
import { proxiedCallLatencies } from './proxied-call-latency.js';
import { proxiedThroughput } from './proxied-throughput.js';
import { proxyMemories, recordedCallsMemory } from './recorded-calls-memory.js';
import { redaction } from './redaction.js';
import { reportBenchmarks } from './report-interaction.js';
import { requestRate } from './request-rate.js';
import { resultsMemory } from './results-memory.js';
import { validateColdStart } from './validate-cold-start.js';
import { validateManyTasks, validateSomeTasks } from './validate-many-tasks.js';
import { versionColdStart } from './version-cold-start.js';
import { workerScaling } from './worker-scaling.js';

const benchmarks: Benchmark[] = [
  versionColdStart,
  validateColdStart,
  ...validateSomeTasks,
  validateManyTasks,
  harnessTime,
  ...checkTimes,
  ...proxiedCallLatencies,
  proxiedThroughput,
  redaction,
  ...proxyMemories,
  recordedCallsMemory,
  resultsMemory,
  falseAlarms,
  falseRankings,
  alarmPower,
  autoRuns,
  requestRate,
  globalRequestRate,
  ...workerScaling,
  ...coordinatorCost,
  ...reportBenchmarks,
];

interface Figures {
  measured: number;
  baseline: number;
  ratio: number;
}

const chosen = chooseBenchmarks(process.argv.slice(2));
console.log(`on ${benchNode}\n`);
let allWithin = true;
for (const benchmark of chosen) {
  const figures = await runBenchmark(benchmark);
  const within = isWithin(benchmark, figures.ratio);
  allWithin &&= within;
  console.log(describe(benchmark, figures, within));
}
process.exitCode = allWithin ? 0 : 1;

function chooseBenchmarks(names: string[]): Benchmark[] {
  const unknown = names.filter((name) => !benchmarks.some((benchmark) => benchmark.name === name));
  if (unknown.length > 0) {
    const known = benchmarks.map(({ name }) => name).join(', ');
    console.error(`no benchmark named ${unknown.join(', ')}; there are: ${known}`);
    process.exit(2);
  }
  return names.length === 0 ? benchmarks : benchmarks.filter(({ name }) => names.includes(name));
}

async function runBenchmark(benchmark: Benchmark): Promise<Figures> {
  const folder = await mkdtemp(path.join(tmpdir(), 'proctor-bench-'));
  try {
    const contest = await benchmark.prepare(folder);
    try {
      return await bestOfRounds(benchmark, contest);
    } finally {
      await contest.close?.();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * The best of many rounds: whatever else the machine does can only make a round worse. Small is good,
 * unless the budget says otherwise; also of a figure that has no budget.
 */
async function bestOfRounds(benchmark: Benchmark, contest: Contest): Promise<Figures> {
  const { atLeast, atMost } = benchmark.budget;
  const better = atLeast !== undefined && atMost === undefined ? Math.max : Math.min;
  let measured: number | undefined;
  let baseline: number | undefined;
  for (let round = 0; round < benchmark.rounds; round++) {
    const baselineSample = await contest.measureBaseline();
    const sample = await contest.measure();
    baseline = better(baseline ?? baselineSample, baselineSample);
    measured = better(measured ?? sample, sample);
  }
  if (measured === undefined || baseline === undefined) {
    throw new Error(`${benchmark.name} has no rounds`);
  }
  return { measured, baseline, ratio: measured / baseline };
}

function isWithin({ budget }: Benchmark, ratio: number): boolean {
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = budget;
  return ratio >= atLeast && ratio <= atMost;
}

function describe(benchmark: Benchmark, figures: Figures, within: boolean): string {
  const { budget, unit } = benchmark;
  const { atLeast, atMost } = budget;
  const bound = [
    ...(atLeast === undefined ? [] : [`>= ${atLeast}`]),
    ...(atMost === undefined ? [] : [`<= ${atMost}`]),
  ].join(', ');
  return [
    (within ? 'OK' : 'OVER').padEnd(4),
    `${figures.ratio.toFixed(2)} x`.padStart(8),
    `(${bound})`.padEnd(9),
    benchmark.name.padEnd(22),
    `${benchmark.measures}: ${figures.measured.toFixed(1)} ${unit};`,
    `${benchmark.against}: ${figures.baseline.toFixed(1)} ${unit}`,
  ].join(' ');
}
