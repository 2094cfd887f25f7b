import type { Redis } from 'ioredis';
import type { Labels } from '../plan/labels.js';
import type { TaskRun } from '../plan/plan.js';
import { updateRunScript } from './attempt-scripts.js';
import { JobQueue, nameLabelQueue } from './job-queue.js';
import type { RunKeys } from './queue-keys.js';
import type { RunAttempts } from './run-attempts.js';
import type { RunTicket } from './run-ticket.js';

/** A task run, as the queue knows it: its task and variant by their index in the ticket's lists, and its number. */
export interface Item {
  task: number;
  variant: number;
  run: number;
}

/** Names of tasks and variants, in the order that items refer to. */
export interface ItemNames {
  tasks: readonly string[];
  /** Empty: there is no matrix. */
  variants: readonly string[];
}

export function formatItem({ task, variant, run }: Item): string {
  return `${task}-${variant}-${run}`;
}

/** Undefined: the text is no item. */
export function parseItem(text: string): Item | undefined {
  const [, task, variant, run] = /^(\d+)-(\d+)-(\d+)$/.exec(text) ?? [];
  if (run === undefined) return undefined;
  return { task: Number(task), variant: Number(variant), run: Number(run) };
}

/** Makes the function that gives the item of a task run. */
export function createItemFinder({ tasks, variants }: ItemNames): (taskRun: TaskRun) => string {
  const taskAt = new Map(tasks.map((name, index) => [name, index]));
  const variantAt = new Map(variants.map((name, index) => [name, index]));
  return ({ task, variant, run }) => {
    const at = taskAt.get(task.name);
    if (at === undefined) throw new Error(`the task ${task.name} is not part of the run`);
    return formatItem({ task: at, variant: variantAt.get(variant?.name ?? '') ?? 0, run });
  };
}

interface NextItemsOptions {
  redis: Redis;
  keys: RunKeys;
  run: RunTicket;
  attempts: RunAttempts;
  /** Gives the labels that a task requires of a worker, by its index among the tasks of the run. */
  labelsOf(task: number): Labels;
}

/** Items for one request: Redis serves others in between. */
const batch = 1_000;

/**
 * Puts items into their queues when their turn comes: those of the sequence one by one, then all parallel ones. Any
 * process may do so at any time, several at once, and again after one was killed in the middle of it.
 */
export class NextItems {
  readonly #options: NextItemsOptions;
  readonly #queues: ReadonlyMap<string, JobQueue>;

  constructor(options: NextItemsOptions) {
    this.#options = options;
    const { redis, keys, run } = options;
    const { expiresAt } = run;
    this.#queues = new Map(
      run.queues.map(({ name }) => [name, new JobQueue(redis, { keys, name, expiresAt })]),
    );
  }

  get queues(): Iterable<JobQueue> {
    return this.#queues.values();
  }

  /** Adds what comes next. False: there is nothing for now. */
  async add(): Promise<boolean> {
    const next = await this.#options.attempts.next();
    if (next.kind === 'nothing') return false;
    if (next.kind === 'item') await this.addItems([next.item]);
    else await this.#addParallel();
    return true;
  }

  /** With `--runs auto`, `runs` says how many runs the task has at least. */
  async addItems(items: readonly string[], runs?: number): Promise<void> {
    const byQueue = new Map<string, string[]>();
    for (const item of items) {
      const { name } = nameLabelQueue(this.#options.labelsOf(parseItem(item)?.task ?? -1));
      const group = byQueue.get(name);
      if (group) group.push(item);
      else byQueue.set(name, [item]);
    }
    for (const [name, group] of byQueue) {
      const queue = this.#queues.get(name);
      // Without a queue they would never run.
      if (!queue) throw new Error(`the run has no queue ${name} for ${group.join(', ')}`);
      await queue.add(group, runs === undefined ? {} : { runs });
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.close()));
  }

  async #addParallel(): Promise<void> {
    const { redis, keys } = this.#options;
    for (let start = 0; ; start += batch) {
      const items = await redis.lrange(keys.parallel, start, start + batch - 1);
      if (items.length === 0) break;
      // If a process was killed in the middle of this, some are done already.
      const outcomes = await redis.hmget(keys.done, ...items);
      await this.addItems(items.filter((_, index) => outcomes[index] === null));
    }
    await updateRunScript.run(redis, [keys.run], ['released', '1']);
  }
}
