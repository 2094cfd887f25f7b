import type { TaskRunRecord } from '../../results/task-run-record.js';
import { noOutcomes, type OutcomeCounts, passFigures } from '../pass-rates.js';
import { boundedLabels } from './bounded-labels.js';
import { boundedName } from './bounded-text.js';
import type { GroupSummary, Summary } from './summary.js';

const difficulties = ['easy', 'medium', 'hard'];

/** Task runs by difficulty and label: by their own, as those of a task can change between files. */
export class GroupsFold {
  readonly #byDifficulty = new Groups();
  readonly #byLabel = new Map<string, Groups>();

  add(task: string, { outcome, difficulty, labels }: TaskRunRecord): void {
    if (difficulty !== null) this.#byDifficulty.add(boundedName(difficulty), task, outcome);
    for (const [key, value] of Object.entries(boundedLabels(labels))) {
      const values = this.#byLabel.get(key) ?? new Groups();
      this.#byLabel.set(key, values);
      values.add(value, task, outcome);
    }
  }

  get byDifficulty(): Summary['byDifficulty'] {
    return this.#byDifficulty.summaries(
      (left, right) => rank(left) - rank(right) || compare(left, right),
    );
  }

  get byLabel(): Summary['byLabel'] {
    const keys = [...this.#byLabel].sort(([left], [right]) => compare(left, right));
    return Object.fromEntries(keys.map(([key, values]) => [key, values.summaries(compare)]));
  }
}

/** Task runs by the name of a group. */
export class Groups {
  /** By name and task: the runs of one task belong together. */
  readonly #outcomes = new Map<string, Map<string, OutcomeCounts>>();

  add(name: string, task: string, outcome: TaskRunRecord['outcome']): void {
    const tasks = this.#outcomes.get(name) ?? new Map<string, OutcomeCounts>();
    this.#outcomes.set(name, tasks);
    const counts = tasks.get(task) ?? noOutcomes();
    tasks.set(task, counts);
    counts[outcome] += 1;
  }

  summaries(order: (left: string, right: string) => number): Record<string, GroupSummary> {
    const groups = [...this.#outcomes].sort(([left], [right]) => order(left, right));
    return Object.fromEntries(groups.map(([name, tasks]) => [name, groupSummary(tasks)]));
  }
}

function groupSummary(tasks: ReadonlyMap<string, OutcomeCounts>): GroupSummary {
  const each = [...tasks].map(([task, outcomes]) => ({ task, outcomes }));
  const { taskRuns, outcomes, rate } = passFigures(each);
  return { taskRuns, outcomes, rate };
}

function rank(difficulty: string): number {
  const place = difficulties.indexOf(difficulty);
  return place === -1 ? difficulties.length : place;
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
