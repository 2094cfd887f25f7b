import { open as openFile } from 'node:fs/promises';
import { type OnLeftOut, readEventAt, readPlacedJournal } from '../journal/journal-reader.js';
import { formatTaskName, type TaskRunStarted } from '../journal/task-run-events.js';
import type { JournalSurvey } from './journal-survey.js';
import { TaskRunFold } from './task-run-fold.js';

interface TaskRunsOptions {
  /** Results of calls can be larger than what fits into the memory, and not everybody needs them. */
  withoutCallResults?: boolean;
}

export interface JournalTaskRun {
  /** Which one it is, in words. */
  name: string;
  random: TaskRunStarted['random'];
  /** Its JSON as results have it, to be read before the next task run. */
  pieces: AsyncIterable<string>;
}

/**
 * The task runs of a journal that count, in the order in which they ended. Memory holds those that are
 * open at the same time, but for most of their calls, which are looked up in the end.
 */
export async function* journalTaskRuns(
  path: string,
  { counted, runs }: JournalSurvey,
  options: TaskRunsOptions = {},
): AsyncGenerator<JournalTaskRun> {
  const open = new Map<string, { fold: TaskRunFold; started: TaskRunStarted }>();
  // Whose event it was cannot be known.
  const onLeftOut: OnLeftOut = (_, isEvent) => {
    if (isEvent) for (const { fold } of open.values()) fold.loseEvent();
  };
  const file = await openFile(path, 'r');
  try {
    for await (const { event, place } of readPlacedJournal(path, onLeftOut)) {
      if (event.type === 'task-run-started') {
        const { taskRun } = event;
        if (!counted.has(event.seq)) open.delete(taskRun);
        else {
          // With --runs auto the first run cannot know how many there will be.
          const started = { ...event, runs: runs.get(formatTaskName(event)) ?? event.runs };
          open.set(taskRun, { fold: new TaskRunFold(started, options), started });
        }
        continue;
      }
      const taskRun = 'taskRun' in event ? event.taskRun : undefined;
      const found = taskRun === undefined ? undefined : open.get(taskRun);
      if (!found) continue;
      const { fold, started } = found;
      if (event.type !== 'task-run-ended') {
        fold.add(event, place);
        continue;
      }
      open.delete(event.taskRun);
      const name = `${formatTaskName(started)}, run ${started.run}`;
      const pieces = fold.jsonPieces(event, (at) => readEventAt(file, at));
      yield { name, random: started.random, pieces };
    }
  } finally {
    await file.close();
  }
}
