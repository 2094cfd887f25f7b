import type { TaskRunRecord } from '../../results/task-run-record.js';
import { boundedSentence } from './bounded-text.js';
import type { FailureSummary } from './summary.js';

/** A message can be another one in every run; nobody reads them all. */
const mostReasons = 10;
const otherReasons = 'for other reasons';
const mostRuns = 20;

/** Puts task runs of one task together that did not pass for the same reason. */
export class FailuresFold {
  readonly #reasons = new Map<string, FailureSummary>();

  add({ run, failure }: TaskRunRecord, path: string): void {
    if (!failure) return;
    const { category } = failure;
    const message = boundedSentence(failure.message);
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
