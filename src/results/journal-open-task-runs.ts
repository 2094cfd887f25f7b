import { open as openFile } from 'node:fs/promises';
import { readEventAt, readPlacedJournal } from '../journal/journal-reader.js';
import type { TaskRunStarted } from '../journal/task-run-events.js';
import type { JournalSurvey } from './journal-survey.js';
import { type TaskRunEnd, TaskRunFold } from './task-run-fold.js';

/**
 * What a journal has so far of the task runs that were under way when it was looked at, as JSON. That
 * some of them have ended since then is another look's business.
 */
export async function* journalOpenTaskRuns(
  path: string,
  { openedBy }: JournalSurvey,
): AsyncGenerator<AsyncIterable<string>> {
  if (openedBy.size === 0) return;
  const open = new Map<string, { fold: TaskRunFold; end: TaskRunEnd }>();
  const file = await openFile(path, 'r');
  try {
    for await (const { event, place } of readPlacedJournal(path)) {
      if (event.type === 'task-run-started') {
        if (!openedBy.has(event.seq)) continue;
        open.set(event.taskRun, { fold: new TaskRunFold(event), end: noEnd(event, event.at) });
      } else if ('taskRun' in event && event.taskRun !== undefined) {
        open.get(event.taskRun)?.fold.add(event, place);
      }
    }
    for (const { fold, end } of open.values()) {
      yield fold.jsonPieces(end, (at) => readEventAt(file, at));
    }
  } finally {
    await file.close();
  }
}

function noEnd({ taskRun }: TaskRunStarted, startedAt: string): TaskRunEnd {
  return {
    taskRun,
    outcome: null,
    verified: null,
    assertionsHeld: null,
    startedAt,
    durationMs: null,
    output: '',
    calls: { tool: 0, resource: 0, prompt: 0, errors: 0, tokens: 0 },
  };
}
