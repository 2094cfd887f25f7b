import { readJournal } from '../events/journal-reader.js';
import type { JournalSurvey } from './journal-survey.js';
import { TaskRunFold } from './task-run-fold.js';

/**
 * The task runs of a journal that count, as results have them, in the order in which they ended:
 * the JSON of each, in pieces. Memory holds those that are open at the same time.
 */
export async function* journalTaskRuns(
  path: string,
  { counted }: JournalSurvey,
): AsyncGenerator<string[]> {
  const open = new Map<string, TaskRunFold>();
  for await (const event of readJournal(path)) {
    if (event.type === 'task-run-started') {
      if (counted.has(event.seq)) open.set(event.taskRun, new TaskRunFold(event));
      else open.delete(event.taskRun);
      continue;
    }
    const taskRun = 'taskRun' in event ? event.taskRun : undefined;
    const fold = taskRun === undefined ? undefined : open.get(taskRun);
    if (!fold) continue;
    if (event.type !== 'task-run-ended') {
      fold.add(event);
      continue;
    }
    open.delete(event.taskRun);
    yield fold.jsonPieces(event);
  }
}
