import { createHash } from 'node:crypto';
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
  taskRuns: number;
  passed: number;
  judged: number;
  errors: number;
  cancelled: number;
  means: MeansFold;
}

/** Adds up the task runs of one side: a few numbers for every task. */
export class SideFold {
  readonly #tasks = new Map<string, TaskTally>();
  readonly #severalPrompts = new Set<TaskTally>();

  add(taskRun: TaskRunRecord): void {
    const tally = this.#tallyOf(taskRun);
    tally.taskRuns += 1;
    this.#addPrompt(tally, taskRun.prompt);
    if (taskRun.outcome === 'error') tally.errors += 1;
    else if (taskRun.outcome === 'cancelled') tally.cancelled += 1;
    else {
      tally.judged += 1;
      if (taskRun.outcome === 'passed') tally.passed += 1;
      tally.means.add(taskRun);
    }
  }

  get tasks(): TaskTally[] {
    return [...this.#tasks.values()];
  }

  #tallyOf(taskRun: TaskRunRecord): TaskTally {
    const task = boundedName(taskRun.task);
    const variant = taskRun.variant === null ? null : boundedName(taskRun.variant);
    const key = JSON.stringify([task, variant]);
    const known = this.#tasks.get(key);
    if (known) return known;
    const counts = { taskRuns: 0, passed: 0, judged: 0, errors: 0, cancelled: 0 };
    const path = boundedName(taskRun.path);
    const tally = { task, variant, path, prompt: null, ...counts, means: new MeansFold() };
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
