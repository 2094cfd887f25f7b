import { open } from 'node:fs/promises';
import { ResultsDocument } from './results-document.js';
import type { ReadOptions, ResultsFile } from './results-file.js';
import { ResultsJournal } from './results-journal.js';
import type { TaskRunRecord } from './task-run-record.js';

/**
 * Opens a file of results or a journal of ours, or of results of mcpchecker. Which it is, its content
 * says. Throws UnreadableResults, NotAnEvaluation, what readJournal throws, or what the file system
 * says.
 */
export async function openResults(path: string): Promise<ResultsFile> {
  if (await isJournal(path)) {
    const journal = await ResultsJournal.open(path);
    const taskRuns = (options: ReadOptions = {}) => records(journal.taskRuns(options));
    const openTaskRuns = () => journal.openTaskRuns();
    return { path, header: journal.header, taskRuns, openTaskRuns };
  }
  const header = await new ResultsDocument(path).header();
  return { path, header, taskRuns: () => records(new ResultsDocument(path).taskRuns()) };
}

async function* records(
  taskRuns: AsyncIterable<{ record: TaskRunRecord }>,
): AsyncGenerator<TaskRunRecord> {
  for await (const { record } of taskRuns) yield record;
}

/** Its lines all begin like this; a document of JSON has its own names. */
export async function isJournal(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0);
    return buffer.toString('latin1', 0, bytesRead).startsWith('{"seq":');
  } catch (error) {
    // Reading tells no path, and there may be several files.
    throw Object.assign(error as Error, { path });
  } finally {
    await file.close();
  }
}
