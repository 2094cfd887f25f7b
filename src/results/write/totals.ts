import type { TaskRunEnded, TaskRunStarted } from '../../journal/task-run-events.js';
import {
  addIfKnown,
  addJudgeUsage,
  addUsage,
  type CostSource,
  combineCostSources,
  type TokenUsage,
} from '../../journal/usage.js';
import type { ResultTotals } from '../schema/results-schema.js';
import { sanitizeAmounts } from '../schema/usage-schema.js';
import type { TaskRunRecord } from '../task-run-record.js';

/** What the totals need of a task run; nothing else of it is kept in memory. */
export interface TaskRunSummary {
  task: string;
  variant: string | null;
  difficulty: string | undefined;
  labels: Readonly<Record<string, string>>;
  outcome: TaskRunEnded['outcome'];
  calls: TaskRunEnded['calls'];
  usage: TokenUsage | undefined;
  cost: number | undefined;
  costSource: CostSource | undefined;
  judge: TaskRunEnded['judge'];
}

export function summarizeTaskRun(
  { task, variant, difficulty, labels }: TaskRunStarted,
  ended: TaskRunEnded,
): TaskRunSummary {
  const { outcome, calls } = ended;
  const { usage, cost, costSource, judge } = sanitizeAmounts(ended);
  const identity = { task, variant: variant ?? null, difficulty, labels };
  return { ...identity, outcome, calls, usage, cost, costSource, judge };
}

export function computeTotals(taskRuns: readonly TaskRunSummary[], planned: number): ResultTotals {
  const outcomes = { passed: 0, failed: 0, timeout: 0, error: 0, cancelled: 0 };
  const calls = { tool: 0, resource: 0, prompt: 0, errors: 0, tokens: 0 };
  const byDifficulty = new Tallies();
  const byLabel = new Map<string, Tallies>();
  const tasks = new Set<string>();
  let usage: TokenUsage | undefined;
  let cost: number | undefined;
  let costSource: CostSource | undefined;
  const judge: NonNullable<TaskRunEnded['judge']> = {};
  for (const taskRun of taskRuns) {
    tasks.add(taskRun.task);
    outcomes[taskRun.outcome] += 1;
    for (const key of countKeys) calls[key] += taskRun.calls[key];
    usage = addUsage(usage, taskRun.usage);
    costSource = combineCostSources({ cost, costSource }, taskRun);
    cost = addIfKnown(cost, taskRun.cost);
    addJudgeUsage(judge, taskRun.judge);
    const passed = taskRun.outcome === 'passed';
    if (taskRun.difficulty !== undefined) byDifficulty.add(taskRun.difficulty, passed);
    for (const [key, value] of Object.entries(taskRun.labels)) {
      const tallies = byLabel.get(key) ?? new Tallies();
      byLabel.set(key, tallies);
      tallies.add(value, passed);
    }
  }
  return {
    planned,
    notRun: Math.max(0, planned - taskRuns.length),
    tasks: tasks.size,
    outcomes,
    byDifficulty: byDifficulty.asData(),
    byLabel: Object.fromEntries([...byLabel].map(([key, tallies]) => [key, tallies.asData()])),
    calls,
    usage: usage ?? null,
    cost: cost ?? null,
    costSource,
    judge: { ...judge, usage: judge.usage ?? null, cost: judge.cost ?? null },
  };
}

const countKeys = ['tool', 'resource', 'prompt', 'errors', 'tokens'] as const;

interface Tally {
  taskRuns: number;
  passed: number;
}

class Tallies {
  readonly #tallies = new Map<string, Tally>();

  add(key: string, passed: boolean): void {
    const tally = this.#tallies.get(key) ?? { taskRuns: 0, passed: 0 };
    this.#tallies.set(key, tally);
    tally.taskRuns += 1;
    if (passed) tally.passed += 1;
  }

  asData(): Record<string, Tally> {
    return Object.fromEntries(this.#tallies);
  }
}

/** Picks from a recorded task run what the totals need. */
export function summarizeRecord(record: TaskRunRecord): TaskRunSummary {
  const { task, variant, difficulty, labels, outcome, callCounts } = record;
  const { cost, costSource, judge } = record;
  return {
    task,
    variant,
    difficulty: difficulty ?? undefined,
    labels,
    outcome,
    calls: callCounts,
    usage: record.usage ?? undefined,
    cost: cost ?? undefined,
    costSource,
    judge: judge
      ? { ...judge, usage: judge.usage ?? undefined, cost: judge.cost ?? undefined }
      : undefined,
  };
}
