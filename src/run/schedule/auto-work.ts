import type { RunsDecided } from '../../journal/run-events.js';
import type { Outcome } from '../../journal/task-run-events.js';
import {
  computeInterval,
  countRunsAtLeast,
  findSettledReason,
  measureUncertainty,
  needsAnother,
  type RunsRule,
  type RunTally,
} from '../../plan/enough-runs.js';
import type { TaskRun } from '../../plan/plan.js';
import type { Work } from './scheduler.js';

/** The task runs of a check with `--runs auto`: each task runs until its pass rate is known well enough. */
export class AutoWork implements Work {
  readonly #tasks: readonly AutoTask[];
  readonly #rule: RunsRule;
  readonly #offered = new WeakMap<TaskRun, AutoTask>();

  /**
   * `first` has the first run of every task, in the order of the plan. `findOutcome` gives the outcome of a task
   * run that an earlier run has done; undefined: it is not done.
   */
  constructor(
    first: readonly TaskRun[],
    rule: RunsRule,
    findOutcome?: (taskRun: TaskRun) => Outcome | undefined,
  ) {
    this.#rule = rule;
    this.#tasks = first.map((taskRun) => new AutoTask(taskRun));
    for (const task of this.#tasks) {
      if (findOutcome) task.recall(rule, findOutcome);
      task.conclude(rule);
    }
  }

  get remaining(): number {
    return this.#tasks.reduce((sum, { runs, done }) => sum + runs - done, 0);
  }

  get decided(): RunsDecided[] {
    return this.#tasks.filter(({ done }) => done > 0).map((task) => task.decision(0));
  }

  /** The task runs that are certain to be part of the run, done or not. */
  get sure(): TaskRun[] {
    return this.#tasks.flatMap(({ first, runs }) =>
      Array.from({ length: runs }, (_, index) => ({ ...first, run: index + 1 })),
    );
  }

  /** Chooses the first sequential task until it is settled; of the parallel tasks, the least certain one. */
  peek(isParallel: boolean): TaskRun | undefined {
    let chosen: AutoTask | undefined;
    for (const task of this.#tasks) {
      if (task.isParallel !== isParallel || !task.needsAnother) continue;
      if (!chosen || task.uncertainty > chosen.uncertainty) chosen = task;
      if (!isParallel) break;
    }
    if (!chosen) return undefined;
    const taskRun = chosen.taskRun(chosen.freeNumber);
    this.#offered.set(taskRun, chosen);
    return taskRun;
  }

  begin(taskRun: TaskRun): void {
    this.#offered.get(taskRun)?.begin(taskRun.run, this.#rule);
  }

  ended(taskRun: TaskRun, outcome: Outcome): RunsDecided | undefined {
    return this.#offered.get(taskRun)?.end(taskRun.run, outcome, this.#rule);
  }
}

/** A task, the outcomes of its runs so far, and how many runs it needs. */
class AutoTask {
  readonly first: TaskRun;
  /** How many runs it will have at least. */
  runs = 0;
  needsAnother = false;
  uncertainty = 1;
  readonly #tally: RunTally = { passed: 0, judged: 0, unjudged: 0, running: 0 };
  /** Numbers of the runs that are done or under way. */
  readonly #taken = new Set<number>();
  #settled: RunsDecided['settled'];

  constructor(first: TaskRun) {
    this.first = first;
  }

  get isParallel(): boolean {
    return this.first.parallel;
  }

  get done(): number {
    return this.#tally.judged + this.#tally.unjudged;
  }

  /** The lowest number that no run has: a run that was interrupted is done again under its own. */
  get freeNumber(): number {
    let number = 1;
    while (this.#taken.has(number)) number++;
    return number;
  }

  taskRun(run: number): TaskRun {
    const { task } = this.first;
    const count = Math.max(this.runs, run);
    return { ...this.first, task: { ...task, runs: { ...task.runs, count } }, run };
  }

  /** Counts the runs that an earlier run has done. */
  recall(rule: RunsRule, findOutcome: (taskRun: TaskRun) => Outcome | undefined): void {
    // Under another rule there may have been more runs than this one allows at most.
    for (let run = 1, isKnown = true; isKnown || run <= rule.most; run++) {
      const outcome = findOutcome(this.taskRun(run));
      isKnown = outcome !== undefined;
      if (outcome !== undefined) this.#count(run, outcome);
    }
  }

  begin(run: number, rule: RunsRule): void {
    this.#taken.add(run);
    this.#tally.running += 1;
    this.conclude(rule);
  }

  end(run: number, outcome: Outcome, rule: RunsRule): RunsDecided | undefined {
    this.#tally.running -= 1;
    this.#taken.delete(run);
    this.#count(run, outcome);
    const before = { runs: this.runs, settled: this.#settled };
    this.conclude(rule);
    const hasNews = this.runs > before.runs || this.#settled !== before.settled;
    return hasNews ? this.decision(this.runs - before.runs) : undefined;
  }

  conclude(rule: RunsRule): void {
    this.runs = countRunsAtLeast(rule, this.#tally, this.runs);
    this.needsAnother = needsAnother(rule, this.#tally);
    this.uncertainty = measureUncertainty(this.#tally);
    this.#settled = findSettledReason(rule, this.#tally);
  }

  decision(more: number): RunsDecided {
    const { passed, judged } = this.#tally;
    return {
      type: 'runs-decided',
      task: this.first.task.name,
      ...(this.first.variant && { variant: this.first.variant.name }),
      runs: this.runs,
      more,
      passed,
      judged,
      interval: computeInterval(this.#tally) ?? null,
      ...(this.#settled && { settled: this.#settled }),
    };
  }

  /** Counts a run that has ended, unless it was cancelled: then it runs again. */
  #count(run: number, outcome: Outcome): void {
    if (outcome === 'cancelled') return;
    this.#taken.add(run);
    if (outcome === 'error') {
      this.#tally.unjudged += 1;
      return;
    }
    this.#tally.judged += 1;
    if (outcome === 'passed') this.#tally.passed += 1;
  }
}
