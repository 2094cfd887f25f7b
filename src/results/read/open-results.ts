import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, open, realpath } from 'node:fs/promises';
import type { ReadOptions, ResultsFile } from '../results-file.js';
import type { TaskRunRecord } from '../task-run-record.js';
import { ResultsDocument } from './results-document.js';
import { ResultsJournal } from './results-journal.js';

/**
 * Opens a results file or a journal of Proctor, or results of mcpchecker; the content decides which it is.
 * Throws UnreadableResultsError, NotARunError, what readJournal throws, and errors of the file system.
 */
export async function openResultsFile(path: string): Promise<ResultsFile> {
  if (await isJournal(path)) {
    const journal = await ResultsJournal.open(path);
    const taskRuns = (options: ReadOptions = {}) => records(journal.taskRuns(options));
    const openTaskRuns = () => journal.openTaskRuns();
    const leftOut = () => journal.leftOut;
    return { path, header: journal.header, taskRuns, leftOut, openTaskRuns };
  }
  const document = new ResultsDocument(path);
  const header = await document.header();
  const leftOut = () => document.leftOut;
  const lostTaskRuns = () => document.lostTaskRuns;
  return { path, header, taskRuns: () => records(document.taskRuns()), leftOut, lostTaskRuns };
}

async function* records(
  taskRuns: AsyncIterable<{ record: TaskRunRecord }>,
): AsyncGenerator<TaskRunRecord> {
  for await (const { record } of taskRuns) yield record;
}

const firstPart = 256 * 1024;
/** The start of every line of a journal. */
const lineOfJournal = '{"seq":';

/** Whether a file is a journal, also if its first line is damaged or has a byte order mark. */
export async function isJournal(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(firstPart), 0, firstPart, 0);
    const text = buffer.toString('utf8', 0, bytesRead).replace(/^\ufeff/, '');
    return text.startsWith(lineOfJournal) || text.includes(`\n${lineOfJournal}`);
  } catch (error) {
    // Errors of reading have no path, and there may be several files.
    throw Object.assign(error as Error, { path });
  } finally {
    await file.close();
  }
}

/** Drops paths that lead to the same file. */
export async function findDistinctFiles(paths: readonly string[]): Promise<string[]> {
  const byRealPath = new Map<string, string>();
  for (const path of paths) {
    const real = await resolveRealPath(path);
    if (!byRealPath.has(real)) byRealPath.set(real, path);
  }
  return [...byRealPath.values()];
}

/** A pipe such as /dev/stdin has no real path although it can be read: then the path itself is returned. */
async function resolveRealPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
    throw error;
  }
}

/** An id for results of mcpchecker, which have none: copies of a file have the same. */
export async function computeContentId(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return `mcpchecker-${hash.digest('hex').slice(0, 16)}`;
}
