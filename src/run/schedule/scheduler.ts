import type { RunsDecided } from '../../journal/run-events.js';
import type { Outcome } from '../../journal/task-run-events.js';
import type { TaskRun } from '../../plan/plan.js';

/** Gives the scheduler the next item to run. */
export interface WorkSource<Item> {
  /**
   * The next item that runs alone, or of those that run beside others; the same until it is begun.
   * Undefined: there is none, or none before one of those under way has ended.
   */
  next(isParallel: boolean): Item | undefined;
  begin(item: Item): void;
}

interface Schedule<Item> {
  /** How many parallel ones at once. */
  parallel: number;
  /** Called before each start: whether nothing more is to be started. */
  isOver(): boolean;
  run(item: Item): Promise<void>;
}

/** Runs sequential items one at a time, then the parallel ones, several at once. */
export async function runScheduled<Item>(
  source: WorkSource<Item>,
  schedule: Schedule<Item>,
): Promise<void> {
  await runLane(source, false, 1, schedule);
  await runLane(source, true, schedule.parallel, schedule);
}

async function runLane<Item>(
  source: WorkSource<Item>,
  isParallel: boolean,
  atOnce: number,
  { isOver, run }: Schedule<Item>,
): Promise<void> {
  let running = 0;
  let failure: { error: unknown } | undefined;
  let wake = () => {};
  const ended = () => {
    running -= 1;
    wake();
  };
  for (;;) {
    while (running < atOnce && !failure) {
      const item = source.next(isParallel);
      if (item === undefined || isOver()) break;
      source.begin(item);
      running += 1;
      run(item)
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(ended);
    }
    if (running === 0) break;
    // Not a race of all that run: one that runs for hours would remember every other.
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  if (failure) throw failure.error;
}

/** All of a list, in its order. */
export function createListedWork<Item extends { parallel: boolean }>(
  items: readonly Item[],
): WorkSource<Item> {
  const waiting = {
    alone: items.filter(({ parallel }) => !parallel),
    together: items.filter(({ parallel }) => parallel),
  };
  const begun = { alone: 0, together: 0 };
  return {
    next: (isParallel) => {
      const lane = isParallel ? 'together' : 'alone';
      return waiting[lane][begun[lane]];
    },
    begin: ({ parallel }) => {
      begun[parallel ? 'together' : 'alone'] += 1;
    },
  };
}

/** The task runs of a run, as they come up. */
export interface Work extends WorkSource<TaskRun> {
  /** Task runs that are still to do, as far as is known now. */
  readonly remaining: number;
  /** What is decided about the runs of tasks before this process has done any. */
  readonly decided: readonly RunsDecided[];
  /** What the end of a task run decides about others. */
  ended(taskRun: TaskRun, outcome: Outcome): RunsDecided | undefined;
}

/** Task runs that are known from the beginning. */
export function createPlannedWork(taskRuns: readonly TaskRun[]): Work {
  return {
    ...createListedWork(taskRuns),
    remaining: taskRuns.length,
    decided: [],
    ended: () => undefined,
  };
}
