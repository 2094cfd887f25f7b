import type { FinishedTaskRun } from './finished-task-run.js';
import type { ProgressState } from './progress-state.js';

/**
 * How many milliseconds are left, judging by the task runs that came to their end: a task's own
 * where it has some, else all. Undefined while there is nothing to judge by.
 */
export function timeLeft(state: ProgressState, now: number): number | undefined {
  const overall = meanDuration(state.finished);
  if (overall === undefined) return undefined;
  const lanes = new Lanes();
  const running = new Map<string, number[]>();
  for (const { task, since } of state.running.values()) {
    running.set(task, [...(running.get(task) ?? []), now - since]);
  }
  for (const { name, runs, parallel } of state.plan.tasks) {
    const finished = state.finishedRunsOf(name);
    const elapsed = running.get(name) ?? [];
    const expected = meanDuration(finished) ?? overall;
    // One that takes longer than others did may end at any moment.
    for (const already of elapsed) lanes.add(parallel, Math.max(expected - already, 0));
    const waiting = runs - finished.length - elapsed.length;
    if (waiting > 0) lanes.add(parallel, expected, waiting);
  }
  return lanes.milliseconds(state.plan.parallel);
}

/** Work that is done one by one, and work that is done together. */
class Lanes {
  #oneByOne = 0;
  #together = 0;
  #longest = 0;

  add(isParallel: boolean, milliseconds: number, times = 1): void {
    if (!isParallel) {
      this.#oneByOne += milliseconds * times;
      return;
    }
    this.#together += milliseconds * times;
    this.#longest = Math.max(this.#longest, milliseconds);
  }

  milliseconds(parallel: number): number {
    return this.#oneByOne + Math.max(this.#together / parallel, this.#longest);
  }
}

function meanDuration(runs: readonly FinishedTaskRun[]): number | undefined {
  const whole = runs.filter(({ outcome }) => outcome !== 'cancelled');
  if (whole.length === 0) return undefined;
  return whole.reduce((sum, { durationMs }) => sum + durationMs, 0) / whole.length;
}
