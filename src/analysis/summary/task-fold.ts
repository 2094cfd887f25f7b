import type { TaskRunRecord } from '../../results/task-run-record.js';
import { boundLabels, boundName, boundSentence } from '../bounded-text.js';
import {
  computePassWithK,
  computeRate,
  countPasses,
  countTaskRuns,
  isFlaky,
  makeOutcomeCounts,
  type OutcomeCounts,
} from '../pass-rates.js';
import { AmountsFold } from './amounts-fold.js';
import type { FailureSummary, TaskSummary } from './summary.js';

/** Adds up the runs of one task. */
export class TaskFold {
  readonly #outcomes: OutcomeCounts = makeOutcomeCounts();
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
    this.#path = boundName(taskRun.path);
    this.#difficulty = taskRun.difficulty === null ? null : boundName(taskRun.difficulty);
    this.#labels = boundLabels(taskRun.labels);
  }

  get summary(): TaskSummary {
    const passes = countPasses(this.#outcomes);
    return {
      task: this.#task,
      variant: this.#variant,
      path: this.#path,
      difficulty: this.#difficulty,
      labels: this.#labels,
      taskRuns: countTaskRuns(this.#outcomes),
      outcomes: this.#outcomes,
      rate: computeRate(passes),
      passWithK: computePassWithK(passes),
      flaky: isFlaky(passes),
      assertions: this.#assertions,
      amounts: this.#amounts.amounts,
      failures: this.#failures.failures,
    };
  }
}

/** Whether assertions were checked, and the failed one or all of them are not listed. */
function hasUnlistedAssertions({ assertions, assertionsHeld, failure }: TaskRunRecord): boolean {
  const hasFailed = assertionsHeld === false || failure?.category === 'assertion-failed';
  if (hasFailed) return assertions.every(({ passed }) => passed);
  return assertionsHeld === true && assertions.length === 0;
}

/** Messages can differ in every run: further ones are counted together. */
const mostReasons = 10;
const otherReasons = 'for other reasons';
const mostRuns = 20;

/** Groups the failed runs of a task by reason. */
class FailuresFold {
  readonly #reasons = new Map<string, FailureSummary>();

  add({ run, failure }: TaskRunRecord, path: string): void {
    if (!failure) return;
    const { category } = failure;
    const message = boundSentence(failure.message);
    const known = this.#reasons.get(JSON.stringify([category, message]));
    const shown = known || this.#reasons.size < mostReasons ? message : otherReasons;
    const key = JSON.stringify([category, shown]);
    const reason = this.#reasons.get(key) ?? { category, message: shown, runs: [], path, count: 0 };
    this.#reasons.set(key, reason);
    reason.count += 1;
    if (reason.runs.length < mostRuns) reason.runs.push(run);
  }

  /** The most frequent first. */
  get failures(): FailureSummary[] {
    return [...this.#reasons.values()].sort((left, right) => right.count - left.count);
  }
}
