import { open as openFile } from 'node:fs/promises';
import { eventAt, readPlacedJournal } from '../events/journal-reader.js';
import type { JournalSurvey } from './journal-survey.js';
import { TaskRunFold } from './task-run-fold.js';

interface TaskRunsOptions {
  /** Results of calls can be larger than what fits into the memory, and not everybody needs them. */
  withoutCallResults?: boolean;
}

/**
 * The task runs of a journal that count, as results have them, in the order in which they ended:
 * the JSON of each, in pieces, to be read before the next one. Memory holds those that are open at
 * the same time, but for most of their calls, which are looked up in the end.
 */
export async function* journalTaskRuns(
  path: string,
  { counted }: JournalSurvey,
  options: TaskRunsOptions = {},
): AsyncGenerator<AsyncIterable<string>> {
  const open = new Map<string, TaskRunFold>();
  const file = await openFile(path, 'r');
  try {
    for await (const { event, place } of readPlacedJournal(path)) {
      if (event.type === 'task-run-started') {
        if (counted.has(event.seq)) open.set(event.taskRun, new TaskRunFold(event, options));
        else open.delete(event.taskRun);
        continue;
      }
      const taskRun = 'taskRun' in event ? event.taskRun : undefined;
      const fold = taskRun === undefined ? undefined : open.get(taskRun);
      if (!fold) continue;
      if (event.type !== 'task-run-ended') {
        fold.add(event, place);
        continue;
      }
      open.delete(event.taskRun);
      yield fold.jsonPieces(event, (at) => eventAt(file, at));
    }
  } finally {
    await file.close();
  }
}
