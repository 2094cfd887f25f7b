import type { EventStream } from '../../run/journal/event-stream.js';
import { runScheduled, type Work } from '../../run/schedule/scheduler.js';
import { itemsOf } from '../task-run-items.js';
import type { HandedOverRun } from './handed-over-run.js';
import type { ToldEnds } from './told-ends.js';

interface UndecidedWorkOptions {
  run: HandedOverRun;
  work: Work;
  events: EventStream;
  ends: ToldEnds;
  /** How many task runs workers do at once, by now. */
  slots: number;
  isOver(): boolean;
}

/** Hands task runs over one by one, where what runs next depends on what came of others. */
export async function handOverUndecided(options: UndecidedWorkOptions): Promise<void> {
  const { run, work, events, ends, slots, isOver } = options;
  const itemFor = itemsOf(run.about);
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
