import { open as openFile } from 'node:fs/promises';
import type { LinePlace } from '../../base/file-lines.js';
import { type OnLeftOut, readEventAt, readPlacedJournal } from '../../journal/journal-reader.js';
import { formatTaskName, noCalls, type TaskRunStarted } from '../../journal/task-run-events.js';
import type { JournalSurvey } from './journal-survey.js';
import { type TaskRunEndOrOpen, TaskRunFold } from './task-run-fold.js';

interface TaskRunsOptions {
  /** Leaves out results of calls: they can be larger than memory, and not every caller needs them. */
  withoutCallResults?: boolean;
}

export interface JournalTaskRun {
  /** Task, variant and run, as text. */
  name: string;
  random: TaskRunStarted['random'];
  /** The task run as JSON of the results file, or as a value; to be read before the next task run. */
  pieces(): AsyncIterable<string>;
  read(): ReturnType<TaskRunFold['read']>;
}

/**
 * Reads the task runs of a journal that count, in the order in which they ended. Memory holds those that are
 * open at the same time, without most of their calls, which are looked up at the end.
 */
export async function* readJournalTaskRuns(
  path: string,
  { counted, runs }: JournalSurvey,
  options: TaskRunsOptions = {},
): AsyncGenerator<JournalTaskRun> {
  const open = new Map<string, { fold: TaskRunFold; started: TaskRunStarted }>();
  // The lost event may belong to any open task run.
  const onLeftOut: OnLeftOut = (_, losesEvent) => {
    if (losesEvent) for (const { fold } of open.values()) fold.loseEvent();
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
      const eventAt = (at: LinePlace) => readEventAt(file, at);
      yield {
        name,
        random: started.random,
        pieces: () => fold.jsonPieces(event, eventAt),
        read: () => fold.read(event, eventAt),
      };
    }
  } finally {
    await file.close();
  }
}

/**
 * Reads what a journal has of the task runs that were open when it was surveyed. That some of them have ended
 * since then is ignored.
 */
export async function* readOpenTaskRuns(
  path: string,
  { openedBy }: JournalSurvey,
): AsyncGenerator<Awaited<ReturnType<TaskRunFold['read']>>> {
  if (openedBy.size === 0) return;
  const open = new Map<string, { fold: TaskRunFold; end: TaskRunEndOrOpen }>();
  const file = await openFile(path, 'r');
  try {
    for await (const { event, place } of readPlacedJournal(path)) {
      if (event.type === 'task-run-started') {
        if (!openedBy.has(event.seq)) continue;
        open.set(event.taskRun, {
          fold: new TaskRunFold(event),
          end: makeOpenEnd(event, event.at),
        });
      } else if ('taskRun' in event && event.taskRun !== undefined) {
        open.get(event.taskRun)?.fold.add(event, place);
      }
    }
    for (const { fold, end } of open.values()) {
      yield await fold.read(end, (at) => readEventAt(file, at));
    }
  } finally {
    await file.close();
  }
}

function makeOpenEnd({ taskRun }: TaskRunStarted, startedAt: string): TaskRunEndOrOpen {
  return {
    taskRun,
    outcome: null,
    verified: null,
    assertionsHeld: null,
    startedAt,
    durationMs: null,
    output: '',
    calls: noCalls,
  };
}
