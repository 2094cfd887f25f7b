import { formatTaskRunKey, type Outcome, parseTaskRunKey } from '../../journal/task-run-events.js';
import type { EventStream } from '../../run/journal/event-stream.js';
import type { PreviousRun } from '../../run/resume/previous-run.js';
import { runScheduled, type Work } from '../../run/schedule/scheduler.js';
import { createItemFinder, formatItem } from '../items.js';
import type { RunTicket } from '../run-ticket.js';
import type { SubmittedRun, SubmittedWork } from './submitted-run.js';

/** Everything that is to do, where no end of a task run decides about others. */
export function listPlannedItems(
  work: Work,
  run: RunTicket,
): Pick<SubmittedWork, 'sequence' | 'parallel'> {
  return { sequence: lane(work, run, false), parallel: lane(work, run, true) };
}

function lane(work: Work, run: RunTicket, isParallel: boolean): string[] {
  const itemFor = createItemFinder(run);
  const items: string[] = [];
  for (let next = work.next(isParallel); next; next = work.next(isParallel)) {
    work.begin(next);
    items.push(itemFor(next));
  }
  return items;
}

/**
 * What was begun before the run was resumed. A worker cleans up after those that did not end, and counts
 * on from there. `redact` makes names as the journal has them.
 */
export function listEarlierAttempts(
  { attempts, cutOff, outcomes }: PreviousRun,
  { tasks, variants }: RunTicket,
  redact: (text: string) => string,
): SubmittedWork['before'] {
  const taskAt = new Map(tasks.map((name, index) => [redact(name), index]));
  const variantAt = new Map(variants.map((name, index) => [redact(name), index]));
  const open = new Map(cutOff.map((taskRun) => [formatTaskRunKey(taskRun.started), taskRun]));
  return [...attempts].flatMap(([key, number]) => {
    if (outcomes.has(key)) return [];
    const { task, variant, run } = parseTaskRunKey(key);
    const at = taskAt.get(task);
    // With --force, the suite may have lost it.
    if (at === undefined) return [];
    const item = formatItem({ task: at, variant: variantAt.get(variant ?? '') ?? 0, run });
    const left = open.get(key);
    if (!left) return [{ item, number }];
    const { seqs, ...known } = left;
    return [{ item, number, left: { text: JSON.stringify(known), sentEvents: seqs.length } }];
  });
}

interface UndecidedWorkOptions {
  run: SubmittedRun;
  work: Work;
  events: EventStream;
  ends: Completions;
  /** How many task runs workers do at once, by now. */
  slots: number;
  isOver(): boolean;
}

/** Hands task runs over one by one, where what runs next depends on what came of others. */
export async function submitUndecidedItems(options: UndecidedWorkOptions): Promise<void> {
  const { run, work, events, ends, slots, isOver } = options;
  const itemFor = createItemFinder(run.about);
  const before = (await run.progress())?.done ?? 0;
  const added = new Set<string>();
  await runScheduled(work, {
    parallel: Math.max(4, 2 * slots),
    isOver,
    run: async (taskRun) => {
      const item = itemFor(taskRun);
      const isKnown = ends.has(item);
      const outcome = ends.of(item);
      // One that was lost with its worker comes up again.
      if (!isKnown) added.add(item);
      if (!isKnown) await run.add(item, taskRun.task.runs.count, before + added.size);
      const decision = work.ended(taskRun, await outcome);
      if (decision) events.write(decision);
    },
  });
}

/** Outcomes of items. An item can be awaited before and after its outcome is known. */
export class Completions {
  readonly #waiting = new Map<string, (outcome: Outcome) => void>();
  readonly #early = new Map<string, Outcome>();

  add(item: string, outcome: Outcome): void {
    const waiting = this.#waiting.get(item);
    this.#waiting.delete(item);
    if (waiting) waiting(outcome);
    // One that was cancelled is done again: that is worth waiting for.
    else if (outcome !== 'cancelled') this.#early.set(item, outcome);
  }

  /** Whether it is known by now. */
  has(item: string): boolean {
    return this.#early.has(item);
  }

  of(item: string): Promise<Outcome> {
    const early = this.#early.get(item);
    if (early !== undefined) return Promise.resolve(early);
    return new Promise((resolve) => this.#waiting.set(item, resolve));
  }
}
