import type { RunsDecided } from '../../journal/run-events.js';
import type { Outcome } from '../../journal/task-run-events.js';
import type { TaskRun } from '../../plan/plan.js';

/** Gives the scheduler one item after the other to run. */
export interface WorkSource<Item> {
  /**
   * Looks at the next of the items that run one at a time or, with `isParallel`, of those that run in parallel. It stays
   * the next one until `begin` is called with it. Undefined: there is none, or none until one under way has ended.
   */
  peek(isParallel: boolean): Item | undefined;
  begin(item: Item): void;
}

interface Schedule<Item> {
  /** How many of the parallel items run at once. */
  parallel: number;
  /** Called before each start. True: nothing more is started. */
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
      const item = source.peek(isParallel);
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
    // Not Promise.race over all that run: an item that runs for hours would keep a reaction for every other one.
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  if (failure) throw failure.error;
}

/** Makes a source of the items of a list, in its order. */
export function createListedWork<Item extends { parallel: boolean }>(
  items: readonly Item[],
): WorkSource<Item> {
  const waiting = {
    alone: items.filter(({ parallel }) => !parallel),
    together: items.filter(({ parallel }) => parallel),
  };
  const begun = { alone: 0, together: 0 };
  return {
    peek: (isParallel) => {
      const lane = isParallel ? 'together' : 'alone';
      return waiting[lane][begun[lane]];
    },
    begin: ({ parallel }) => {
      begun[parallel ? 'together' : 'alone'] += 1;
    },
  };
}

/** The task runs that a run has to do. With `--runs auto`, outcomes decide how many there are. */
export interface Work extends WorkSource<TaskRun> {
  /**
   * Task runs to do, as far as is known before anything has begun. Not for later: with a fixed plan it stays the number
   * at the start, and with `--runs auto` it changes with every outcome.
   */
  readonly remaining: number;
  /** What earlier outcomes decide about the number of runs, before this process has run anything. */
  readonly decided: readonly RunsDecided[];
  /** Takes the outcome of a task run, and gives what it decides about the number of runs, if anything. */
  ended(taskRun: TaskRun, outcome: Outcome): RunsDecided | undefined;
}

/** Makes work of task runs that are all known from the beginning. */
export function createPlannedWork(taskRuns: readonly TaskRun[]): Work {
  return {
    ...createListedWork(taskRuns),
    remaining: taskRuns.length,
    decided: [],
    ended: () => undefined,
  };
}
