import { createHash } from 'node:crypto';
import { Judgings, maxJudgings } from '../../results/judging.js';
import { computeWorkingTime, type TaskRunRecord } from '../../results/task-run-record.js';
import { boundName } from '../bounded-text.js';
import type { MeanAmounts } from './results-diff.js';

/** The runs of a task on one side of a diff, added up. */
export interface TaskTally {
  task: string;
  /** The variant, if there is a matrix. */
  variant: string | null;
  path: string;
  /** Digest of the prompt; null if runs have different ones, or none. */
  prompt: string | null;
  /** What judged its runs. */
  judgings: Judgings;
  /** Why judged runs did not pass, and how many. */
  failures: Map<string, number>;
  taskRuns: number;
  passed: number;
  judged: number;
  errors: number;
  cancelled: number;
  means: MeansFold;
  /** Tallies of the runs that were judged alike, by their judging; without runs whose judging is not known. */
  byJudging: Map<string, TaskTally>;
}

/** Adds up the task runs of one side; keeps a few numbers for every task. */
export class SideFold {
  readonly #tasks = new Map<string, TaskTally>();
  readonly #severalPrompts = new Set<TaskTally>();

  add(taskRun: TaskRunRecord): void {
    const tally = this.#tallyOf(taskRun);
    this.#addTo(tally, taskRun);
    if (!taskRun.judging) return;
    const key = JSON.stringify(taskRun.judging);
    const alike = tally.byJudging.get(key) ?? makeEmptyTally(taskRun);
    if (tally.byJudging.size < maxJudgings) tally.byJudging.set(key, alike);
    this.#addTo(alike, taskRun);
  }

  #addTo(tally: TaskTally, taskRun: TaskRunRecord): void {
    tally.taskRuns += 1;
    this.#addPrompt(tally, taskRun.prompt);
    tally.judgings.add(taskRun.judging);
    if (taskRun.outcome === 'error') tally.errors += 1;
    else if (taskRun.outcome === 'cancelled') tally.cancelled += 1;
    else {
      tally.judged += 1;
      if (taskRun.outcome === 'passed') tally.passed += 1;
      else addFailure(tally, taskRun);
      tally.means.add(taskRun);
    }
  }

  get tasks(): TaskTally[] {
    return [...this.#tasks.values()];
  }

  #tallyOf(taskRun: TaskRunRecord): TaskTally {
    const empty = makeEmptyTally(taskRun);
    const key = JSON.stringify([empty.task, empty.variant]);
    const tally = this.#tasks.get(key) ?? empty;
    this.#tasks.set(key, tally);
    return tally;
  }

  #addPrompt(tally: TaskTally, prompt: string | null): void {
    if (prompt === null || this.#severalPrompts.has(tally)) return;
    const hash = createHash('sha256').update(prompt).digest('base64');
    if (tally.prompt !== null && tally.prompt !== hash) this.#severalPrompts.add(tally);
    tally.prompt = this.#severalPrompts.has(tally) ? null : hash;
  }
}

function makeEmptyTally({ task, variant, path }: TaskRunRecord): TaskTally {
  return {
    task: boundName(task),
    variant: variant === null ? null : boundName(variant),
    path: boundName(path),
    prompt: null,
    ...{ taskRuns: 0, passed: 0, judged: 0, errors: 0, cancelled: 0 },
    ...{ judgings: new Judgings(), failures: new Map(), means: new MeansFold() },
    byJudging: new Map(),
  };
}

/** Further reasons of a task are dropped. */
const maxReasons = 20;

function addFailure({ failures }: TaskTally, taskRun: TaskRunRecord): void {
  for (const reason of listFailureReasons(taskRun)) {
    const count = failures.get(reason);
    if (count !== undefined || failures.size < maxReasons) failures.set(reason, (count ?? 0) + 1);
  }
}

/** Why a task run failed, by names that are stable between runs; messages are not. */
function listFailureReasons({ failure, assertions, phases }: TaskRunRecord): string[] {
  const { category = 'unknown' } = failure ?? {};
  if (category !== 'assertion-failed' && category !== 'verification-failed') return [category];
  const reasons = [
    ...(phases.verify?.steps ?? [])
      .filter(({ passed }) => !passed)
      .map(({ step }) => `verify step ${step}`),
    ...assertions.filter(({ passed }) => !passed).map(({ name }) => `assertion ${boundName(name)}`),
  ];
  return reasons.length > 0 ? [...new Set(reasons)] : [category];
}

type Amount = keyof MeanAmounts;

export const amountKeys = [
  'durationMs',
  'calls',
  'callErrors',
  'inputTokens',
  'outputTokens',
  'cost',
] as const satisfies readonly Amount[];

/** Mean amounts over the task runs that have them. Small, as there is one for every task. */
export class MeansFold {
  /** Running means by place in `amountKeys`; a sum of amounts from files may be too large. */
  readonly #means: number[] = amountKeys.map(() => 0);
  readonly #counts: number[] = amountKeys.map(() => 0);

  add(taskRun: TaskRunRecord): void {
    const { callCounts, usage, cost } = taskRun;
    this.#addAmount('durationMs', computeWorkingTime(taskRun));
    this.#addAmount('calls', callCounts.tool + callCounts.resource + callCounts.prompt);
    this.#addAmount('callErrors', callCounts.errors);
    this.#addAmount('inputTokens', usage?.inputTokens ?? null);
    this.#addAmount('outputTokens', usage?.outputTokens ?? null);
    this.#addAmount('cost', cost);
  }

  addMeans(means: MeanAmounts): void {
    for (const amount of amountKeys) this.#addAmount(amount, means[amount]);
  }

  get means(): MeanAmounts {
    return {
      durationMs: this.#meanOf('durationMs'),
      calls: this.#meanOf('calls'),
      callErrors: this.#meanOf('callErrors'),
      inputTokens: this.#meanOf('inputTokens'),
      outputTokens: this.#meanOf('outputTokens'),
      cost: this.#meanOf('cost'),
    };
  }

  #addAmount(amount: Amount, value: number | null): void {
    if (value === null) return;
    const place = amountKeys.indexOf(amount);
    const mean = this.#means[place] ?? 0;
    const count = (this.#counts[place] ?? 0) + 1;
    this.#means[place] = mean + (value - mean) / count;
    this.#counts[place] = count;
  }

  #meanOf(amount: Amount): number | null {
    const place = amountKeys.indexOf(amount);
    return this.#counts[place] === 0 ? null : (this.#means[place] ?? null);
  }
}
