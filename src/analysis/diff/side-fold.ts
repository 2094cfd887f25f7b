import { createHash } from 'node:crypto';
import { Judgings, mostJudgings } from '../../results/judging.js';
import type { TaskRunRecord } from '../../results/task-run-record.js';
import { boundedName } from '../summary/bounded-text.js';
import { MeansFold } from './means-fold.js';

/** The runs of a task on one side, added up. */
export interface TaskTally {
  task: string;
  /** Of a matrix. */
  variant: string | null;
  path: string;
  /** Of its prompt; null if runs differ in it, or none came to it. */
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
  /** The same of the runs that were judged alike, by what judged them. None of those of which nobody knows. */
  byJudging: Map<string, TaskTally>;
}

/** Adds up the task runs of one side: a few numbers for every task. */
export class SideFold {
  readonly #tasks = new Map<string, TaskTally>();
  readonly #severalPrompts = new Set<TaskTally>();

  add(taskRun: TaskRunRecord): void {
    const tally = this.#tallyOf(taskRun);
    this.#addTo(tally, taskRun);
    if (!taskRun.judging) return;
    const key = JSON.stringify(taskRun.judging);
    const alike = tally.byJudging.get(key) ?? emptyTally(taskRun);
    if (tally.byJudging.size < mostJudgings) tally.byJudging.set(key, alike);
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
    const empty = emptyTally(taskRun);
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

function emptyTally({ task, variant, path }: TaskRunRecord): TaskTally {
  return {
    task: boundedName(task),
    variant: variant === null ? null : boundedName(variant),
    path: boundedName(path),
    prompt: null,
    ...{ taskRuns: 0, passed: 0, judged: 0, errors: 0, cancelled: 0 },
    ...{ judgings: new Judgings(), failures: new Map(), means: new MeansFold() },
    byJudging: new Map(),
  };
}

/** Of one task nobody reads more. */
const mostReasons = 20;

function addFailure({ failures }: TaskTally, taskRun: TaskRunRecord): void {
  for (const reason of reasonsOf(taskRun)) {
    const count = failures.get(reason);
    if (count !== undefined || failures.size < mostReasons) failures.set(reason, (count ?? 0) + 1);
  }
}

/** What it failed, by names that stay the same from run to run: messages do not. */
function reasonsOf({ failure, assertions, phases }: TaskRunRecord): string[] {
  const { category = 'unknown' } = failure ?? {};
  if (category !== 'assertion-failed' && category !== 'verification-failed') return [category];
  const reasons = [
    ...(phases.verify?.steps ?? [])
      .filter(({ passed }) => !passed)
      .map(({ step }) => `verify step ${step}`),
    ...assertions
      .filter(({ passed }) => !passed)
      .map(({ name }) => `assertion ${boundedName(name)}`),
  ];
  return reasons.length > 0 ? [...new Set(reasons)] : [category];
}
