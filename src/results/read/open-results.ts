import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, open, realpath } from 'node:fs/promises';
import type { ReadOptions, ResultsFile } from '../results-file.js';
import type { TaskRunRecord } from '../task-run-record.js';
import { ResultsDocument } from './results-document.js';
import { ResultsJournal } from './results-journal.js';

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
/** Every line of a journal begins like this; a document of JSON has its own names. */
const lineOfJournal = '{"seq":';

/** Also if its first line is damaged, or begins with a byte order mark. */
export async function isJournal(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(firstPart), 0, firstPart, 0);
    const text = buffer.toString('utf8', 0, bytesRead).replace(/^\ufeff/, '');
    return text.startsWith(lineOfJournal) || text.includes(`\n${lineOfJournal}`);
  } catch (error) {
    // Reading tells no path, and there may be several files.
    throw Object.assign(error as Error, { path });
  } finally {
    await file.close();
  }
}

/** However a file is named: it is one. */
export async function findDistinctFiles(paths: readonly string[]): Promise<string[]> {
  const byRealPath = new Map<string, string>();
  for (const path of paths) {
    const real = await resolveRealPath(path);
    if (!byRealPath.has(real)) byRealPath.set(real, path);
  }
  return [...byRealPath.values()];
}

/** A pipe, such as /dev/stdin, is there without being anywhere: whoever reads it says what it is. */
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

/** Results of mcpchecker have no id: a copy of them is known by its content. */
export async function computeContentId(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return `mcpchecker-${hash.digest('hex').slice(0, 16)}`;
}
