import { formatTaskRunKey, type Outcome, parseTaskRunKey } from '../../journal/task-run-events.js';
import type { EventStream } from '../../run/journal/event-stream.js';
import type { PreviousRun } from '../../run/resume/previous-run.js';
import { runScheduled, type Work } from '../../run/schedule/scheduler.js';
import { createItemFinder, formatItem } from '../items.js';
import type { RunTicket } from '../run-ticket.js';
import type { SubmittedRun, SubmittedWork } from './submitted-run.js';

/** Lists all items of a run whose task runs are known from the beginning. */
export function listPlannedItems(
  work: Work,
  run: RunTicket,
): Pick<SubmittedWork, 'sequence' | 'parallel'> {
  return { sequence: listLane(work, run, false), parallel: listLane(work, run, true) };
}

function listLane(work: Work, run: RunTicket, isParallel: boolean): string[] {
  const itemFor = createItemFinder(run);
  const items: string[] = [];
  for (let next = work.peek(isParallel); next; next = work.peek(isParallel)) {
    work.begin(next);
    items.push(itemFor(next));
  }
  return items;
}

/**
 * Lists the latest attempts of a resumed run at task runs that have no outcome. Workers clean up after those that did
 * not end, and give the next attempt the next number. `redact` makes names as the journal has them.
 */
export function listEarlierAttempts(
  { lastAttempts, cutOff, outcomes }: PreviousRun,
  { tasks, variants }: RunTicket,
  redact: (text: string) => string,
): SubmittedWork['before'] {
  const taskAt = new Map(tasks.map((name, index) => [redact(name), index]));
  const variantAt = new Map(variants.map((name, index) => [redact(name), index]));
  const open = new Map(cutOff.map((attempt) => [formatTaskRunKey(attempt.started), attempt]));
  return [...lastAttempts].flatMap(([key, number]) => {
    if (outcomes.has(key)) return [];
    const { task, variant, run } = parseTaskRunKey(key);
    const at = taskAt.get(task);
    // With --force, the suite may no longer have the task.
    if (at === undefined) return [];
    const item = formatItem({ task: at, variant: variantAt.get(variant ?? '') ?? 0, run });
    const openAttempt = open.get(key);
    if (!openAttempt) return [{ item, number }];
    const { seqs, ...record } = openAttempt;
    return [{ item, number, cutOff: { text: JSON.stringify(record), sentEvents: seqs.length } }];
  });
}

interface UndecidedWorkOptions {
  run: SubmittedRun;
  work: Work;
  events: EventStream;
  ends: Completions;
  /** How many task runs the workers do at once now. */
  slots: number;
  /** Called before each item. True: nothing more is submitted. */
  isOver(): boolean;
}

/** Submits the items of `--runs auto` one by one, because outcomes decide what runs next. */
export async function submitUndecidedItems(options: UndecidedWorkOptions): Promise<void> {
  const { run, work, events, ends, slots, isOver } = options;
  const itemFor = createItemFinder(run.ticket);
  const before = (await run.progress())?.done ?? 0;
  // A set: an item whose worker was lost is scheduled again, and must not be counted twice.
  const added = new Set<string>();
  await runScheduled(work, {
    parallel: Math.max(4, 2 * slots),
    isOver,
    run: async (taskRun) => {
      const item = itemFor(taskRun);
      const isKnown = ends.has(item);
      const outcome = ends.of(item);
      if (!isKnown) {
        added.add(item);
        await run.add(item, taskRun.task.runs.count, before + added.size);
      }
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
    // A cancelled attempt is no outcome: the item runs again.
    else if (outcome !== 'cancelled') this.#early.set(item, outcome);
  }

  /** Whether the outcome of an item is known. */
  has(item: string): boolean {
    return this.#early.has(item);
  }

  of(item: string): Promise<Outcome> {
    const early = this.#early.get(item);
    if (early !== undefined) return Promise.resolve(early);
    return new Promise((resolve) => this.#waiting.set(item, resolve));
  }
}
