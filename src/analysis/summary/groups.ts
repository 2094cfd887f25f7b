import type { TaskRunRecord } from '../../results/task-run-record.js';
import { boundLabels, boundName } from '../bounded-text.js';
import { computePassFigures, makeOutcomeCounts, type OutcomeCounts } from '../pass-rates.js';
import { AmountsFold } from './amounts-fold.js';
import type { GroupSummary, Summary } from './summary.js';

const difficulties = ['easy', 'medium', 'hard'];

/** Groups task runs by their own difficulty and labels, as those of a task can change between files. */
export class GroupsFold {
  readonly #byDifficulty = new Groups();
  readonly #byLabel = new Map<string, Groups>();

  add(task: string, { outcome, difficulty, labels }: TaskRunRecord): void {
    if (difficulty !== null) this.#byDifficulty.add(boundName(difficulty), task, outcome);
    for (const [key, value] of Object.entries(boundLabels(labels))) {
      const values = this.#byLabel.get(key) ?? new Groups();
      this.#byLabel.set(key, values);
      values.add(value, task, outcome);
    }
  }

  get byDifficulty(): Summary['byDifficulty'] {
    return this.#byDifficulty.summaries(
      (left, right) => rankDifficulty(left) - rankDifficulty(right) || compareText(left, right),
    );
  }

  get byLabel(): Summary['byLabel'] {
    const keys = [...this.#byLabel].sort(([left], [right]) => compareText(left, right));
    return Object.fromEntries(keys.map(([key, values]) => [key, values.summaries(compareText)]));
  }
}

/** Counts outcomes by the name of a group. */
export class Groups {
  /** Outcomes by group and task: the runs of one task belong together. */
  readonly #outcomes = new Map<string, Map<string, OutcomeCounts>>();

  add(name: string, task: string, outcome: TaskRunRecord['outcome']): void {
    const tasks = this.#outcomes.get(name) ?? new Map<string, OutcomeCounts>();
    this.#outcomes.set(name, tasks);
    const counts = tasks.get(task) ?? makeOutcomeCounts();
    tasks.set(task, counts);
    counts[outcome] += 1;
  }

  summaries(order: (left: string, right: string) => number): Record<string, GroupSummary> {
    const groups = [...this.#outcomes].sort(([left], [right]) => order(left, right));
    return Object.fromEntries(groups.map(([name, tasks]) => [name, summarizeGroup(tasks)]));
  }
}

function summarizeGroup(tasks: ReadonlyMap<string, OutcomeCounts>): GroupSummary {
  const outcomesByTask = [...tasks].map(([task, outcomes]) => ({ task, outcomes }));
  const { taskRuns, outcomes, rate } = computePassFigures(outcomesByTask);
  return { taskRuns, outcomes, rate };
}

function rankDifficulty(difficulty: string): number {
  const place = difficulties.indexOf(difficulty);
  return place === -1 ? difficulties.length : place;
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Adds up outcomes and amounts for each variant of a matrix. */
export class VariantsFold {
  readonly #groups = new Groups();
  /** Amounts by variant, in the order of the matrix. */
  readonly #amounts = new Map<string, AmountsFold>();

  add(variant: string, task: string, taskRun: TaskRunRecord): void {
    this.#groups.add(variant, task, taskRun.outcome);
    const amounts = this.#amounts.get(variant) ?? new AmountsFold();
    this.#amounts.set(variant, amounts);
    amounts.add(taskRun);
  }

  get byVariant(): Summary['byVariant'] {
    const groups = new Map(Object.entries(this.#groups.summaries(() => 0)));
    const variants = [...this.#amounts].flatMap(([name, { amounts }]) => {
      const group = groups.get(name);
      return group ? [[name, { ...group, amounts }] as const] : [];
    });
    return Object.fromEntries(variants);
  }
}
