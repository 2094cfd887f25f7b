import type { TaskRunEnded, TaskRunStarted } from '../journal/task-run-events.js';
import {
  addCost,
  addJudgeUsage,
  addUsage,
  type CostSource,
  combineCostSources,
  type TokenUsage,
} from '../journal/usage.js';
import type { ResultTotals } from './results-schema.js';
import { toldAmounts } from './told-amounts.js';

/** What the totals need of a task run: all that is kept of it besides its text. */
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

export function summaryOf(
  { task, variant, difficulty, labels }: TaskRunStarted,
  ended: TaskRunEnded,
): TaskRunSummary {
  const { outcome, calls } = ended;
  const { usage, cost, costSource, judge } = toldAmounts(ended);
  const own = { task, variant: variant ?? null, difficulty, labels };
  return { ...own, outcome, calls, usage, cost, costSource, judge };
}

export function totalsOf(taskRuns: readonly TaskRunSummary[], planned: number): ResultTotals {
  const outcomes = { passed: 0, failed: 0, timeout: 0, error: 0, cancelled: 0 };
  const calls = { tool: 0, resource: 0, prompt: 0, errors: 0, tokens: 0 };
  const byDifficulty = new Tallies();
  const byLabel = new Map<string, Tallies>();
  const tasks = new Set<string>();
  let usage: TokenUsage | undefined;
  let cost: number | undefined;
  let costSource: CostSource | undefined;
  const judge: NonNullable<TaskRunEnded['judge']> = {};
  for (const each of taskRuns) {
    tasks.add(each.task);
    outcomes[each.outcome] += 1;
    for (const key of countKeys) calls[key] += each.calls[key];
    usage = addUsage(usage, each.usage);
    costSource = combineCostSources({ cost, costSource }, each);
    cost = addCost(cost, each.cost);
    addJudgeUsage(judge, each.judge);
    const passed = each.outcome === 'passed';
    if (each.difficulty !== undefined) byDifficulty.add(each.difficulty, passed);
    for (const [key, value] of Object.entries(each.labels)) {
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
    ...(costSource !== undefined && { costSource }),
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
