import type { TaskRunRecord } from '../../results/task-run-record.js';
import {
  isFlaky,
  noOutcomes,
  type OutcomeCounts,
  passesOf,
  passWithK,
  rateOf,
  taskRunsOf,
} from '../pass-rates.js';
import { AmountsFold } from './amounts-fold.js';
import { boundedLabels } from './bounded-labels.js';
import { boundedName } from './bounded-text.js';
import { FailuresFold } from './failures-fold.js';
import type { TaskSummary } from './summary.js';

/** Adds up the runs of one task. */
export class TaskFold {
  readonly #outcomes: OutcomeCounts = noOutcomes();
  readonly #assertions = { total: 0, passed: 0, unlisted: 0 };
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
    if (hasUnlistedAssertions(taskRun)) this.#assertions.unlisted += 1;
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
      flaky: isFlaky(passes),
      assertions: this.#assertions,
      amounts: this.#amounts.amounts,
      failures: this.#failures.failures,
    };
  }
}

/** Whether assertions were checked of which none is listed, or one failed and only others are. */
function hasUnlistedAssertions({ assertions, assertionsHeld, failure }: TaskRunRecord): boolean {
  const hasFailed = assertionsHeld === false || failure?.category === 'assertion-failed';
  if (hasFailed) return assertions.every(({ passed }) => passed);
  return assertionsHeld === true && assertions.length === 0;
}
