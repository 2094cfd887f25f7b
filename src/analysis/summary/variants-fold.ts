import type { TaskRunRecord } from '../../results/task-run-record.js';
import { AmountsFold } from './amounts-fold.js';
import { Groups } from './groups.js';
import type { Summary } from './summary.js';

/** Adds up what each variant of a matrix did, and what that took. */
export class VariantsFold {
  readonly #groups = new Groups();
  /** In the order in which they come, which is that of the matrix. */
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
