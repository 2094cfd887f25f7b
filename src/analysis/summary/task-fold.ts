import type { TaskRunRecord } from '../../results/task-run-record.js';
import { rateOf } from '../rate-of.js';
import { AmountsFold } from './amounts-fold.js';
import { boundedLabels } from './bounded-labels.js';
import { boundedName } from './bounded-text.js';
import { FailuresFold } from './failures-fold.js';
import { noOutcomes, passesOf, taskRunsOf } from './outcome-counts.js';
import { passWithK } from './pass-with-k.js';
import type { OutcomeCounts, TaskSummary } from './summary.js';

/** Adds up the runs of one task. */
export class TaskFold {
  readonly #outcomes: OutcomeCounts = noOutcomes();
  readonly #assertions = { total: 0, passed: 0 };
  readonly #amounts = new AmountsFold();
  readonly #failures = new FailuresFold();
  readonly #task: string;
  readonly #variant: string | null;
  #path = '';
  #difficulty: string | null = null;
  #labels: Readonly<Record<string, string>> = {};

  constructor(task: string, variant: string | null) {
    this.#task = task;
    this.#variant = variant;
  }

  add(taskRun: TaskRunRecord, path: string): void {
    this.#outcomes[taskRun.outcome] += 1;
    this.#assertions.total += taskRun.assertions.length;
    this.#assertions.passed += taskRun.assertions.filter(({ passed }) => passed).length;
    this.#amounts.add(taskRun);
    this.#failures.add(taskRun, path);
    this.#path = boundedName(taskRun.path);
    this.#difficulty = taskRun.difficulty === null ? null : boundedName(taskRun.difficulty);
    this.#labels = boundedLabels(taskRun.labels);
  }

  get summary(): TaskSummary {
    const passes = passesOf(this.#outcomes);
    return {
      task: this.#task,
      variant: this.#variant,
      path: this.#path,
      difficulty: this.#difficulty,
      labels: this.#labels,
      taskRuns: taskRunsOf(this.#outcomes),
      outcomes: this.#outcomes,
      rate: rateOf(passes),
      passWithK: passWithK(passes),
      flaky: passes.passed > 0 && passes.passed < passes.judged,
      assertions: this.#assertions,
      amounts: this.#amounts.amounts,
      failures: this.#failures.failures,
    };
  }
}
