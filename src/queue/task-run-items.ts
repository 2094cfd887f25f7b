import type { TaskRun } from '../plan/plan.js';

/** A task run, as the queue knows it: its task and its variant by their places, and its number. */
export interface Item {
  task: number;
  variant: number;
  run: number;
}

/** Names of a run, in the order that items refer to. */
export interface ItemNames {
  tasks: readonly string[];
  /** Empty: there is no matrix. */
  variants: readonly string[];
}

export function itemText({ task, variant, run }: Item): string {
  return `${task}-${variant}-${run}`;
}

/** Undefined: it is none. */
export function itemOf(text: string): Item | undefined {
  const [, task, variant, run] = /^(\d+)-(\d+)-(\d+)$/.exec(text) ?? [];
  if (run === undefined) return undefined;
  return { task: Number(task), variant: Number(variant), run: Number(run) };
}

/** Says which item a task run is. */
export function itemsOf({ tasks, variants }: ItemNames): (taskRun: TaskRun) => string {
  const taskAt = new Map(tasks.map((name, index) => [name, index]));
  const variantAt = new Map(variants.map((name, index) => [name, index]));
  return ({ task, variant, run }) => {
    const at = taskAt.get(task.name);
    if (at === undefined) throw new Error(`the task ${task.name} is not part of the run`);
    return itemText({ task: at, variant: variantAt.get(variant?.name ?? '') ?? 0, run });
  };
}
